// What     Cancellation, time-outs, under- and over-invoking, many callers and enumerators: a clear result each, no hang.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class WaitTests
{
    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    /// <summary>3E8 is 1,000 ms, observed as 2 s after the last first call: long enough that a wait begun in it is pending.</summary>
    internal static Setting LongDelay { get; } = new("waits") { Environment = "DOTNET_TC_CallCountingDelayMs=3E8" };

    private static Run Waits(string runtime) => Run.Get(runtime, LongDelay);

    private static Run Threads(string runtime) => Run.Get(runtime, new("threads"));

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void cancelled_wait_ends_with_the_callers_token_and_harms_nothing(string runtime)
    {
        Run run = Waits(runtime);
        foreach (string at in new[] { "pending wait", "cancelled before", "enumeration by argument", "enumeration by WithCancellation" })
        {
            Assert.Equal("cancelled by the token", run.Single("cancelled", at).Text);
        }
        foreach (string row in new[] { "cancelled", "cancelled enumeration", "cancelled enumeration with" }) Assert.Equal("True", run.Single(row, "ready").Text);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void timed_out_wait_says_so_and_not_before_its_time(string runtime)
    {
        Run run = Waits(runtime);
        Assert.Equal("False", run.Single("timed out", "ready, 5 ms").Text);
        Assert.True(run.Single("timed out", "ready, 5 ms").Number >= 5_000);
        Assert.Equal("False", run.Single("timed out", "ready, zero").Text);
        Assert.StartsWith("TimeoutException: ", run.Single("timed out", "schedule").Text);
        Assert.Equal("True", run.Single("timed out", "ready, generous").Text);
        Assert.Equal("False", run.Single("timed out", "final, 60 ms").Text);
        Assert.True(run.Single("timed out", "final, 60 ms").Number >= 60_000);
        Assert.Equal("Counting", run.Single("timed out", "timed out").Reason);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void under_invoking_yields_what_is_left(string runtime)
    {
        Run run = Waits(runtime);
        // Made: 1, 0, 10, 0, 5, 14, 1, 30. What is left follows from the threshold, 30.
        Assert.Equal("1 30 30 20 20 15 1 30", run.StepsOf("under-invoked"));
        Assert.Equal("True", run.Single("under-invoked", "ended").Text);
        Assert.Empty(Rules.Check(run, "under-invoked", Exempt.OtherCallers));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void over_invoking_ends_final(string runtime)
    {
        Run run = Waits(runtime);
        Assert.Equal("Final", run.Of("over-invoked").Last(line => line.At == "ended").Status);
        Assert.Empty(Rules.Check(run, "over-invoked", Exempt.OtherCallers));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void concurrent_callers_and_enumerators_all_end_final(string runtime)
    {
        Run run = Threads(runtime);
        foreach (string row in new[] { "two callers", "two enumerators", "two async enumerators" })
        {
            Assert.Equal("ended", run.Single(row, "steps").Text);
            Assert.Equal("T0 T0i T1", run.LadderOf(row));
            Assert.Equal("Final", run.Of(row).Last(line => line.At == "ended").Status);
            Assert.Empty(Rules.Check(run, row, Exempt.OtherCallers));
        }
    }
}
