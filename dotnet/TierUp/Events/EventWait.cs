// What     The source behind WaitToReadAsync: waits until a stream has an event or was closed.
// What not Takes no event out.
// Threads  See WaitCore. One wait at a time.
// Failure  OperationCanceledException; the unforeseen as InvalidOperationException.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Waiting;

namespace TierUp.Events;

internal sealed class EventWait : WaitCore, IValueTaskSource<bool>
{
    private readonly TieringEventStream _stream;
    private CancellationToken _firstToken;
    private CancellationToken _secondToken;
    private Exception? _error;
    private int _vainRounds;
    private bool _hasEvent;
    private bool _isPending;

    [MethodImpl(Code.Untiered)]
    internal EventWait(TieringEventStream stream)
    {
        _stream = stream;
    }

    [MethodImpl(Code.Untiered)]
    internal ValueTask<bool> Begin(CancellationToken firstToken, CancellationToken secondToken)
    {
        if (_isPending)
        {
            throw new InvalidOperationException("The wait before this one has not ended yet. A stream has one reader; await it first.");
        }

        _firstToken = firstToken;
        _secondToken = secondToken;
        if (IsStopRequested(out CancellationToken token))
        {
            return ValueTask.FromCanceled<bool>(token);
        }

        Reset();
        _error = null;
        _vainRounds = 0;
        if (Advance())
        {
            return _error is null ? new ValueTask<bool>(_hasEvent) : ValueTask.FromException<bool>(_error);
        }

        _isPending = true;
        RegisterTokens(firstToken, secondToken);
        FinishStart();
        return new ValueTask<bool>(this, CurrentVersion);
    }

    [MethodImpl(Code.Untiered)]
    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token)
    {
        RequireVersion(token);
        if (!HasEnded)
        {
            return ValueTaskSourceStatus.Pending;
        }

        return _error is null ? ValueTaskSourceStatus.Succeeded
            : _error is OperationCanceledException ? ValueTaskSourceStatus.Canceled : ValueTaskSourceStatus.Faulted;
    }

    [MethodImpl(Code.Untiered)]
    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        SetContinuation(continuation, state, token, flags);
    }

    [MethodImpl(Code.Untiered)]
    bool IValueTaskSource<bool>.GetResult(short token)
    {
        RequireVersion(token);
        RequireEnd();
        ReleaseTokens();
        bool hasEvent = _hasEvent;
        Exception? error = _error;
        Reset();
        _isPending = false;
        if (error is not null)
        {
            throw error;
        }

        return hasEvent;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Resume()
    {
        if (End == NativeStatus.Cancelled)
        {
            Fail(new OperationCanceledException(CancelledBy));
            return true;
        }

        try
        {
            if (Advance())
            {
                return true;
            }
        }
        catch (Exception error) when (error is InvalidOperationException or OutOfMemoryException)
        {
            // On a pool thread an exception would end the process; the reader gets it instead.
            Fail(error);
            return true;
        }

        FinishStart();
        return false;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool IsStopRequested(out CancellationToken token)
    {
        token = _firstToken.IsCancellationRequested ? _firstToken : _secondToken;
        return token.IsCancellationRequested;
    }

    /// <summary>True: the result is in the fields. False: a round is pending.</summary>
    [MethodImpl(Code.Untiered)]
    private bool Advance()
    {
        while (true)
        {
            _hasEvent = _stream.HasEvent(out bool isClosed);
            if (_hasEvent || isClosed)
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

    [MethodImpl(Code.Untiered)]
    private void Fail(Exception error)
    {
        _error = error;
        _hasEvent = false;
    }
}
