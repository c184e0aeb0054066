// What     Hears the report lines of benchmarks among everything that BenchmarkDotNet logs: a logger, the one channel that all toolchains share.
// What not Prints nothing.
// Why      Untiered: in process it hears every line of every iteration, and would be promoted in the middle of them.
// Threads  BenchmarkDotNet logs from one thread at a time, and from a reader of the child's output; a lock.
// Failure  A line that can't be read is no report.
// Source   BenchmarkDotNet 0.15.8: Broker (lines of a child), InProcessHost.WriteLine.

using System.Collections.Generic;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using TierUp.BenchmarkDotNet.Stage;

namespace TierUp.BenchmarkDotNet.Reports;

internal sealed class ReportListener : ILogger
{
    private readonly object _gate = new object();
    private readonly ConditionalWeakTable<BenchmarkCase, List<WarmupReport>> _reports = new ConditionalWeakTable<BenchmarkCase, List<WarmupReport>>();

    private ReportListener()
    {
    }

    internal static ReportListener Instance { get; } = new ReportListener();

    public string Id => nameof(ReportListener);

    public int Priority => 0;

    /// <summary>Gets or sets the benchmark that runs now.</summary>
    internal BenchmarkCase? Current { [MethodImpl(Untiered.Code)] get; set; }

    /// <summary>The reports of a benchmark, one per launch, in order.</summary>
    internal IReadOnlyList<WarmupReport> Of(BenchmarkCase benchmarkCase)
    {
        lock (_gate)
        {
            return _reports.TryGetValue(benchmarkCase, out List<WarmupReport>? found) ? found.ToArray() : [];
        }
    }

    [MethodImpl(Untiered.Code)]
    public void WriteLine(LogKind logKind, string text)
    {
        if (Current is { } benchmarkCase && ReportLine.IsOne(text) && ReportLine.TryRead(text, out WarmupReport? report))
        {
            lock (_gate)
            {
                _reports.GetOrCreateValue(benchmarkCase).Add(report);
            }
        }
    }

    [MethodImpl(Untiered.Code)]
    public void Write(LogKind logKind, string text)
    {
    }

    [MethodImpl(Untiered.Code)]
    public void WriteLine()
    {
    }

    public void Flush()
    {
    }
}
