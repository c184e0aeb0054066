// What     WaitForFinalCompilationOrCallCountingReadyAsync: checks, the case that needs no waiting, and else a PooledWait.
// Threads  [any]
// Failure  ArgumentException is thrown at once; cancellation and undecidable states are in the task.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal static class AsyncWait
{
    [MethodImpl(Code.Untiered)]
    internal static ValueTask Begin(RuntimeMethodHandle handle, MethodBase? known, object? owner, CancellationToken token)
    {
        MethodTarget target = MethodTarget.Open(handle, known);
        if (token.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(token);
        }

        if (!target.HasTiering)
        {
            return default;
        }

        FirstUse.OfWaiting();
        NativeAnswer answer = ImminentSpin.While(target, target.Poll());
        if (PromotionStep.Of(answer, target.IsClassConstructor, out _) < PromotionStep.Wait)
        {
            KeepAlive.Handle(handle);
            return default;
        }

        if (answer.IsUndecided || !target.IsRegistered)
        {
            MethodStateReason reason = answer.IsUndecided ? answer.Reason : MethodStateReason.MemoryChanged;
            return ValueTask.FromException(Errors.Undecided(reason, target.FindMethod(handle)));
        }

        return PooledWait.Begin(target, handle, owner, token);
    }
}
