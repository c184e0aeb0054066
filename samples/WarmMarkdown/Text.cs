using System.Globalization;
using TierUp;

namespace WarmMarkdown;

/// <summary>Words and widths of the tables: everything fits 100 columns.</summary>
internal static class Text
{
    public static string Of(CompilationTier tier) => tier switch
    {
        CompilationTier.MinOpt => "min-opt",
        CompilationTier.Optimized => "optimized",
        CompilationTier.Tier0 => "tier 0",
        CompilationTier.Tier0Instrumented => "tier 0 instr",
        CompilationTier.ReadyToRun => "ahead of time",
        CompilationTier.Tier1Instrumented => "tier 1 instr",
        CompilationTier.Tier1 => "tier 1",
        CompilationTier.Tier1Osr => "OSR",
        _ => "–",
    };

    /// <summary>The order in which a method climbs; the runtime lists its newest version second.</summary>
    public static int Rank(CompilationTier tier) => tier switch
    {
        CompilationTier.ReadyToRun or CompilationTier.Tier0 => 0,
        CompilationTier.Tier1Osr => 1,
        CompilationTier.Tier0Instrumented or CompilationTier.Tier1Instrumented => 2,
        _ => 3,
    };

    public static string Of(MethodStateReason reason) => reason switch
    {
        MethodStateReason.NeverCalled => "cold",
        MethodStateReason.InDelay => "in delay",
        MethodStateReason.Counting or MethodStateReason.CountingAtNextCall or MethodStateReason.CountingInPrestub => "counting",
        MethodStateReason.ThresholdReached or MethodStateReason.PromotionPending => "queued",
        MethodStateReason.Activating => "activating",
        _ => "final",
    };

    public static string Milliseconds(TimeSpan time) => time.TotalMilliseconds.ToString("F1", CultureInfo.InvariantCulture) + " ms";

    public static string Plural(int count, string noun) => count == 1 ? $"1 {noun}" : $"{count} {noun}s";
}
