// What     One round of a wait on a thread of its own: while the native library is getting to know the process, or where it never will.
// What not Not the usual way: once all is known, the native dispatcher ends the rounds.
// Threads  Run: its own background thread. TryEnd: that thread, or whoever cancels; the first one ends the round, the other one touches the owner no more.
// Failure  What the wait threw is kept for the owner's GetResult.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Waiting;

internal sealed class ThreadRound
{
    /// <summary>How long the thread sleeps before it looks whether the wait was taken back: a thread that nobody needs any more ends this late.</summary>
    internal const ulong SliceNanoseconds = 250_000_000;

    private const int StackBytes = 256 * 1024;

    private readonly WaitCore _owner;
    private readonly NativeCondition _condition;
    private int _isOver;

    [MethodImpl(Code.Untiered)]
    internal ThreadRound(WaitCore owner, NativeCondition condition)
    {
        _owner = owner;
        _condition = condition;
    }

    internal bool IsOver
    {
        [MethodImpl(Code.Untiered)]
        get { return Volatile.Read(ref _isOver) != 0; }
    }

    /// <summary>Gets what the wait threw, once the round has ended.</summary>
    internal Exception? Error { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

    [MethodImpl(Code.Untiered)]
    internal void Start()
    {
        Thread thread = new Thread(new ThreadStart(Run), StackBytes) { IsBackground = true, Name = "tierup wait" };
        thread.UnsafeStart();
    }

    /// <summary>True for exactly one caller, who ends the owner's round.</summary>
    [MethodImpl(Code.Untiered)]
    internal bool TryEnd()
    {
        // Race:     the wait ends on the thread while it is being cancelled.
        // Window:   from the end of the wait to this exchange.
        // Harmless: one of both wins the exchange; the other one does nothing more.
        // Test:     ProcessWaitTests.cancelling_a_wait_on_a_thread_ends_it_once
        return Interlocked.Exchange(ref _isOver, 1) == 0;
    }

    [MethodImpl(Code.Untiered)]
    private void Run()
    {
        try
        {
            ProcessWait.Block(_condition, WaitBudget.AtMost(WaitBudget.NoLimit, WaitBudget.NoLimit), this);
        }
        catch (Exception error) when (error is InvalidOperationException or ArgumentException or OutOfMemoryException)
        {
            // Here an exception would end the process; the awaiter gets it instead.
            Error = error;
        }

        if (TryEnd())
        {
            _owner.EndRound(Error is null ? NativeStatus.Ok : NativeStatus.Unknown);
        }
    }
}
