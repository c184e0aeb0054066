// What     The columns Tier, Warmup calls, Warmup time and JIT in measurement.
// What not No thinking: what they say is in the reports.
// Threads  BenchmarkDotNet's.

using System.Globalization;
using BenchmarkDotNet.Columns;

namespace TierUp.BenchmarkDotNet.Reports;

internal static class WarmupColumns
{
    internal static IColumnProvider Provider { get; } = new SimpleColumnProvider(
        new WarmupColumn("Tier", -40, false, "Tier of the benchmark method's code when the first actual iteration began; an arrow if it changed meanwhile", TierText.Of),
        new WarmupColumn("Warmup calls", -39, true, "Calls of the benchmark by the warm-up stage", CallsText),
        new WarmupColumn("Warmup time", -38, true, "Time between the global set-up and BenchmarkDotNet's own first call", TimeText),
        new WarmupColumn("JIT in measurement", -37, true, "Methods compiled while actual iterations ran: the benchmark's own + those of the runtime's libraries and of BenchmarkDotNet; one number where names can't be had", CompiledText));

    private static string CallsText(WarmupReport report)
    {
        return IsStage(report) ? report.Calls.ToString(CultureInfo.InvariantCulture) : "-";
    }

    private static string TimeText(WarmupReport report)
    {
        return IsStage(report) ? report.AddedMilliseconds.ToString("0.0", CultureInfo.InvariantCulture) + " ms" : "-";
    }

    private static string CompiledText(WarmupReport report)
    {
        int own = report.OwnInMeasurement, others = report.CompiledInMeasurement - own;
        return report.CompiledInMeasurement < 0 ? "?"
            : report.CompiledInMeasurement > 0 && others == 0 && report.Names.Count == 0 ? report.CompiledInMeasurement.ToString(CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{own} + {others}");
    }

    private static bool IsStage(WarmupReport report)
    {
        return report.Mode == "stage";
    }
}
