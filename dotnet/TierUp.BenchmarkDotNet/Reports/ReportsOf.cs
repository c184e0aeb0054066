// What     The reports of a benchmark case, from where they are: heard by the listener, or in the output that BenchmarkDotNet keeps of a child process.
// What not No parsing: ReportLine.
// Threads  BenchmarkDotNet's.

using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace TierUp.BenchmarkDotNet.Reports;

internal static class ReportsOf
{
    internal static IReadOnlyList<WarmupReport> Case(Summary summary, BenchmarkCase benchmarkCase)
    {
        IReadOnlyList<WarmupReport> heard = ReportListener.Instance.Of(benchmarkCase);
        return heard.Count > 0 || !summary.HasReport(benchmarkCase) ? heard : Report(summary[benchmarkCase]!);
    }

    internal static IReadOnlyList<WarmupReport> Report(BenchmarkReport report)
    {
        IReadOnlyList<WarmupReport> heard = ReportListener.Instance.Of(report.BenchmarkCase);
        if (heard.Count > 0)
        {
            return heard;
        }

        List<WarmupReport> found = new List<WarmupReport>();
        foreach (string line in report.ExecuteResults.SelectMany(result => result.PrefixedLines))
        {
            if (ReportLine.TryRead(line, out WarmupReport? one))
            {
                found.Add(one);
            }
        }

        return found;
    }
}
