// What     Carries a config's options into its benchmarks: puts them into this process's environment while one runs, where child processes and in-process
//          engines both find them; and tells the listener whose lines it hears.
// What not Not the job's own options: BenchmarkDotNet puts those into the child's environment itself, over these.
// Threads  BenchmarkDotNet's own; it runs one benchmark at a time.
// Why      A mutator job can't carry them: it would replace the environment variables of the user's job. A diagnoser is used for the last launch only.
// Source   BenchmarkDotNet 0.15.8, BenchmarkRunnerClean.Run and Execute.

using System;
using System.Linq;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using TierUp.BenchmarkDotNet.Reports;

namespace TierUp.BenchmarkDotNet.Options;

internal sealed class OptionsCarrier : EventProcessor
{
    private readonly TieredWarmupOptions? _options;
    private string? _before;

    internal OptionsCarrier(TieredWarmupOptions? options)
    {
        _options = options;
    }

    public override void OnStartRunBenchmark(BenchmarkCase benchmarkCase)
    {
        if (!IsOf(benchmarkCase))
        {
            return;
        }

        ReportListener.Instance.Current = benchmarkCase;
        if (_options is not null)
        {
            _before = Environment.GetEnvironmentVariable(OptionsText.Variable);
            Environment.SetEnvironmentVariable(OptionsText.Variable, OptionsText.Write(_options));
        }
    }

    public override void OnEndRunBenchmark(BenchmarkCase benchmarkCase, BenchmarkReport report)
    {
        if (!IsOf(benchmarkCase))
        {
            return;
        }

        ReportListener.Instance.Current = null;
        if (_options is not null)
        {
            Environment.SetEnvironmentVariable(OptionsText.Variable, _before);
        }
    }

    // The processors of all configs of a run hear of all benchmarks.
    private bool IsOf(BenchmarkCase benchmarkCase)
    {
        return benchmarkCase.Config.GetEventProcessors().Contains(this);
    }
}
