// What     The warning lines of a summary: benchmarks measured on unfinished code, a stage that ran out of its budget, a process that can't be seen.
// What not Judges no times.
// Threads  BenchmarkDotNet's.

using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Reports;

namespace TierUp.BenchmarkDotNet.Reports;

internal sealed class WarmupAnalyser : AnalyserBase
{
    private const int NamesShown = 4;

    public override string Id => "TieredWarmup";

    protected override IEnumerable<Conclusion> AnalyseReport(BenchmarkReport report, Summary summary)
    {
        foreach (WarmupReport one in ReportsOf.Report(report))
        {
            foreach (string line in Lines(one))
            {
                yield return CreateWarning(line, report, mergeable: true);
            }
        }
    }

    internal static IEnumerable<string> Lines(WarmupReport report)
    {
        if (report.Mode == "blind")
        {
            yield return $"Not watched, run as without the package: {report.Note}";
            yield break;
        }

        if (report.IsExhausted)
        {
            string effort = string.Create(CultureInfo.InvariantCulture, $"{report.Calls} calls and {report.ElapsedMilliseconds:0} ms of at most {report.BudgetMilliseconds:0} ms");
            yield return $"The warm-up stage gave up after {effort}; the benchmark was measured in {report.Tier}. {report.Reason}".TrimEnd();
        }

        if (!report.IsFinalAtEnd && report.Iterations > 0)
        {
            yield return $"No iteration reached tier 1: all {report.Iterations} actual iterations ran unfinished code ({report.Tier}). {report.Reason}";
        }
        else if (!report.IsFinal && report.UnfinishedIterations > 0)
        {
            yield return $"{report.UnfinishedIterations} of {report.Iterations} actual iterations ran before the code was finished ({report.Tier} → {report.TierAtEnd}).";
        }

        int own = report.OwnInMeasurement;
        if (own > 0 && report.Names.Count > 0)
        {
            string[] names = report.Names.Take(own).Distinct().ToArray();
            string more = names.Length > NamesShown ? ", …" : "";
            yield return $"{own} compilations of the benchmark's own methods ended while actual iterations ran: {string.Join(", ", names.Take(NamesShown))}{more}.";
        }
    }
}
