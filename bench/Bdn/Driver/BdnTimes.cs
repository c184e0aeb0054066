// What     How long each job's benchmarks ran, by BenchmarkDotNet's own events.
// What not Building is outside.
// Threads  BenchmarkDotNet runs one benchmark at a time.

using System.Collections.Generic;
using System.Diagnostics;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace TierUp.Bench.Bdn.Driver;

internal sealed class BdnTimes : EventProcessor
{
    private readonly Dictionary<string, double> _seconds = [];
    private long _began;

    public override void OnStartRunBenchmark(BenchmarkCase benchmarkCase)
    {
        _began = Stopwatch.GetTimestamp();
    }

    public override void OnEndRunBenchmark(BenchmarkCase benchmarkCase, BenchmarkReport report)
    {
        string job = benchmarkCase.Job.Id;
        _seconds[job] = Seconds(job) + Stopwatch.GetElapsedTime(_began).TotalSeconds;
    }

    internal double Seconds(string job) => _seconds.GetValueOrDefault(job);
}
