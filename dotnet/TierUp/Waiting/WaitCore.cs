// What     One asynchronous wait at a time: begins native rounds, takes their end or their cancellation, runs the awaiter's continuation.
// What not Does not decide what a round's end means: the derived class does in Resume, on a pool thread.
// Threads  Starter: the thread that begins (MoveNextAsync, Wait…Async). Ender: the native dispatcher or the thread that cancels a token. Resumer: a
//          pool thread. Consumer: whoever calls GetResult. Continuations run on pool threads or the awaiter's context, never on the dispatcher.
// Failure  Outcomes are stored and thrown by GetResult; nothing is thrown on the dispatcher.
// Why      Not ManualResetValueTaskSourceCore: it is generic code of the framework which would be instantiated for us, counted and promoted.
// Invariant A round has two arrivals: the starter (wait id stored, tokens registered) and the ender. Only the second one queues the resumer, so
//          starter, ender and resumer of a round never overlap.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using TierUp.Native;

namespace TierUp.Waiting;

internal abstract unsafe class WaitCore : IThreadPoolWorkItem
{
    /// <summary>
    /// How long the native library may spin before a wait becomes asynchronous. Below a background compilation plus the switch of threads that
    /// sleeping would cost (a small method goes from cold to tier 1 in about 200 µs: RUNTIME facts, "Cost").
    /// </summary>
    internal const ulong SpinNanoseconds = 150_000;

    private static Action<object?, CancellationToken>? s_onTokenCancelled;

    // null: neither an awaiter nor an end. An Action<object?>: the awaiter waits. `this`: ended.
    private object? _continuation;
    private Action<object?>? _lateContinuation;
    private object? _continuationState;
    private object? _schedulingContext;
    private ExecutionContext? _executionContext;
    private CancellationTokenRegistration _firstRegistration;
    private CancellationTokenRegistration _secondRegistration;
    private WaitContext* _context;
    private ThreadRound? _threadRound;
    private ulong _wait;
    private int _arrivals;
    private short _version;

    [MethodImpl(Code.Untiered)]
    private protected WaitCore()
    {
    }

    private protected short CurrentVersion
    {
        [MethodImpl(Code.Untiered)]
        get { return _version; }
    }

    private protected bool HasEnded
    {
        [MethodImpl(Code.Untiered)]
        get { return Volatile.Read(ref _continuation) == this; }
    }

    /// <summary>Gets how the last round ended: Ok, Unknown or Cancelled.</summary>
    private protected NativeStatus End { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

    /// <summary>Gets what the thread of the last round failed with.</summary>
    private protected Exception? RoundError
    {
        [MethodImpl(Code.Untiered)]
        get { return _threadRound?.Error; }
    }

    private protected bool HasThreadRound
    {
        [MethodImpl(Code.Untiered)]
        get { return _threadRound is not null; }
    }

    /// <summary>Gets the token whose cancellation ended the round.</summary>
    private protected CancellationToken CancelledBy { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

    /// <summary>Called on a pool thread after a round ended. False: another round is under way.</summary>
    private protected abstract bool Resume();

    /// <summary>Whether the wait should be given up, and for which token.</summary>
    private protected abstract bool IsStopRequested(out CancellationToken token);

    /// <summary>Called once per round by the dispatcher, or by whoever took the wait back.</summary>
    [MethodImpl(Code.Untiered)]
    internal void EndRound(NativeStatus status)
    {
        End = status;
        Arrive();
    }

    /// <summary>True: the round is pending; register tokens, then call <see cref="FinishStart"/>. False: it ended at once with <paramref name="status"/>.</summary>
    [MethodImpl(Code.Untiered)]
    private protected bool BeginRound(
        nint method, NativeCondition condition, ulong spinNanoseconds, out NativeStatus status, out NativeAnswer answer)
    {
        _arrivals = 0;
        _context = WaitContext.Create(this);
        status = NativeFunctions.BeginWait(method, condition, spinNanoseconds, _context, out ulong wait, out answer);
        if (wait == 0)
        {
            WaitContext.Take(_context);
            return false;
        }

        // Release: a canceller that reads this id also reads _context and _arrivals of its round.
        Volatile.Write(ref _wait, wait);
        return true;
    }

    /// <summary>A round that a thread of its own waits for, instead of the native dispatcher. Register tokens (once), then call <see cref="FinishStart"/>.</summary>
    [MethodImpl(Code.Untiered)]
    private protected void BeginThreadRound(NativeCondition condition)
    {
        _arrivals = 0;
        ThreadRound round = new ThreadRound(this, condition);
        // Release: as the id of a native round. Where both are set, the native one has ended.
        Volatile.Write(ref _threadRound, round);
        round.Start();
    }

    [MethodImpl(Code.Untiered)]
    private protected void RegisterTokens(CancellationToken first, CancellationToken second)
    {
        Action<object?, CancellationToken> onCancelled = s_onTokenCancelled ??= new Action<object?, CancellationToken>(OnTokenCancelled);
        if (first.CanBeCanceled)
        {
            _firstRegistration = first.UnsafeRegister(onCancelled, this);
        }

        if (second.CanBeCanceled && second != first)
        {
            _secondRegistration = second.UnsafeRegister(onCancelled, this);
        }
    }

    /// <summary>The starter's arrival.</summary>
    [MethodImpl(Code.Untiered)]
    private protected void FinishStart()
    {
        // Race:     a token is cancelled while the resumer begins another round; its callback reads the id of the round before.
        // Window:   between the end of the old round and the store of the new id above.
        // Harmless: the canceller sets the token, then reads the id; we store the id, then read the token, with a full fence between. One sees the other.
        // Test:     WaitCoreTests.token_cancelled_between_two_rounds_ends_the_wait
        Interlocked.MemoryBarrier();
        if (IsStopRequested(out CancellationToken token))
        {
            TryCancelRound(token);
        }

        Arrive();
    }

    [MethodImpl(Code.Untiered)]
    private protected void TryCancelRound(CancellationToken token)
    {
        // Race:     the wait ends while it is being cancelled, or two tokens are cancelled at once.
        // Window:   from the native end of the wait to the return of tierup_wait_cancel.
        // Harmless: the library gives exactly one party the end: Ok here means that the callback never runs, all else that another one ends the round.
        // Test:     WaitCoreTests.cancellation_racing_with_completion_ends_each_wait_once
        ThreadRound? round = Volatile.Read(ref _threadRound);
        if (round is not null)
        {
            if (round.TryEnd())
            {
                CancelledBy = token;
                EndRound(NativeStatus.Cancelled);
            }

            return;
        }

        ulong wait = Volatile.Read(ref _wait);
        if (wait == 0 || NativeFunctions.CancelWait(wait) != NativeStatus.Ok)
        {
            return;
        }

        WaitContext.Take(_context);
        CancelledBy = token;
        EndRound(NativeStatus.Cancelled);
    }

    /// <summary>Ends the registrations; when it returns, no callback of theirs runs or will run, so the object may be used again.</summary>
    [MethodImpl(Code.Untiered)]
    private protected void ReleaseTokens()
    {
        _firstRegistration.Dispose();
        _secondRegistration.Dispose();
        _firstRegistration = default;
        _secondRegistration = default;
    }

    [MethodImpl(Code.Untiered)]
    private protected void Reset()
    {
        _version = unchecked((short)(_version + 1));
        _lateContinuation = null;
        _continuationState = null;
        _schedulingContext = null;
        _executionContext = null;
        _context = null;
        _threadRound = null;
        _wait = 0;
        CancelledBy = default;
        Volatile.Write(ref _continuation, null);
    }

    [MethodImpl(Code.Untiered)]
    private protected void RequireVersion(short token)
    {
        if (token != _version)
        {
            throw new InvalidOperationException("This wait was awaited already. A ValueTask can be awaited only once; use AsTask() to await it again.");
        }
    }

    [MethodImpl(Code.Untiered)]
    private protected void RequireEnd()
    {
        if (!HasEnded)
        {
            throw new InvalidOperationException("This wait has not ended yet. Await the ValueTask, or use AsTask() to block on it.");
        }
    }

    [MethodImpl(Code.Untiered)]
    private protected void SetContinuation(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        ArgumentNullException.ThrowIfNull(continuation);
        RequireVersion(token);
        if ((flags & ValueTaskSourceOnCompletedFlags.FlowExecutionContext) != 0)
        {
            _executionContext = ExecutionContext.Capture();
        }

        if ((flags & ValueTaskSourceOnCompletedFlags.UseSchedulingContext) != 0)
        {
            _schedulingContext = CaptureSchedulingContext();
        }

        _continuationState = state;

        // Race:     the awaiter registers while the resumer publishes the end.
        // Window:   between the awaiter's look at GetStatus and this exchange.
        // Harmless: both exchange the same field; whoever comes second sees the other's value, and runs the continuation.
        // Test:     WaitCoreTests.awaiter_that_registers_while_the_wait_ends_is_run_once
        object? previous = Interlocked.CompareExchange(ref _continuation, continuation, null);
        if (previous is null)
        {
            return;
        }

        if (previous != this)
        {
            throw new InvalidOperationException("This wait has an awaiter already. A ValueTask can be awaited only once; use AsTask() to await it again.");
        }

        _lateContinuation = continuation;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: true);
    }

    [MethodImpl(Code.Untiered)]
    void IThreadPoolWorkItem.Execute()
    {
        if (_lateContinuation is not null)
        {
            RunContinuation(_lateContinuation);
            return;
        }

        if (!Resume())
        {
            return;
        }

        // From here on a consumer may take the result and use the object again: touch it no more unless an awaiter was registered.
        object? awaiter = Interlocked.Exchange(ref _continuation, this);
        if (awaiter is not null)
        {
            RunContinuation(Unsafe.As<Action<object?>>(awaiter));
        }
    }

    [MethodImpl(Code.Untiered)]
    private static void OnTokenCancelled(object? state, CancellationToken token)
    {
        Unsafe.As<WaitCore>(state!).TryCancelRound(token);
    }

    [MethodImpl(Code.Untiered)]
    private static object? CaptureSchedulingContext()
    {
        SynchronizationContext? context = SynchronizationContext.Current;
        if (context is not null && context.GetType() != typeof(SynchronizationContext))
        {
            return context;
        }

        TaskScheduler scheduler = TaskScheduler.Current;
        return scheduler == TaskScheduler.Default ? null : scheduler;
    }

    [MethodImpl(Code.Untiered)]
    private void Arrive()
    {
        if (Interlocked.Increment(ref _arrivals) == 2)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    [MethodImpl(Code.Untiered)]
    private void RunContinuation(Action<object?> continuation)
    {
        if (_schedulingContext is null && _executionContext is null)
        {
            continuation(_continuationState);
            return;
        }

        new ScheduledContinuation(continuation, _continuationState, _schedulingContext, _executionContext).Schedule();
    }
}
