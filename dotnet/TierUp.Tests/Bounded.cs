// What     A bound for awaits that a broken library would leave pending for ever: generous, so that only a hang meets it.

using System;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Tests;

internal static class Bounded
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    /// <summary>A token that is cancelled when the bound is met.</summary>
    internal static CancellationToken Token()
    {
        return new CancellationTokenSource(s_limit).Token;
    }

    internal static Task Await(ValueTask task)
    {
        return task.AsTask().WaitAsync(s_limit);
    }

    internal static Task<bool> Await(ValueTask<bool> task)
    {
        return task.AsTask().WaitAsync(s_limit);
    }
}
