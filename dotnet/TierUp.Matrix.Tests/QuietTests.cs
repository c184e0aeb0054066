// What     Own code never tiers, and in a quiet process a second use compiles nothing and fires no Pause.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class QuietTests
{
    private static readonly string[] scenarios = ["kinds", "knobs", "rhythm", "starts", "waits", "threads", "errors", "quiet"];

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    public static IEnumerable<object[]> EachScenario => from runtime in Runtimes.All from scenario in scenarios select new object[] { runtime, scenario };

    [SkippableTheory]
    [MemberData(nameof(EachScenario))]
    public void no_method_of_tierup_is_ever_promoted(string runtime, string scenario)
    {
        Run run = Run.Get(runtime, scenario switch
        {
            "knobs" => Knobs.Named("defaults").Setting,
            "waits" => WaitTests.LongDelay,
            _ => new(scenario),
        });
        Assert.True(run.Trace.Knows("TierUp.dll"), "the trace does not know TierUp.dll");
        Load[] own = [.. run.Trace.OfModule("TierUp.dll")];
        Assert.NotEmpty(own);
        // .NET 8 calls AggressiveOptimization code T1; that it is compiled only once is the proof there. Marshalling stubs are Opt everywhere.
        string once = Runtimes.Major(runtime) == 8 ? "T1" : "Opt";
        string[] wrong = [.. own.Where(load => load.Tier != once && load.Tier != "Opt").Select(load => load.ToString())];
        string[] twice = [.. own.GroupBy(load => load.Method).Where(group => group.Count() > 1).Select(group => string.Join(", ", group))];
        Assert.True(wrong.Length == 0 && twice.Length == 0, string.Join('\n', wrong.Concat(twice)));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void no_generic_code_over_tierups_types_is_ever_promoted(string runtime)
    {
        string[] wrong =
        [
            .. Run.Get(runtime, new("kinds")).Trace.Loads
                .Where(load => load.Namespace.Contains("[TierUp.", System.StringComparison.Ordinal) && !load.Namespace.Contains("[TierUp.Matrix", System.StringComparison.Ordinal))
                .Where(load => load.Tier is not "Opt").Select(load => load.ToString()),
        ];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void second_poll_wait_and_enumeration_compile_nothing_and_pause_nothing(string runtime)
    {
        Run run = Run.Get(runtime, new("quiet"));
        Line[] spans = [.. run.Lines.Where(line => line.Kind == "span" && line.At != "rehearsal")];
        Assert.Equal(2, spans.Length);
        foreach (Line span in spans)
        {
            // The pool's own threads keep looking up precompiled code for the first time; only what the playing thread does is ours.
            // The native dispatcher runs no managed code, and no thread compiles anything.
            int thread = (int)span.Number;
            string compiled = string.Join('\n', run.Trace.JitStarts.Where(start => start.At >= span.Begin && start.At <= span.End)
                .Select(start => $"{start.At} thread {start.Thread}: {run.Trace.Of(start.Method).Select(load => load.ToString()).FirstOrDefault() ?? "a method that was never loaded"}"));
            Assert.True(compiled.Length == 0, $"compiled in the span \"{span.At}\" of thread {thread}:\n{compiled}");
            Assert.DoesNotContain(run.Trace.Loads, load => load.At >= span.Begin && load.At <= span.End && load.Thread == thread);
            Assert.DoesNotContain(run.Trace.Pauses, at => at.At >= span.Begin && at.At <= span.End && at.Thread == thread);
        }
    }
}
