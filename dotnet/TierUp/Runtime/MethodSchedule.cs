// What     Opens the call schedules.
// What not Does not walk them.
// Threads  [any]
// Failure  ArgumentException at once; the rest when a schedule is walked.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Waiting;

namespace TierUp.Runtime;

internal static class MethodSchedule
{
    [MethodImpl(Code.Untiered)]
    internal static IAsyncEnumerable<int> OpenAsync(RuntimeMethodHandle handle, MethodBase? known, object? owner, CancellationToken token)
    {
        return new TierPromotionSequence(MethodTarget.Open(handle, known), handle, owner, token);
    }

    [MethodImpl(Code.Untiered)]
    internal static IEnumerable<int> OpenBlocking(RuntimeMethodHandle handle, MethodBase? known, object? owner, TimeSpan timeoutPerStep)
    {
        // Checked here, so that the call itself throws and not the first step.
        _ = new WaitBudget(timeoutPerStep, nameof(timeoutPerStep));
        return new TierPromotionBlockingSequence(MethodTarget.Open(handle, known), handle, owner, timeoutPerStep);
    }
}
