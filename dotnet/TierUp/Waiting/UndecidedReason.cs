// What     Why a state that the dispatcher found undecidable is so, asked once more for the message.
// Failure  A state that became decidable meanwhile changed while it was read: MemoryChanged.

using System;
using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal static class UndecidedReason
{
    [MethodImpl(Code.Untiered)]
    internal static MethodStateReason Of(in MethodTarget target)
    {
        NativeAnswer answer = target.Poll();
        return answer.IsUndecided ? answer.Reason : MethodStateReason.MemoryChanged;
    }
}
