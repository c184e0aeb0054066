// What     The names of our public enums as text.
// What not Enum.ToString: it boxes, reflects and compiles generic framework code for our enum.
// Threads  [any]
// Failure  A value outside its enum gives its number.

using System.Globalization;
using System.Runtime.CompilerServices;

namespace TierUp;

internal static class TierNames
{
    [MethodImpl(Code.Untiered)]
    internal static string Of(MethodCompilationStatus status)
    {
        switch (status)
        {
            case MethodCompilationStatus.Cold: return nameof(MethodCompilationStatus.Cold);
            case MethodCompilationStatus.Optimizing: return nameof(MethodCompilationStatus.Optimizing);
            case MethodCompilationStatus.Final: return nameof(MethodCompilationStatus.Final);
            default: return Number((int)status);
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static string Of(CompilationTier tier)
    {
        switch (tier)
        {
            case CompilationTier.Unknown: return nameof(CompilationTier.Unknown);
            case CompilationTier.MinOpt: return nameof(CompilationTier.MinOpt);
            case CompilationTier.Optimized: return nameof(CompilationTier.Optimized);
            case CompilationTier.Tier0: return nameof(CompilationTier.Tier0);
            case CompilationTier.Tier0Instrumented: return nameof(CompilationTier.Tier0Instrumented);
            case CompilationTier.ReadyToRun: return nameof(CompilationTier.ReadyToRun);
            case CompilationTier.Tier1Instrumented: return nameof(CompilationTier.Tier1Instrumented);
            case CompilationTier.Tier1: return nameof(CompilationTier.Tier1);
            case CompilationTier.Tier1Osr: return nameof(CompilationTier.Tier1Osr);
            default: return Number((int)tier);
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static string Of(SignalsState state)
    {
        switch (state)
        {
            case SignalsState.None: return "not needed yet";
            case SignalsState.Attaching: return "attaching";
            case SignalsState.Attached: return "attached";
            case SignalsState.Failed: return "failed";
            case SignalsState.Disabled: return "off";
            case SignalsState.Unavailable: return "unavailable";
            default: return Number((int)state);
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static string Of(PendingCompilationState state)
    {
        switch (state)
        {
            case PendingCompilationState.ThresholdReached: return nameof(PendingCompilationState.ThresholdReached);
            case PendingCompilationState.Queued: return nameof(PendingCompilationState.Queued);
            case PendingCompilationState.Compiling: return nameof(PendingCompilationState.Compiling);
            default: return Number((int)state);
        }
    }

    [MethodImpl(Code.Untiered)]
    internal static string Of(TieringEventKind kind)
    {
        switch (kind)
        {
            case TieringEventKind.Queued: return nameof(TieringEventKind.Queued);
            case TieringEventKind.JitStarted: return nameof(TieringEventKind.JitStarted);
            case TieringEventKind.Published: return nameof(TieringEventKind.Published);
            case TieringEventKind.Activated: return nameof(TieringEventKind.Activated);
            case TieringEventKind.Discarded: return nameof(TieringEventKind.Discarded);
            case TieringEventKind.DelayBegan: return nameof(TieringEventKind.DelayBegan);
            case TieringEventKind.DelayEnded: return nameof(TieringEventKind.DelayEnded);
            case TieringEventKind.BatchBegan: return nameof(TieringEventKind.BatchBegan);
            case TieringEventKind.BatchEnded: return nameof(TieringEventKind.BatchEnded);
            case TieringEventKind.Gap: return nameof(TieringEventKind.Gap);
            default: return Number((int)kind);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static string Number(int value)
    {
        return value.ToString(CultureInfo.InvariantCulture);
    }
}
