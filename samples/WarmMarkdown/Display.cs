using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using TierUp;

namespace WarmMarkdown;

/// <summary>Shows the methods while they climb: in place on a terminal, else one line for each step.</summary>
internal sealed class Display(WatchedMethod[] methods, Workload workload, bool inPlace, bool color)
{
    /// <summary>How wide a line of the tables can be.</summary>
    public const int Columns = 100;

    private readonly Lock gate = new();
    private long began;
    private int drawnLines;

    private const string Header = "method                        status      tier           calls asked    calls made       time";

    /// <summary>The clock starts. Drawing once before keeps drawing itself from being news to the runtime, which would prolong the delay.</summary>
    public void Begin()
    {
        began = Stopwatch.GetTimestamp();
        if (inPlace)
        {
            Draw();
            began = Stopwatch.GetTimestamp();
        }
    }

    /// <summary>Something happened to `method`: a line, where lines are what we print.</summary>
    public void OnStep(WatchedMethod method)
    {
        if (inPlace)
        {
            return;
        }

        MethodState state = method.State;
        string what = method.Duration is not null
            ? $"{Text.Plural(method.AskedTotal, "call")} asked for, {method.CallsMade(workload.Runs)} made"
            : $"asks for {Text.Plural(state.CallsToNextTierPromotion, "call")}";
        lock (gate)
        {
            Console.WriteLine($"{Text.Milliseconds(Stopwatch.GetElapsedTime(began)),10}  {method.Name,-28}  {Status(state),-10}  {Text.Of(state.Tier),-13}  {what}");
        }
    }

    /// <summary>Redraws the table until `work` is done. The pace is that of an eye, nothing depends on it.</summary>
    public async Task ShowUntilAsync(Task work)
    {
        if (inPlace)
        {
            Console.Write("\e[?25l"); // hide the cursor
            try
            {
                do
                {
                    Draw();
                }
                while (await Task.WhenAny(work, Task.Delay(33)).ConfigureAwait(false) != work);
                Draw();
            }
            finally
            {
                Console.Write("\e[?25h");
            }
        }

        await work.ConfigureAwait(false);
    }

    private void Draw()
    {
        StringBuilder frame = new();
        if (drawnLines > 0)
        {
            frame.Append($"\e[{drawnLines}A\r");
        }

        frame.Append(Paint("2", Header)).Append("\e[K\n");
        foreach (WatchedMethod method in methods)
        {
            MethodState state = method.State;
            string status = Status(state);
            string time = method.Duration is { } duration ? Text.Milliseconds(duration) : "";
            frame.Append($"{method.Name,-28}  ")
                .Append(Paint(Color(state), $"{status,-10}"))
                .Append($"  {Text.Of(state.Tier),-13}  {method.Asked,-13}  {method.CallsMade(workload.Runs),10}  {time,9}\e[K\n");
        }

        frame.Append(Paint("2", $"{Text.Plural(workload.Runs, "rendering")}, {Text.Milliseconds(Stopwatch.GetElapsedTime(began))}")).Append("\e[K\n");
        drawnLines = methods.Length + 2;
        Console.Write(frame);
    }

    /// <summary>The final figures and the code versions that the runtime made.</summary>
    public void Summarize(TimeSpan total)
    {
        if (!inPlace)
        {
            Console.WriteLine();
            Console.WriteLine(Header);
            foreach (WatchedMethod method in methods)
            {
                MethodState state = method.State;
                string time = method.Duration is { } duration ? Text.Milliseconds(duration) : "";
                Console.WriteLine($"{method.Name,-28}  {Status(state),-10}  {Text.Of(state.Tier),-13}  {method.Asked,-13}  {method.CallsMade(workload.Runs),10}  {time,9}");
            }
        }

        Console.WriteLine();
        Console.WriteLine(Paint("1", "What the runtime made: each code version's tier and address; → is the one that runs now"));
        foreach (WatchedMethod method in methods)
        {
            Console.WriteLine($"{method.Name,-28}  {string.Join("  ", method.State.CodeVersions.OrderBy(version => Text.Rank(version.Tier)).Select(Version))}".TrimEnd());
        }

        int final = methods.Count(method => method.IsFinal);
        Console.WriteLine();
        Console.WriteLine($"{final} of {methods.Length} methods final in {Text.Milliseconds(total)} and {Text.Plural(workload.Runs, "rendering")} ({workload.HtmlLength} characters of HTML each).");
        if (methods.Any(method => method.IsUncalled))
        {
            Console.WriteLine($"Cold to the end, because inlined into their callers: {string.Join(", ", methods.Where(method => method.IsUncalled).Select(method => method.Name))}.");
        }

        Console.WriteLine("A method asks for what is still missing: renderings made for others count for it as well.");
        Console.WriteLine("≥: one rendering makes at least one call of the method, often many; only the runtime counts them.");
    }

    private string Version(CodeVersion version)
    {
        string text = $"{(version.IsActive ? "→ " : "")}{Text.Of(version.Tier)} {(version.Code == 0 ? "(none)" : version.Code.ToString("x"))}";
        return version.IsActive ? Paint("32", text) : text;
    }

    private static string Status(MethodState state) => state.Status is null ? "not known" : Text.Of(state.Reason);

    private static string Color(MethodState state) => state.Status switch
    {
        MethodCompilationStatus.Final => "32",
        MethodCompilationStatus.Optimizing => "33",
        MethodCompilationStatus.Cold => "36",
        _ => "31",
    };

    private string Paint(string code, string text) => color ? $"\e[{code}m{text}\e[0m" : text;
}
