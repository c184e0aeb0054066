// What     Milliseconds between two readings of Stopwatch.
// Why      Stopwatch.GetElapsedTime and TimeSpan.TotalMilliseconds are precompiled code that the runtime counts and promotes as any other.
// Threads  [any]

using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal static class Clock
{
    [MethodImpl(Untiered.Code)]
    internal static double MillisecondsSince(long timestamp)
    {
        return (Stopwatch.GetTimestamp() - timestamp) * 1000.0 / Stopwatch.Frequency;
    }
}
