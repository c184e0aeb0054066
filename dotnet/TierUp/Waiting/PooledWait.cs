// What     The source behind the ValueTask waits, for one method and for the process, when they do not end at once.
// What not Polls nothing before the native wait ends. A process-wide wait that the native library can't decide goes on on a thread of its own.
// Threads  See WaitCore. Used again only after GetResult.
// Failure  OperationCanceledException, TieringStateUnknownException from GetResult.

using System;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed unsafe class PooledWait : WaitCore, IValueTaskSource
{
    private RuntimeMethodHandle _handle;
    private object? _owner;
    private MethodTarget _target;
    private CancellationToken _token;
    private NativeCondition _condition;
    private Exception? _error;

    [MethodImpl(Code.Untiered)]
    internal PooledWait()
    {
    }

    /// <summary>Begins to wait for a registered method. Keeps <paramref name="handle"/> and <paramref name="owner"/> alive until GetResult.</summary>
    [MethodImpl(Code.Untiered)]
    internal static ValueTask Begin(in MethodTarget target, RuntimeMethodHandle handle, object? owner, CancellationToken token)
    {
        PooledWait wait = WaitPool.Rent();
        wait._handle = handle;
        wait._owner = owner;
        wait._target = target;
        wait._token = token;
        wait._condition = NativeCondition.UntilFinalOrCounting;
        if (wait.BeginRound(target.Address, NativeCondition.UntilFinalOrCounting, SpinNanoseconds, out NativeStatus status, out NativeAnswer answer))
        {
            wait.RegisterTokens(token, default);
            wait.FinishStart();
            return new ValueTask(wait, wait.CurrentVersion);
        }

        wait.Recycle();
        switch (status)
        {
            case NativeStatus.Ok: return default;
            case NativeStatus.Unknown: return ValueTask.FromException(Errors.Undecided(answer.Reason, target.FindMethod(handle)));
            default: return ValueTask.FromException(Errors.Unexpected("begin a wait", status));
        }
    }

    /// <summary>Begins a process-wide wait, in the native library where it can tell.</summary>
    [MethodImpl(Code.Untiered)]
    internal static ValueTask BeginProcessWide(NativeCondition condition, bool isKnown, CancellationToken token)
    {
        PooledWait wait = WaitPool.Rent();
        wait._token = token;
        wait._condition = condition;
        if (isKnown)
        {
            if (wait.BeginRound(0, condition, SpinNanoseconds, out NativeStatus status, out _))
            {
                wait.RegisterTokens(token, default);
                wait.FinishStart();
                return new ValueTask(wait, wait.CurrentVersion);
            }

            if (status == NativeStatus.Ok)
            {
                wait.Recycle();
                return default;
            }
        }

        wait.BeginThreadRound(condition);
        wait.RegisterTokens(token, default);
        wait.FinishStart();
        return new ValueTask(wait, wait.CurrentVersion);
    }

    /// <summary>A wait for nothing that ends at once, on a pool thread: FirstUse.</summary>
    [MethodImpl(Code.Untiered)]
    internal static void RunOnceWithoutMethod()
    {
        PooledWait wait = new PooledWait();
        using CancellationTokenSource source = new CancellationTokenSource();
        wait.RegisterTokens(source.Token, default);
        wait.ReleaseTokens();
        WaitCore taken = WaitContext.Take(WaitContext.Create(wait));
        wait.SetContinuation(new Action<object?>(EndOfRunOnce), wait, wait.CurrentVersion, ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
        wait.FinishStart();
        taken.EndRound(NativeStatus.Ok);
    }

    [MethodImpl(Code.Untiered)]
    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token)
    {
        RequireVersion(token);
        if (!HasEnded)
        {
            return ValueTaskSourceStatus.Pending;
        }

        return End == NativeStatus.Ok ? ValueTaskSourceStatus.Succeeded
            : End == NativeStatus.Cancelled ? ValueTaskSourceStatus.Canceled : ValueTaskSourceStatus.Faulted;
    }

    [MethodImpl(Code.Untiered)]
    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        SetContinuation(continuation, state, token, flags);
    }

    [MethodImpl(Code.Untiered)]
    void IValueTaskSource.GetResult(short token)
    {
        RequireVersion(token);
        RequireEnd();
        ReleaseTokens();
        NativeStatus end = End;
        CancellationToken cancelledBy = CancelledBy;
        if (end == NativeStatus.Ok)
        {
            Recycle();
            return;
        }

        Exception error = end == NativeStatus.Cancelled ? new OperationCanceledException(cancelledBy)
            : _error ?? RoundError ?? Errors.Undecided(UndecidedReason.Of(_target), _target.FindMethod(_handle));
        Recycle();
        throw error;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool Resume()
    {
        if (End != NativeStatus.Unknown || HasThreadRound || _condition == NativeCondition.UntilFinalOrCounting)
        {
            return true;
        }

        // The native library lost sight of the queue while we waited: go on without it.
        try
        {
            BeginThreadRound(_condition);
        }
        catch (Exception error) when (error is OutOfMemoryException or ThreadStartException)
        {
            // On a pool thread an exception would end the process; the awaiter gets it instead.
            _error = error;
            return true;
        }

        FinishStart();
        return false;
    }

    [MethodImpl(Code.Untiered)]
    private protected override bool IsStopRequested(out CancellationToken token)
    {
        token = _token;
        return token.IsCancellationRequested;
    }

    [MethodImpl(Code.Untiered)]
    private static void EndOfRunOnce(object? state)
    {
        PooledWait wait = Unsafe.As<PooledWait>(state!);
        ((IValueTaskSource)wait).GetResult(wait.CurrentVersion);
    }

    [MethodImpl(Code.Untiered)]
    private void Recycle()
    {
        _handle = default;
        _owner = null;
        _target = default;
        _token = default;
        _error = null;
        Reset();
        WaitPool.Return(this);
    }
}
