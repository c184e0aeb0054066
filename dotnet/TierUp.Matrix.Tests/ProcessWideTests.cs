// What     The process-wide members against entry points, trace and an own search; and the same verdicts whatever wakes the waits.
using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.Matrix.Tests;

public sealed class ProcessWideTests(ITestOutputHelper output)
{
    private const string Startup =
        "CORECLR_ENABLE_NOTIFICATION_PROFILERS=1 CORECLR_NOTIFICATION_PROFILERS=" + Run.LibraryPlaceholder + "={fbf851ca-5245-4420-a686-e412795052f7};";

    private const string Classic =
        "CORECLR_ENABLE_PROFILING=1 CORECLR_PROFILER={b5a4a3c2-7d0e-4a53-9f0c-6f2b7c1d9e01} CORECLR_PROFILER_PATH=" + Profiler.Placeholder + " TIERUP_PROFILER_LOW=20";

    private static readonly Setting signaled = new("process");

    private static readonly Setting withoutDelay = signaled with { Environment = "DOTNET_TC_CallCountingDelayMs=0", Arguments = "--wakes" };

    private static readonly Setting withoutTiering = signaled with { Environment = "DOTNET_TieredCompilation=0", Arguments = "--flat" };

    private static readonly Setting withoutQuickJit = signaled with { Environment = "DOTNET_TC_QuickJit=0", Arguments = "--flat" };

    private static readonly Setting unoptimized = signaled with { IsUnoptimized = true };

    /// <summary>Same runtime settings, other ways to be woken: the verdicts must be the same. The state is what tierup.h calls it.</summary>
    private static readonly (string Name, Setting Setting, string State)[] ways =
    [
        ("EventSource.IsSupported=false", signaled with { Properties = "System.Diagnostics.Tracing.EventSource.IsSupported=false" }, "Attached"),
        ("EnableDiagnostics=0", signaled with { Environment = "DOTNET_EnableDiagnostics=0" }, "Failed"),
        ("EnableDiagnostics_IPC=0", signaled with { Environment = "DOTNET_EnableDiagnostics_IPC=0" }, "Failed"),
        ("TierUp.Signals=Off", signaled with { Properties = "TierUp.Signals=\"Off\"" }, "Disabled"),
        ("TIERUP_SIGNALS=off", signaled with { Environment = "TIERUP_SIGNALS=off" }, "Disabled"),
        ("classic profiler and EventListener", signaled with { Environment = Classic, Arguments = "--listener" }, "Attached"),
        ("loaded at startup", signaled with { Environment = Startup }, "Attached"),
        ("TierUp not optimized", unoptimized, "Attached"),
    ];

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    public static IEnumerable<object[]> Ways => from runtime in Runtimes.All from way in ways select new object[] { runtime, way.Name };

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void signaled_process_gives_the_right_verdicts(string runtime)
    {
        Run run = Get(runtime, signaled);
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Assert.Equal(Right("1 30 30 Final"), Verdicts(run));
        Assert.Equal("Attached", run.Single("Signals", "capability").Text);
    }

    [SkippableTheory]
    [MemberData(nameof(Ways))]
    public void verdicts_are_the_same_line_by_line_whatever_wakes_the_waits(string runtime, string way)
    {
        (_, Setting setting, string state) = ways.Single(candidate => candidate.Name == way);
        Run run = Get(runtime, setting);
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Assert.Equal(Verdicts(Get(runtime, signaled)), Verdicts(run));
        Assert.Equal(state, run.Single("Signals", "capability").Text);
        Assert.Equal(way == "loaded at startup" ? "True" : "False", run.Single("SignalsLoadedAtStartup", "capability").Text);
        if (state != "Attached") Assert.NotEqual("", run.Single("SignalsReason", "capability").Text);
        if (state != "Attached") Assert.StartsWith("NotSupportedException: ", run.Single("stream", "ladder").Text);
        if (way == "loaded at startup") Assert.Equal(0, run.Single("calibration", "attach ns").Number);
        if (way.Contains("EventListener")) Assert.True(run.Single("listener", "loads").Number >= 3000, run.Single("listener", "loads").ToString());
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void without_a_delay_active_is_at_once_and_the_rest_the_same(string runtime)
    {
        Run run = Get(runtime, withoutDelay);
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Assert.Equal(Right("1 30 30 Final"), Verdicts(run));
        Assert.StartsWith("True ", run.Single("again", "completed").Text);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void without_tiering_everything_is_over_at_once(string runtime)
    {
        Run run = Get(runtime, withoutTiering);
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Assert.Equal("True", run.Single("verdict", "active, first of all").Text);
        Assert.Equal("True", run.Single("verdict", "idle, first of all").Text);
        Assert.Equal("True", run.Single("verdict", "count comes to 0").Text);
        Assert.Equal("1 Final", run.Single("verdict", "schedule").Text);
        Assert.Equal("True True", run.Single("again", "completed").Text);
        Assert.Equal(0, run.Single("burst", "listing").Number);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void nobody_waits_and_no_method_event_is_received_while_thousands_happen(string runtime)
    {
        Run run = Get(runtime, signaled);
        long begins = run.Single("silence", "begins").Begin, ends = run.Single("silence", "ends").Begin;
        Assert.Equal("none", run.Single("verdict", "nobody waits, no method events").Text);
        Assert.True(run.Trace.Loads.Count(load => load.At > begins && load.At < ends) >= 3000, "the trace knows fewer compilations");
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void waits_are_woken_by_the_workers_event_and_not_by_the_backstop(string runtime)
    {
        Run run = Get(runtime, withoutDelay);
        // Net of the time that the waiting thread stood ready to run on a busy machine. Without a wake-up a wait ends by the library's own look
        // after it began or after the one before, 10 ms apart (kBackstopNs of watch/backoff.h): half of all then take more than 5 ms.
        long[] late = [.. Late.After(run.Trace.Batches.Where(batch => !batch.Began).Select(batch => batch.At), run.Of("wake"))];
        output.WriteLine(Late.Describe(late));
        Assert.True(late.Length >= 30, $"only {late.Length} waits saw the worker's event");
        Assert.True(late[late.Length * 3 / 4] < 5_000_000, Late.Describe(late));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void stream_tells_a_methods_way_in_order(string runtime)
    {
        Run run = Get(runtime, signaled);
        Assert.Equal("right", run.Single("stream", "name").Text);
        Assert.Equal(0, run.Single("stream", "ladder").Number);
        // What the second promotion's target is, the runtime decides when it makes the version; the stream may not have seen that.
        string told = run.Single("stream", "ladder").Text.Replace("Queued:Unknown", "Queued:Tier1", StringComparison.Ordinal);
        Assert.Equal("JitStarted Published:Tier0 Queued:Tier0Instrumented JitStarted Published:Tier0Instrumented Activated:Tier0Instrumented Queued:Tier1 JitStarted Published:Tier1 Activated:Tier1", told);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void pending_list_is_what_the_worker_then_compiles_in_that_order(string runtime)
    {
        foreach (Setting setting in new[] { signaled, withoutDelay })
        {
            Run run = Get(runtime, setting);
            Line at = run.Single("burst", "listing");
            Line[] listed = [.. run.Of("burst").Where(line => line.Kind == "listed")];
            output.WriteLine($"{listed.Length} listed: " + string.Join(", ", listed.GroupBy(line => line.At).Select(group => $"{group.Count()} {group.Key}")));
            Assert.DoesNotContain(listed, line => line.Handle == 0 && line.At != "Compiling");
            // All, and what else was pending; without a delay the worker was at work on them meanwhile.
            Assert.True(listed.Length >= run.Single("burst", "still held").Number, $"{listed.Length} listed, pending are {run.Single("burst", "still held").Number} at least");
            Assert.NotEmpty(listed);
            long[] methods = [.. listed.Select(line => line.Handle).Where(method => method != 0)];
            Assert.Equal(methods.Length, methods.Distinct().Count());
            List<(long At, long Method)> started = [];
            foreach (long method in methods)
            {
                (long At, int, long) start = run.Trace.JitStarts.FirstOrDefault(start => start.Method == method && start.At > at.Begin && start.Thread != at.Handle);
                // What was being compiled when the list was taken may have begun before.
                if (start.At == 0 && method == methods[0]) continue;
                Assert.True(start.At != 0, $"{method:x} was listed and never compiled");
                started.Add((start.At, method));
            }
            string[] early = [.. started.Zip(started.Skip(1)).Where(pair => pair.Second.At < pair.First.At).Select(pair => $"{Told(run, listed, pair.Second.Method, at)} began before {Told(run, listed, pair.First.Method, at)}")];
            Assert.True(early.Length == 0, string.Join('\n', early));
        }
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void manager_is_where_an_own_search_finds_it(string runtime)
    {
        Run run = Get(runtime, signaled);
        Line own = run.Single("calibration", "own search"), theirs = run.Single("calibration", "manager address");
        Assert.NotEqual(0, own.Number);
        Assert.Equal(own.Number, theirs.Number);
        Assert.Contains("pending list", theirs.Text);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void manager_is_found_without_a_delay_without_quick_jit_and_without_optimization(string runtime)
    {
        // Where the list's pointer lies in the AppDomain was seen on these four; an own search needs a delay (RUNTIME_FACTS.md, "Tiering manager neighbours").
        long offset = Runtimes.Major(runtime) switch { 8 => 0xed8, 9 => 0xc08, 10 => 0x758, _ => 0x750 };
        Setting[] settings =
        [
            withoutDelay, withoutQuickJit, unoptimized,
        ];
        foreach (Setting setting in settings)
        {
            Run run = Get(runtime, setting);
            Line found = run.Single("calibration", "manager address");
            output.WriteLine($"{setting}: found by {found.Text}");
            Assert.True(run.Single("calibration", "queue view").Number == 1, $"{setting}: {run.Single("calibration", "queue view")}");
            Assert.True(found.Number - run.Single("calibration", "app domain").Number == offset, $"{setting}: at {found.Number - run.Single("calibration", "app domain").Number:x}");
            Assert.True(run.Single("calibration", "batch known").Number == 1, $"{setting}: batch unknown");
        }
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void two_more_copies_of_tierup_in_one_process_work_beside_it(string runtime)
    {
        Run run = Run.Get(runtime, new("contexts"));
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Assert.DoesNotContain(run.Lines, line => line.At == "wrong");
        foreach (string user in new[] { "own", "second", "third" }) Assert.StartsWith("Attached True", run.Single(user, "signals").Text);
    }

    private static Run Get(string runtime, Setting setting) => Run.Get(runtime, setting, [signaled, withoutDelay, withoutTiering, withoutQuickJit, .. ways.Select(way => way.Setting)]);

    private static string Told(Run run, Line[] listed, long method, Line at)
    {
        Line line = listed.First(line => line.Handle == method);
        return $"{line.Number} {line.At} {line.Text} ({string.Join(", ", run.Trace.Ladder(method).Select(load => $"{load.Tier} {load.Name} {(load.At - at.Begin) / 1000} us thread {load.Thread}"))};"
            + $" begun {string.Join(", ", run.Trace.JitStarts.Where(start => start.Method == method).Select(start => $"{(start.At - at.Begin) / 1000} us"))})";
    }

    private static string Verdicts(Run run) => string.Join('\n', run.Of("verdict").Select(line => $"{line.At}: {line.Text}"));

    /// <summary>What each must be follows from what it says; the schedule from the runtime's threshold.</summary>
    private static string Right(string schedule) => string.Join(
        '\n',
        "active, first of all: True",
        "idle, first of all: True",
        "count comes to 0: True",
        "held methods count when active: all",
        "held methods count when active, awaited: all",
        "burst is promoted when idle: all",
        "burst is promoted when idle, awaited: all",
        "time-out of zero: right",
        "cancelled: right",
        "cancelled before: cancelled",
        "schedule: " + schedule,
        "nobody waits, no method events: none",
        "list is empty when idle: True");
}
