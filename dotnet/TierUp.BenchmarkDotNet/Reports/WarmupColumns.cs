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
        new WarmupColumn("Warmup time", -38, true, "Time that the warm-up stage took", TimeText),
        new WarmupColumn("JIT in measurement", -37, true, "Methods compiled while actual iterations ran, whoever called them", CompiledText));

    private static string CallsText(WarmupReport report)
    {
        return IsStage(report) ? report.Calls.ToString(CultureInfo.InvariantCulture) : "-";
    }

    private static string TimeText(WarmupReport report)
    {
        return IsStage(report) ? report.ElapsedMilliseconds.ToString("0.0", CultureInfo.InvariantCulture) + " ms" : "-";
    }

    private static string CompiledText(WarmupReport report)
    {
        return report.CompiledInMeasurement < 0 ? "?" : report.CompiledInMeasurement.ToString(CultureInfo.InvariantCulture);
    }

    private static bool IsStage(WarmupReport report)
    {
        return report.Mode == "stage";
    }
}
