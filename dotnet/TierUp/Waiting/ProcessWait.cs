// What     The process-wide waits: for the end of the call-counting delay, and for the end of pending compilations.
// What not Nothing of single methods.
// Threads  [any]; Block sleeps on the calling thread, in the native library.
// Failure  TieringStateUnknownException where this process can't be watched at all; false when the time ran out or the round was taken back.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Signals;

namespace TierUp.Waiting;

internal static class ProcessWait
{
    /// <summary>How often a wait that is settling looks whether all is known meanwhile: rarely enough to cost nothing, often enough not to be felt.</summary>
    private const ulong SettlingSliceNanoseconds = 5_000_000;

    [MethodImpl(Code.Untiered)]
    internal static ValueTask Begin(NativeCondition condition, CancellationToken token)
    {
        bool isOver = IsOver(condition);
        if (token.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(token);
        }

        if (isOver)
        {
            return default;
        }

        FirstUse.OfWaiting();
        return PooledWait.BeginProcessWide(condition, Calibration.Advance() == CalibrationPhase.Known, token);
    }

    [MethodImpl(Code.Untiered)]
    internal static bool Block(NativeCondition condition, TimeSpan timeout)
    {
        WaitBudget budget = new WaitBudget(timeout, nameof(timeout));
        return IsOver(condition) || Block(condition, budget, null);
    }

    [MethodImpl(Code.Untiered)]
    internal static bool Block(NativeCondition condition, in WaitBudget budget, ThreadRound? round)
    {
        while (round is null || !round.IsOver)
        {
            int phase = Calibration.Advance();
            // Out of probes, the library's own wait is left: it ends at the latest when the runtime's background worker does, 4 s after its last work.
            if (phase == CalibrationPhase.Stuck && PromotionBarrier.TryTake(out FreshProbe[] probes))
            {
                return PromotionBarrier.Pass(probes, budget, round);
            }

            ulong left = budget.Left();
            switch (BlockNatively(condition, phase, left, round is not null))
            {
                case NativeStatus.Ok:
                    return true;
                case NativeStatus.Unknown when phase == CalibrationPhase.Known && PromotionBarrier.TryTake(out FreshProbe[] late):
                    return PromotionBarrier.Pass(late, budget, round);
                case NativeStatus.Unknown:
                    Thread.Sleep(1);
                    break;
                case NativeStatus.TimedOut:
                    break;
                case NativeStatus.Unsupported:
                    throw Errors.ProcessUndecided();
                case NativeStatus other:
                    throw Errors.Unexpected("wait", other);
            }

            if (budget.Left() == 0)
            {
                return false;
            }
        }

        return false;
    }

    /// <summary>Where nothing is ever promoted, or no delay ever begins, there is nothing to wait for.</summary>
    [MethodImpl(Code.Untiered)]
    private static bool IsOver(NativeCondition condition)
    {
        return !ProcessTiering.IsOn() || (condition == NativeCondition.UntilTieringActive && !ProcessTiering.HasDelay());
    }

    [MethodImpl(Code.Untiered)]
    private static NativeStatus BlockNatively(NativeCondition condition, int phase, ulong left, bool isTakenBackAtTimes)
    {
        ulong slice = phase == CalibrationPhase.Settling ? SettlingSliceNanoseconds
            : isTakenBackAtTimes ? ThreadRound.SliceNanoseconds : WaitBudget.NoLimit;
        slice = left < slice ? left : slice;
        ulong spin = slice < WaitCore.SpinNanoseconds ? slice : WaitCore.SpinNanoseconds;
        return NativeFunctions.BlockOnWait(0, condition, spin, slice, out _);
    }
}
