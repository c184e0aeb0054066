// What     Case 2: schedules that begin anywhere in a method's life, uneven rates, OSR callee, the proposal's own spelling.
// Source   CASES.md case 2.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class StartTests
{
    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    private static Run Get(string runtime) => Run.Get(runtime, new("starts"));

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void method_in_the_delay_is_asked_for_full_phases(string runtime) => Check(Get(runtime), "in delay", "30 30");

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void method_that_counts_is_asked_for_the_rest(string runtime) => Check(Get(runtime), "counting", "20 30");

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void method_at_tier_1_is_asked_for_nothing_and_nothing_blocks(string runtime)
    {
        Run run = Get(runtime);
        Check(run, "at tier 1", "1 30 30");
        Line again = run.Single("at tier 1", "again");
        Assert.Equal("True True True 0", again.Text);
        Assert.InRange(again.Number, 0, 1_000_000);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void osr_caller_and_callee_are_driven_to_tier_1(string runtime)
    {
        Run run = Get(runtime);
        Check(run, "osr caller", "30 30");
        Assert.Contains(run.Trace.Of(run.Of("osr callee").Last(line => line.IsAnswer).Method), load => load.Tier == "OSR");
        Assert.Equal("T0 T0i T1", run.LadderOf("osr callee"));
        Assert.Empty(Rules.Check(run, "osr callee", Exempt.OtherCallers));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void uneven_call_rates_both_end_final(string runtime)
    {
        Run run = Get(runtime);
        Check(run, "seldom", "1 30 30");
        Assert.Empty(Rules.Check(run, "often", Exempt.OtherCallers));
        Assert.Equal("Final", run.Of("often").Last(line => line.At == "ended").Status);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void proposals_own_await_foreach_drives_to_final(string runtime)
    {
        Run run = Get(runtime);
        Check(run, "proposal", "1 30 30");
        Assert.Equal("True", run.Single("proposal", "cold wait completed").Text);
        Assert.Equal("Final", run.Single("proposal", "status").Text);
        Assert.Equal("True", run.Single("proposal", "optimized").Text);
        Assert.Equal("0", run.Single("proposal", "remaining").Text);
        // The wait after each step returns at the next counting phase or at the end, never before.
        Assert.Equal(["Counting", "Counting", "Tier1"], run.Of("proposal").Where(line => line.At == "waited").Select(line => line.Reason));
    }

    private static void Check(Run run, string row, string steps)
    {
        Assert.Equal(steps, run.StepsOf(row));
        Assert.Equal("T0 T0i T1", run.LadderOf(row));
        Assert.Equal("Final", run.Of(row).Last(line => line.At == "ended").Status);
        Assert.Empty(Rules.Check(run, row));
    }
}
