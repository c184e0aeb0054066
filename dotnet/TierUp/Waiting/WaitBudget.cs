// What     A caller's TimeSpan as the nanoseconds the native library takes, and the time left of it.
// Threads  Immutable.
// Failure  ArgumentOutOfRangeException for negative spans but Timeout.InfiniteTimeSpan.

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Waiting;

internal readonly struct WaitBudget
{
    /// <summary>"No limit" of tierup_wait_block (UINT64_MAX).</summary>
    internal const ulong NoLimit = ulong.MaxValue;

    private const ulong NanosecondsPerTick = 100;

    private readonly ulong _nanoseconds;
    private readonly long _start;

    [MethodImpl(Code.Untiered)]
    internal WaitBudget(TimeSpan timeout, string parameterName)
    {
        _start = Stopwatch.GetTimestamp();
        _nanoseconds = NoLimit;
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return;
        }

        if (timeout < TimeSpan.Zero)
        {
            throw new ArgumentOutOfRangeException(parameterName, timeout, "A time-out is zero, positive, or Timeout.InfiniteTimeSpan.");
        }

        // TimeSpan.MaxValue is 9.2e20 ns, more than 64 bits hold; 584 years are no limit.
        ulong ticks = (ulong)timeout.Ticks;
        if (ticks <= (NoLimit - 1) / NanosecondsPerTick)
        {
            _nanoseconds = ticks * NanosecondsPerTick;
        }
    }

    [MethodImpl(Code.Untiered)]
    private WaitBudget(ulong nanoseconds)
    {
        _start = Stopwatch.GetTimestamp();
        _nanoseconds = nanoseconds;
    }

    /// <summary>A budget that begins now: the lesser of both.</summary>
    [MethodImpl(Code.Untiered)]
    internal static WaitBudget AtMost(ulong nanoseconds, ulong bound)
    {
        return new WaitBudget(nanoseconds < bound ? nanoseconds : bound);
    }

    /// <summary>Nanoseconds left now.</summary>
    [MethodImpl(Code.Untiered)]
    internal ulong Left()
    {
        if (_nanoseconds == NoLimit)
        {
            return NoLimit;
        }

        ulong elapsed = (ulong)Stopwatch.GetElapsedTime(_start).Ticks * NanosecondsPerTick;
        return elapsed >= _nanoseconds ? 0 : _nanoseconds - elapsed;
    }
}
