// What     One wake: when the caller was asleep, when the event was fired, when the caller ran again.
// What not A wait that had not been asleep for a while when the event came measures something else: not usable.

using System.Diagnostics;

namespace TierUp.Bench.Signals.Children;

internal readonly record struct Wake(long AsleepAt, long EventAt, long RanAt)
{
    /// <summary>A thread that just went to sleep is woken faster, or not at all.</summary>
    private static readonly long s_margin = Stopwatch.Frequency / 5000;

    internal bool IsUsable => AsleepAt != 0 && EventAt != 0 && EventAt - AsleepAt > s_margin && RanAt > EventAt;
}
