// What     An awaiter's continuation that wants its execution context or its scheduling context (synchronization context, task scheduler).
// What not The plain case: WaitCore runs that itself.
// Threads  Schedule: a pool thread.

using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Waiting;

internal sealed class ScheduledContinuation
{
    private readonly Action<object?> _continuation;
    private readonly object? _state;
    private readonly object? _schedulingContext;
    private readonly ExecutionContext? _executionContext;

    [MethodImpl(Code.Untiered)]
    internal ScheduledContinuation(Action<object?> continuation, object? state, object? schedulingContext, ExecutionContext? executionContext)
    {
        _continuation = continuation;
        _state = state;
        _schedulingContext = schedulingContext;
        _executionContext = executionContext;
    }

    [MethodImpl(Code.Untiered)]
    internal void Schedule()
    {
        if (_executionContext is null)
        {
            ScheduleHere(null);
        }
        else
        {
            ExecutionContext.Run(_executionContext, new ContextCallback(ScheduleHere), null);
        }
    }

    [MethodImpl(Code.Untiered)]
    private void ScheduleHere(object? unused)
    {
        if (_schedulingContext is SynchronizationContext context)
        {
            context.Post(new SendOrPostCallback(Run), null);
        }
        else if (_schedulingContext is TaskScheduler scheduler)
        {
            Task.Factory.StartNew(new Action<object?>(Run), null, CancellationToken.None, TaskCreationOptions.DenyChildAttach, scheduler);
        }
        else
        {
            Run(null);
        }
    }

    [MethodImpl(Code.Untiered)]
    private void Run(object? unused)
    {
        _continuation(_state);
    }
}
