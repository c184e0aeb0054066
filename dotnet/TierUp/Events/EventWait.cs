// What     The source behind WaitToReadAsync: waits until a stream has an event or was closed.
// What not Takes no event out.
// Threads  See WaitCore. One wait at a time.
// Failure  OperationCanceledException; the unforeseen as InvalidOperationException.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Waiting;

namespace TierUp.Events;

internal sealed class EventWait : YesNoWait
{
    private readonly TieringEventStream _stream;
    private CancellationToken _firstToken;
    private CancellationToken _secondToken;
    private int _vainRounds;

    [MethodImpl(Code.Untiered)]
    internal EventWait(TieringEventStream stream)
    {
        _stream = stream;
    }

    [MethodImpl(Code.Untiered)]
    internal ValueTask<bool> Begin(CancellationToken firstToken, CancellationToken secondToken)
    {
        if (IsPending)
        {
            throw new InvalidOperationException("The wait before this one has not ended yet. A stream has one reader; await it first.");
        }

        _firstToken = firstToken;
        _secondToken = secondToken;
        if (IsStopRequested(out CancellationToken token))
        {
            return ValueTask.FromCanceled<bool>(token);
        }

        _vainRounds = 0;
        return Start(firstToken, secondToken);
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Resume()
    {
        if (End == NativeStatus.Cancelled)
        {
            Fail(new OperationCanceledException(CancelledBy));
            return true;
        }

        return GoOn();
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool IsStopRequested(out CancellationToken token)
    {
        token = _firstToken.IsCancellationRequested ? _firstToken : _secondToken;
        return token.IsCancellationRequested;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Advance()
    {
        while (true)
        {
            Answer = _stream.HasEvent(out bool isClosed);
            if (Answer || isClosed)
            {
                return true;
            }

            if (++_vainRounds > PromotionStep.MaxDisagreements)
            {
                Fail(Errors.Unexpected("wait for events", NativeStatus.Unknown));
                return true;
            }

            if (BeginRound((nint)_stream.Number, NativeCondition.UntilEvents, 0, out NativeStatus status, out _))
            {
                return false;
            }

            // Absent: it was closed just now, which the next look finds.
            if (status != NativeStatus.Ok && status != NativeStatus.Absent)
            {
                Fail(Errors.Unexpected("wait for events", status));
                return true;
            }
        }
    }
}
