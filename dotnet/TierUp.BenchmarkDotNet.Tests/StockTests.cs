// What     The oracle itself: BenchmarkDotNet alone measures unfinished code, and the runtime's events show it. Were this not seen, no test here would prove anything.
using System.Collections.Generic;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.BenchmarkDotNet.Tests;

public sealed class StockTests(ITestOutputHelper output)
{
    /// <summary>One row of each in-process toolchain; a child process of its own per benchmark can but be worse.</summary>
    public static IEnumerable<object[]> Rows => [[SubjectRun.Emit, "8.0.34"], [SubjectRun.NoEmit, "10.0.15"]];

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void stock_benchmarkdotnet_measures_unfinished_code_and_the_oracle_sees_it(string toolchain, string runtime)
    {
        (SubjectRun run, string job) = Scope.Stock(toolchain, runtime);
        foreach (Measured one in run.Of(job)) output.WriteLine(one.ToString());
        Assert.All(run.Of(job), one => Assert.Equal(3, one.Iterations.Count));
        Assert.Contains(run.Of(job), one => one.TiersBefore(one.Iterations[0]).Any(tier => !Measured.IsFinal(tier)));
    }

    /// <summary>One call of 20 ms is an iteration, so the thirtieth and the sixtieth counted call are two of the hundred, however busy the machine is.</summary>
    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void stock_benchmarkdotnet_measures_while_the_benchmark_is_compiled_and_the_oracle_sees_it(string toolchain, string runtime)
    {
        Measured one = SubjectRun.Get(runtime, new(toolchain, "stock", "ShortLongKinds") { Arguments = "iterations=100" }).Single("stock", "Takes20Milliseconds");
        output.WriteLine(one.ToString());
        Assert.Equal(100, one.Iterations.Count);
        Assert.True(one.OwnInIterations.Count > 0, one.ToString());
    }
}
