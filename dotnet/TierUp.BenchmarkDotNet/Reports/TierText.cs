// What     The words of the Tier column: Tier1, Tier0 (budget), Tier0 → Tier1, MinOpt, inlined.
// What not No state: the report has it.
// Threads  [any]

namespace TierUp.BenchmarkDotNet.Reports;

internal static class TierText
{
    internal static string Of(WarmupReport report)
    {
        if (report.Mode == "blind" || report.Tier.Length == 0)
        {
            return "?";
        }

        string text = report.Tier == report.TierAtEnd || report.TierAtEnd.Length == 0 ? report.Tier : report.Tier + " → " + report.TierAtEnd;
        return report.IsExhausted ? text + " (budget)" : text;
    }
}
