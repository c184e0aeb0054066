// What     Tens of thousands of compilations on four threads: the streams tell as many as the runtime itself counts (System.Runtime.JitInfo).
using System.Collections.Generic;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.Matrix.Tests;

public sealed class FloodTests(ITestOutputHelper output)
{
    private const int Compilations = 50_000;

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    private static Run Get(string runtime) => Run.Get(runtime, new("flood") { Arguments = $"--methods {Compilations}", Traced = false, BoundSeconds = 120 });

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void unbounded_stream_tells_every_compilation_that_the_runtime_counts(string runtime)
    {
        Run run = Get(runtime);
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        long compiled = run.Single("", "compiled").Number;
        Assert.True(compiled >= Compilations, $"{compiled} compilations");
        Assert.Equal(compiled, run.Single("unbounded", "published").Number);
        Assert.Equal(0, run.Single("unbounded", "holes").Number);
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void bounded_stream_tells_as_many_with_its_gaps_and_numbers_them_without_holes(string runtime)
    {
        Run run = Get(runtime);
        long last = run.Single("bounded", "last number").Number, told = run.Single("bounded", "records").Number, inGaps = run.Single("bounded", "in gaps").Number;
        output.WriteLine($"{told} records, {inGaps} events in gaps, last number {last}");
        Assert.Equal(0, run.Single("bounded", "holes").Number);
        // It was read slowly, so there were gaps; and both streams were given the same events.
        Assert.True(inGaps > 0, "no gaps");
        Assert.Equal(run.Single("unbounded", "last number").Number, last);
        Assert.True(run.Single("bounded", "published").Number + inGaps >= run.Single("", "compiled").Number, "fewer than compiled");
    }
}
