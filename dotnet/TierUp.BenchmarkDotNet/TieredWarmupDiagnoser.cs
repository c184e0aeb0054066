// What     The diagnoser: metrics for exporters, and the analyser with the warning lines.
// What not No columns: AddTieredWarmup adds them, for they are text. No watching: the engine does that, in the benchmark's process.
// Threads  BenchmarkDotNet's.
// Source   BenchmarkDotNet 0.15.8, IDiagnoser.

using System.Collections.Generic;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;
using TierUp.BenchmarkDotNet.Reports;

namespace TierUp.BenchmarkDotNet;

/// <summary>Puts what the warm-up stage did, and what was compiled while iterations were measured, into the summary and the exporters. AddTieredWarmup and [TieredWarmup] add it.</summary>
public sealed class TieredWarmupDiagnoser : IDiagnoser
{
    private static readonly WarmupMetric callsMetric = new WarmupMetric("TierUp.WarmupCalls", "Warmup calls", "Calls of the benchmark by the warm-up stage");
    private static readonly WarmupMetric timeMetric = new WarmupMetric("TierUp.WarmupTime", "Warmup time", "Time that the warm-up stage took", "ms");
    private static readonly WarmupMetric compiledMetric = new WarmupMetric("TierUp.JitInMeasurement", "JIT in measurement", "Methods compiled while actual iterations ran");
    private static readonly WarmupMetric unfinishedMetric = new WarmupMetric("TierUp.UnfinishedIterations", "Unfinished iterations", "Actual iterations that ran before the code was finished");

    /// <inheritdoc/>
    public IEnumerable<string> Ids => ["TieredWarmup"];

    /// <inheritdoc/>
    public IEnumerable<IExporter> Exporters => [];

    /// <inheritdoc/>
    public IEnumerable<IAnalyser> Analysers { get; } = [new WarmupAnalyser()];

    /// <inheritdoc/>
    public RunMode GetRunMode(BenchmarkCase benchmarkCase)
    {
        return RunMode.NoOverhead;
    }

    /// <inheritdoc/>
    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
    }

    /// <inheritdoc/>
    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        System.ArgumentNullException.ThrowIfNull(results);
        IReadOnlyList<WarmupReport> reports = ReportListener.Instance.Of(results.BenchmarkCase);
        if (reports.Count == 0)
        {
            yield break;
        }

        WarmupReport last = reports[^1];
        yield return new Metric(new WarmupMetric("TierUp.Tier", "Tier", "1 if the code was final when the first actual iteration began; the unit names its tier", TierText.Of(last)), last.IsFinal ? 1 : 0);
        yield return new Metric(callsMetric, last.Calls);
        yield return new Metric(timeMetric, last.AddedMilliseconds);
        yield return new Metric(compiledMetric, last.CompiledInMeasurement);
        yield return new Metric(unfinishedMetric, last.UnfinishedIterations);
    }

    /// <inheritdoc/>
    public void DisplayResults(ILogger logger)
    {
    }

    /// <inheritdoc/>
    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters)
    {
        return [];
    }
}
