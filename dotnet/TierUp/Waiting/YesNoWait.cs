// What     A wait that ends with yes, no or an exception, as a ValueTask<bool> that can be used again and again: one at a time.
// What not Does not know what is waited for (Advance).
// Threads  See WaitCore for who does what.
// Failure  What Fail was given, from the awaiting expression.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;

namespace TierUp.Waiting;

internal abstract class YesNoWait : WaitCore, IValueTaskSource<bool>
{
    private Exception? _error;

    [MethodImpl(Code.Untiered)]
    private protected YesNoWait()
    {
    }

    /// <summary>Gets or sets the answer; read where Advance returned true.</summary>
    private protected bool Answer { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] set; }

    private protected bool IsPending { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] private set; }

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
        bool answer = Answer;
        Exception? error = _error;
        Reset();
        IsPending = false;
        if (error is not null)
        {
            throw error;
        }

        return answer;
    }

    /// <summary>True: the answer is there, or Fail was called. False: a round is pending.</summary>
    private protected abstract bool Advance();

    [MethodImpl(Code.Untiered)]
    private protected virtual void Fail(Exception error)
    {
        _error = error;
        Answer = false;
    }

    [MethodImpl(Code.Untiered)]
    private protected ValueTask<bool> Start(CancellationToken firstToken, CancellationToken secondToken)
    {
        Reset();
        _error = null;
        if (Advance())
        {
            return _error is null ? new ValueTask<bool>(Answer) : ValueTask.FromException<bool>(_error);
        }

        IsPending = true;
        RegisterTokens(firstToken, secondToken);
        FinishStart();
        return new ValueTask<bool>(this, CurrentVersion);
    }

    /// <summary>What Resume does where the round has ended and the wait may go on.</summary>
    [MethodImpl(Code.Untiered)]
    private protected bool GoOn()
    {
        try
        {
            if (Advance())
            {
                return true;
            }
        }
        catch (Exception error) when (error is InvalidOperationException or ArgumentException or OutOfMemoryException)
        {
            // On a pool thread an exception would end the process; who awaits gets it instead.
            Fail(error);
            return true;
        }

        FinishStart();
        return false;
    }
}
