// What     A long benchmark: one warm-up and a few iterations of it never reach tier 1. The verdict says so; the stage drives it as far as its budget goes.
using System.Diagnostics;
using BenchmarkDotNet.Attributes;
using TierUp.BenchmarkDotNet;

namespace Benchmarks;

[TieredWarmup(VerdictOnly = true)]
[WarmupCount(1), IterationCount(20)]
public class SlowBenchmarks
{
    [Benchmark]
    public long Spin300Milliseconds()
    {
        long end = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * 3 / 10), turns = 0;
        while (Stopwatch.GetTimestamp() < end)
        {
            turns++;
        }

        return turns;
    }
}
