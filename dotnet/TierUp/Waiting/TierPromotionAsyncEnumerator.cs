// What     Walks a method's call schedule: waits until calls count, yields how many are left, and so on to the final tier.
// What not Calls nothing, and never waits for a promotion that was not called for.
// Threads  One consumer, as every enumerator; see WaitCore for who does what. DisposeAsync may come while a MoveNextAsync is pending: it is cancelled.
// Failure  OperationCanceledException and TieringStateUnknownException from MoveNextAsync; the schedule is over then.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed class TierPromotionAsyncEnumerator : YesNoWait, IAsyncEnumerator<int>
{
    private readonly RuntimeMethodHandle _handle;
    private readonly object? _owner;
    private readonly MethodTarget _target;
    private readonly CancellationToken _firstToken;
    private readonly CancellationToken _secondToken;
    private readonly bool _isClassConstructor;

    private int _disagreements;
    private bool _isOver;
    private volatile bool _isDisposed;

    [MethodImpl(Code.Untiered)]
    internal TierPromotionAsyncEnumerator(
        in MethodTarget target, RuntimeMethodHandle handle, object? owner, CancellationToken firstToken, CancellationToken secondToken)
    {
        _target = target;
        _handle = handle;
        _owner = owner;
        _firstToken = firstToken;
        _secondToken = secondToken;
        _isClassConstructor = target.IsClassConstructor;
    }

    /// <inheritdoc/>
    public int Current { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public ValueTask<bool> MoveNextAsync()
    {
        if (IsPending)
        {
            throw new InvalidOperationException("The MoveNextAsync before this one has not ended yet. Await it first.");
        }

        if (_isOver || _isDisposed)
        {
            return default;
        }

        if (IsStopRequested(out CancellationToken token))
        {
            _isOver = true;
            return ValueTask.FromCanceled<bool>(token);
        }

        if (_target.HasTiering)
        {
            FirstUse.OfWaiting();
        }

        _disagreements = 0;
        return Start(_firstToken, _secondToken);
    }

    /// <inheritdoc/>
    [MethodImpl(Code.Untiered)]
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        Interlocked.MemoryBarrier();
        if (IsPending)
        {
            TryCancelRound(default);
        }

        return default;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Resume()
    {
        switch (End)
        {
            case NativeStatus.Ok:
                break;
            case NativeStatus.Cancelled:
                Fail(new OperationCanceledException(CancelledBy));
                return true;
            default:
                Fail(Errors.Undecided(UndecidedReason.Of(_target), _target.FindMethod(_handle)));
                return true;
        }

        return GoOn();
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool IsStopRequested(out CancellationToken token)
    {
        token = _firstToken.IsCancellationRequested ? _firstToken : _secondToken;
        return token.IsCancellationRequested || _isDisposed;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Advance()
    {
        NativeAnswer answer = ImminentSpin.While(_target, _target.Poll());
        while (true)
        {
            switch (PromotionStep.Of(answer, _isClassConstructor, out int calls))
            {
                case PromotionStep.Yield:
                    Current = calls;
                    Answer = true;
                    return true;
                case PromotionStep.End:
                    Answer = false;
                    _isOver = true;
                    return true;
                case PromotionStep.Unknown:
                    Fail(Errors.Undecided(answer.Reason, _target.FindMethod(_handle)));
                    return true;
                default:
                    break;
            }

            if (!_target.IsRegistered || ++_disagreements > PromotionStep.MaxDisagreements)
            {
                Fail(Errors.Undecided(MethodStateReason.MemoryChanged, _target.FindMethod(_handle)));
                return true;
            }

            if (BeginRound(_target.Address, NativeCondition.UntilFinalOrCounting, SpinNanoseconds, out NativeStatus status, out answer))
            {
                return false;
            }

            if (status != NativeStatus.Ok && status != NativeStatus.Unknown)
            {
                Fail(Errors.Unexpected("begin a wait", status));
                return true;
            }
        }
    }

    [MethodImpl(Code.Untiered)]
    private protected override void Fail(Exception error)
    {
        base.Fail(error);
        _isOver = true;
    }
}
