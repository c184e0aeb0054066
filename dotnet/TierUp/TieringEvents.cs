// What     The tiering events of the process as an asynchronous sequence.
// What not The stream itself: TieringEventStream.
// Threads  [any]; an enumerator has one consumer.
// Failure  When the first element is asked for: see TieringEventStream.Open.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Events;

namespace TierUp;

/// <summary>The tiering events of the process: what is queued, compiled, published and activated, and when delays and batches begin and end.</summary>
public static class TieringEvents
{
    /// <summary>
    /// All tiering events from when the enumeration begins, in order and without loss, until it is cancelled or left. Each enumerator opens a stream of its own with its
    /// first MoveNextAsync, which may block for as long as attaching takes (some 40 ms, once). To know exactly from when events are seen, use <see cref="TieringEventStream.Open"/>.
    /// </summary>
    /// <param name="options">With names or without, bounded or not; null for neither.</param>
    /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>, as the token given to the enumerator does.</param>
    /// <returns>The events. Empty where there is no tiered compilation (NativeAOT, Mono).</returns>
    /// <exception cref="NotSupportedException">Signals are off or failed (from the enumerator); the message says why.</exception>
    [MethodImpl(Code.Untiered)]
    public static IAsyncEnumerable<TieringEvent> ReadAllAsync(TieringEventsOptions? options = null, CancellationToken cancellationToken = default)
    {
        return new TieringEventSequence(null, options, cancellationToken);
    }
}
