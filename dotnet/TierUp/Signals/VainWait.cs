// What     A native wait that nobody awaits: while it is pending, the library has events on and votes on what they show.
// What not Its end means nothing.
// Threads  Begin and GiveUp: one thread. The end arrives on a pool thread, as every wait's.

using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Native;
using TierUp.Waiting;

namespace TierUp.Signals;

internal sealed class VainWait : WaitCore
{
    private bool _isPending;

    [MethodImpl(Code.Untiered)]
    internal VainWait()
    {
    }

    [MethodImpl(Code.Untiered)]
    internal void Begin()
    {
        _isPending = BeginRound(0, NativeCondition.UntilNoPending, 0, out _, out _);
        if (_isPending)
        {
            FinishStart();
        }
    }

    [MethodImpl(Code.Untiered)]
    internal void GiveUp()
    {
        if (_isPending)
        {
            TryCancelRound(default);
        }
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Resume()
    {
        return true;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool IsStopRequested(out CancellationToken token)
    {
        token = default;
        return false;
    }
}
