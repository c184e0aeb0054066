// What     Long benchmarks: CASES.md, case 3 in a third of its time per call; what the verdict says, what a budget cuts, and that the verdict changes nothing.
using System;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace TierUp.BenchmarkDotNet.Tests;

public sealed class LongTests
{
    private const string Runtime = "10.0.15";

    private static readonly Ask stock = new(SubjectRun.Emit, "stock", "LongKinds") { Arguments = "iterations=20" };
    private static readonly Ask verdict = stock with { Modes = "verdict" };

    [SkippableFact]
    public void verdict_on_a_long_benchmark_with_one_warmup_is_that_no_iteration_reached_tier_1()
    {
        SubjectRun run = SubjectRun.Get(Runtime, verdict);
        Measured one = run.Single("verdict", "Takes100Milliseconds");
        Assert.Equal(20, one.Iterations.Count);
        Assert.All(one.Iterations, span => Assert.DoesNotContain("T1", one.TiersBefore(span)));
        Assert.Contains("no iteration reached tier 1", run.Output, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The same stages with the same numbers of operations, in the same order.</summary>
    [SkippableFact]
    public void verdict_changes_nothing_in_the_run() =>
        Assert.Equal(Stages(SubjectRun.Get(Runtime, stock).Output), Stages(SubjectRun.Get(Runtime, verdict).Output));

    [SkippableFact]
    public void driven_all_twenty_iterations_of_a_long_benchmark_are_at_tier_1()
    {
        SubjectRun run = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "warm", "ShortLongKinds") { Arguments = "iterations=20 budget=20000" });
        Measured one = run.Single("warm", "Takes20Milliseconds");
        Assert.Equal(20, one.Iterations.Count);
        Assert.True(one.Unfinished == 0, one.ToString());
        Assert.All(one.Iterations, span => Assert.Equal(["T1"], one.TiersAt(span.Begin, "Spin")));
    }

    [SkippableFact]
    public void a_budget_that_is_too_short_ends_the_stage_and_the_summary_says_so()
    {
        SubjectRun run = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "warm", "LongKinds") { Arguments = "budget=500" });
        Measured one = run.Single("warm", "Takes100Milliseconds");
        Assert.Equal(3, one.Iterations.Count);
        var row = Assert.Single(Spoken.Table(run.Markdown));
        Assert.Contains("(budget)", row["Tier"]);
        // No call takes less than 100 ms, so five are the most that begin within 500 ms, however busy the machine is.
        Assert.InRange(int.Parse(Regex.Match(row["Warmup calls"], "[0-9]+").Value), 1, 5);
        Assert.Contains(run.Output.Split('\n'), line => line.Contains("of at most 500 ms") && line.Contains("Takes100Milliseconds"));
    }

    private static string[] Stages(string output) =>
        [.. Regex.Matches(output, "^(Overhead|Workload)(Jitting|Pilot|Warmup|Actual) +[0-9]+: [0-9]+ op", RegexOptions.Multiline).Select(match => match.Value)];
}
