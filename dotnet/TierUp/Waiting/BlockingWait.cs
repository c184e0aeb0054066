// What     The blocking waits: for a benchmark engine or a test that has a thread to spend.
// What not Uses no thread pool and no task.
// Threads  [any]; the calling thread sleeps in the native library, so Thread.Interrupt does not wake it.
// Failure  False when the time ran out; TieringStateUnknownException where the state can't be decided.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal static class BlockingWait
{
    private const int MaxPauseMilliseconds = 16;
    private const ulong NanosecondsPerMillisecond = 1_000_000;

    [MethodImpl(Code.Untiered)]
    internal static bool Until(NativeCondition condition, RuntimeMethodHandle handle, MethodBase? known, object? owner, TimeSpan timeout)
    {
        WaitBudget budget = new WaitBudget(timeout, nameof(timeout));
        MethodTarget target = MethodTarget.Open(handle, known);
        bool holds = Until(condition, target, handle, budget, out _);
        KeepAlive.Handle(handle);
        GC.KeepAlive(owner);
        return holds;
    }

    /// <summary>As above, for a target that is known already; <paramref name="answer"/> is the last state seen.</summary>
    [MethodImpl(Code.Untiered)]
    internal static bool Until(
        NativeCondition condition, in MethodTarget target, RuntimeMethodHandle handle, in WaitBudget budget, out NativeAnswer answer)
    {
        answer = ImminentSpin.While(target, target.Poll());
        if (Holds(condition, answer, target))
        {
            return true;
        }

        if (answer.IsUndecided)
        {
            throw Errors.Undecided(answer.Reason, target.FindMethod(handle));
        }

        if (!target.IsRegistered)
        {
            return PollUntil(condition, target, handle, budget, out answer);
        }

        ulong left = budget.Left();
        NativeStatus status = NativeFunctions.BlockOnWait(
            target.Address, condition, left < WaitCore.SpinNanoseconds ? left : WaitCore.SpinNanoseconds, left, out answer);
        switch (status)
        {
            case NativeStatus.Ok: return true;
            case NativeStatus.TimedOut: return false;
            case NativeStatus.Unknown: throw Errors.Undecided(answer.Reason, target.FindMethod(handle));
            default: throw Errors.Unexpected("wait", status);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static bool Holds(NativeCondition condition, NativeAnswer answer, in MethodTarget target)
    {
        return condition == NativeCondition.UntilFinal
            ? answer.Compilation == NativeAnswer.Final
            : PromotionStep.Of(answer, target.IsClassConstructor, out _) < PromotionStep.Wait;
    }

    /// <summary>
    /// Collectible and dynamic methods can't be watched by the dispatcher, because their memory may go away. They have one step, cold to final,
    /// which their first call makes: looking again after a growing pause is enough.
    /// </summary>
    [MethodImpl(Code.Untiered)]
    private static bool PollUntil(
        NativeCondition condition, in MethodTarget target, RuntimeMethodHandle handle, in WaitBudget budget, out NativeAnswer answer)
    {
        int pause = 1;
        while (true)
        {
            answer = target.Poll();
            if (Holds(condition, answer, target))
            {
                return true;
            }

            if (answer.IsUndecided)
            {
                throw Errors.Undecided(answer.Reason, target.FindMethod(handle));
            }

            ulong left = budget.Left();
            if (left == 0)
            {
                return false;
            }

            ulong leftMilliseconds = (left / NanosecondsPerMillisecond) + 1;
            Thread.Sleep(leftMilliseconds < (ulong)pause ? (int)leftMilliseconds : pause);
            pause = pause < MaxPauseMilliseconds ? pause * 2 : pause;
        }
    }
}
