// What     A stream of tiering events, or none where the process has no signals.
// What not No reading.
// Threads  [any]
// Failure  Null: signals are off, or failed; callers count compiled methods instead.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal static class Streams
{
    [MethodImpl(Untiered.Code)]
    internal static TieringEventStream? TryOpen(TieringEventsOptions? options)
    {
        try
        {
            return TieringEventStream.Open(options);
        }
        catch (Exception e) when (e is NotSupportedException or InvalidOperationException)
        {
            return null;
        }
    }
}
