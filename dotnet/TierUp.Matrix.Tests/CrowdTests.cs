// What     Ten thousand waits at once with garbage collection going on, collectible code that is unloaded while it is watched, and a process that ends with
//          waits pending.
// What not DOTNET_GCStress needs a checked build of the runtime; a thread that collects all the time stands in for it.
using System.Collections.Generic;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.Matrix.Tests;

public sealed class CrowdTests(ITestOutputHelper output)
{

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    public static IEnumerable<object[]> Ends =>
        from runtime in Runtimes.All from end in new[] { ("return", 41), ("environment", 42), ("exception", 134) } select new object[] { runtime, end.Item1, end.Item2 };

    /// <summary>A distinct method for each wait where CI has the time for it. A method that is held by the delay takes a query of the data access library
    /// for each wait that begins, and on 9 one costs 11 to 22 ms (docs/RUNTIME.md).</summary>
    private static (int Waits, int Methods) Size(string runtime) => runtime == "11.0.0" ? (10_000, 10_000) : Runtimes.Major(runtime) == 9 ? (200, 50) : (10_000, 1000);

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void ten_thousand_waits_end_right_with_half_of_them_cancelled_at_random(string runtime)
    {
        // 1F4 is 500 ms, 7D0 is 2 s: the longest step of the preparation does not outlast it.
        string delay = Runtimes.Major(runtime) == 9 ? "7D0" : "1F4";
        (int waits, int methods) = Size(runtime);
        Run run = Run.Get(runtime, new("crowd") { Arguments = $"--methods {methods} --waits {waits}", Environment = "DOTNET_TC_CallCountingDelayMs=" + delay, Traced = false, BoundSeconds = 180 });
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        foreach (string row in new[] { "delay", "promotion" })
        {
            string wrong = string.Join('\n', run.Of(row).Where(line => line.At == "wrong"));
            Assert.True(run.Single(row, "wrong count").Number == 0, wrong);
            Assert.Equal("True", run.Single(row, "ended").Text);
            Assert.Equal(waits, run.Single(row, "done").Number + run.Single(row, "cancelled").Number);
            Assert.True(run.Single(row, "cancelled").Number <= run.Single(row, "cancellable").Number, "more cancelled than could be");
            output.WriteLine($"{row}: {run.Single(row, "pending").Number} pending at once, {run.Single(row, "cancelled").Number} cancelled");
        }
        Assert.True(run.Single("delay", "pending").Number > waits * 9 / 10, $"only {run.Single("delay", "pending").Number} were pending at once");
        Assert.True(run.Single("", "collections").Number > 10, "no garbage was collected");
        Assert.Equal(0, run.Single("", "waits pending").Number);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void collectible_code_is_unloaded_while_watched_without_a_crash_or_a_leak(string runtime)
    {
        Run run = Run.Get(runtime, new("unloading") { Traced = false });
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        long rounds = run.Single("", "rounds").Number;
        Assert.Equal(2 * rounds, run.Single("", "final").Number);
        Assert.Equal(rounds, run.Single("", "gone").Number);
        Assert.True(run.Single("", "events").Number > 0, "the stream told nothing");
        Assert.True(run.Single("", "looks").Number > rounds, "the watcher did not see every round");
    }

    [SkippableTheory]
    [MemberData(nameof(Ends))]
    public void process_ends_with_waits_pending_and_with_its_own_exit_code(string runtime, string end, int code)
    {
        // 2710 is 10 s: the waits are pending for long. The run's time limit is the bound for a hang.
        Run run = Run.Get(runtime, new("ending") { Arguments = "--exit " + end, ExitCode = code, Environment = "DOTNET_TC_CallCountingDelayMs=2710", Traced = false, BoundSeconds = 30 });
        Assert.True(run.Single("", "pending").Number >= 50, run.Single("", "pending").ToString());
    }
}
