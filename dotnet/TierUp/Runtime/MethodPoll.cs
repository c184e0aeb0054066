// What     The poll: one native call for a registered method.
// What not Allocates, locks and calls nothing of the framework on that path but RuntimeMethodHandle.Value.
// Threads  [any]
// Failure  ArgumentException, TieringStateUnknownException, the exceptions of a failed start.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static class MethodPoll
{
    [MethodImpl(Code.Untiered)]
    internal static NativeAnswer Answer(RuntimeMethodHandle handle, MethodBase? known)
    {
        nint poll = NativeFunctions.Poll;
        if (poll != 0)
        {
            NativeAnswer answer = NativeFunctions.PollMethod(poll, handle.Value);
            if (answer.IsComplete)
            {
                return answer;
            }
        }

        return AnswerSlowly(handle, known);
    }

    [MethodImpl(Code.Untiered)]
    internal static MethodCompilationStatus Status(RuntimeMethodHandle handle, MethodBase? known)
    {
        return (MethodCompilationStatus)Answer(handle, known).Compilation;
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    private static NativeAnswer AnswerSlowly(RuntimeMethodHandle handle, MethodBase? known)
    {
        MethodTarget target = MethodTarget.Open(handle, known);
        NativeAnswer answer = target.Poll();
        KeepAlive.Handle(handle);
        if (answer.IsUndecided)
        {
            throw Errors.Undecided(answer.Reason, target.FindMethod(handle));
        }

        return answer;
    }
}
