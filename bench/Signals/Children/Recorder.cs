// What     Takes the times of events from a stream: taken by the library inside the runtime's callback, on the thread that fires the event.
// What not Waits for none: who was woken by an event finds it in the stream.
// Threads  One at a time.
// Source   tierup_event.time_ns: CLOCK_MONOTONIC, which Stopwatch counts too (Stopwatch.Frequency 1e9 on Linux).

using System;

namespace TierUp.Bench.Signals.Children;

internal sealed class Recorder : IDisposable
{
    private const int BufferedEvents = 256;

    private readonly TieringEventStream _stream = TieringEventStream.Open();
    private readonly TieringEvent[] _events = new TieringEvent[BufferedEvents];

    /// <summary>Gets when the last batch ended among the events read so far; 0 if none did.</summary>
    internal long LastBatchEnd { get; private set; }

    /// <summary>Drops what is there; then nothing is known of any batch.</summary>
    internal void Forget()
    {
        LastPublication(0);
        LastBatchEnd = 0;
    }

    /// <summary>When the last code of a method was published, among the events that are there now; 0 if none was.</summary>
    internal long LastPublication(nint method)
    {
        long publishedAt = 0;
        for (int count = _stream.Read(_events); count > 0; count = _stream.Read(_events))
        {
            for (int i = 0; i < count; i++)
            {
                ref readonly TieringEvent tieringEvent = ref _events[i];
                if (tieringEvent.Kind == TieringEventKind.BatchEnded)
                {
                    LastBatchEnd = tieringEvent.Timestamp;
                }
                else if (tieringEvent.Kind == TieringEventKind.Published && tieringEvent.MethodDescriptor == method)
                {
                    publishedAt = tieringEvent.Timestamp;
                }
            }
        }

        return publishedAt;
    }

    public void Dispose()
    {
        _stream.Dispose();
    }
}
