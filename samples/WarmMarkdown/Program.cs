// The demo of ./dev run. Real methods of a real library (Markdig) on a real document, from cold to final, by the library's own schedule.
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using TierUp;
using WarmMarkdown;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
bool plain = Console.IsOutputRedirected || Environment.GetEnvironmentVariable("TERM") is null or "" or "dumb";
double budgetSeconds = 60;
for (int i = 0; i < args.Length; i++)
{
    if (args[i] == "--capabilities")
    {
        return PrintCapabilities();
    }
    else if (args[i] == "--plain")
    {
        plain = true;
    }
    else if (args[i] == "--budget" && i + 1 < args.Length && double.TryParse(args[i + 1], out budgetSeconds) && budgetSeconds is > 0 and < 100_000)
    {
        i++;
    }
    else
    {
        Console.WriteLine("usage: ./dev run [--plain] [--budget SECONDS] [--capabilities]\n\n" +
            "  --plain         a line for each step instead of a table in place\n" +
            "  --budget        give up after so long (60)\n" +
            "  --capabilities  say what works here and why not where it doesn't, and nothing else");
        return args[i] is "--help" or "-h" ? 0 : 2;
    }
}

TieringCapabilities capabilities = TieredCompilation.Capabilities;
TieringSettings settings = TieredCompilation.Settings;
Console.WriteLine($"tierup {capabilities.NativeLibraryVersion} on {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.RuntimeIdentifier}, {Text.Plural(Environment.ProcessorCount, "processor")}");
Console.WriteLine(settings.TieredCompilation
    ? $"Tiering: threshold {Text.Plural(settings.CallCountThreshold, "call")}, delay {settings.CallCountingDelay.TotalMilliseconds:F0} ms, PGO {(settings.TieredPgo ? "on" : "off")}"
    : "Tiering: off");
if (!capabilities.SupportsPolling)
{
    Console.WriteLine($"Nothing to show here: {capabilities}");
    return 1;
}

string path = Path.Combine(AppContext.BaseDirectory, "document.md");
string document = File.ReadAllText(path);
Console.WriteLine($"Markdig {typeof(Markdig.Markdown).Assembly.GetName().Version?.ToString(3)} renders document.md ({document.AsSpan().Count('\n')} lines) as often as its methods ask for.");
Console.WriteLine();

using Workload workload = new(document);
using CancellationTokenSource budget = new(TimeSpan.FromSeconds(budgetSeconds));
Console.CancelKeyPress += (_, e) =>
{
    e.Cancel = true;
    budget.Cancel();
};

WatchedMethod[] methods = Picks.All();
plain = plain || Console.WindowHeight < methods.Length + 3 || Console.WindowWidth < Display.Columns;
Display display = new(methods, workload, inPlace: !plain, color: !plain && Environment.GetEnvironmentVariable("NO_COLOR") is null or "");
display.Begin();
long began = Stopwatch.GetTimestamp();
Task driving = Task.WhenAll(methods.Select(method => method.DriveAsync(workload, display.OnStep, budget.Token)).ToArray());
workload.Start(); // now that each has asked for its first call
bool isCancelled = false;
try
{
    await display.ShowUntilAsync(driving);
}
catch (OperationCanceledException)
{
    isCancelled = true;
}

display.Summarize(Stopwatch.GetElapsedTime(began));
if (isCancelled)
{
    Console.WriteLine("Stopped before all methods were final: the budget ran out, or you pressed Ctrl+C.");
}

return methods.All(method => method.IsFinal || method.IsUncalled) ? 0 : 1;

static int PrintCapabilities()
{
    TieringCapabilities capabilities = TieredCompilation.Capabilities;
    (string What, string Value)[] rows =
    [
        ("runtime", $"{RuntimeInformation.FrameworkDescription}{(capabilities.HasTiering ? "" : ": no tiered compilation")}"),
        ("polls", capabilities.SupportsPolling ? "yes" : $"no: {capabilities.PollingReason}"),
        ("code versions and tiers", capabilities.SupportsTiers ? "yes" : $"no: {capabilities.TiersReason}"),
        ("memory is copied by", capabilities.CopyDoor),
        ("settings", TieredCompilation.Settings.ToString()),
        ("libcoreclr", capabilities.RuntimePath),
        ("data access library", capabilities.DataAccessPath),
        ("libtierup", $"{capabilities.NativeLibraryVersion} {capabilities.NativeLibraryPath}"),
    ];
    foreach ((string what, string value) in rows)
    {
        Console.WriteLine($"{what,-24} {(value.Length == 0 ? "–" : value)}");
    }

    return capabilities.SupportsPolling || !capabilities.HasTiering ? 0 : 1;
}
