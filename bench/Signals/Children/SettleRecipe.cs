// What     What a program does without the library: an EventListener sees the background worker's batch end with nothing pending, then
//          30 ms must pass in which no other batch begins.
// What not Knows nothing of the methods.
// Threads  The runtime calls it on its dispatch thread; one thread waits.
// Source   Microsoft-Windows-DotNETRuntime, keyword Compilation 0x1000000000: TieredCompilationBackgroundJitStart and …Stop, whose second
//          field is PendingMethodCount.

using System;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Threading;

namespace TierUp.Bench.Signals.Children;

internal sealed class SettleRecipe : EventListener
{
    private const EventKeywords Compilation = (EventKeywords)0x1000000000;
    private const string BatchBegan = "TieredCompilationBackgroundJitStart";
    private const string BatchEnded = "TieredCompilationBackgroundJitStop";
    private static readonly TimeSpan s_settle = TimeSpan.FromMilliseconds(30);

    private readonly object _gate = new();
    private bool _isDrained;
    private int _changes;

    /// <summary>Gets when the last batch ended, by the runtime's own time of the event.</summary>
    internal DateTime LastBatchEnd { get; private set; }

    internal void Begin()
    {
        lock (_gate)
        {
            _isDrained = false;
        }
    }

    /// <summary>False when the time ran out.</summary>
    internal bool Wait(TimeSpan limit)
    {
        Stopwatch waited = Stopwatch.StartNew();
        lock (_gate)
        {
            while (waited.Elapsed < limit)
            {
                if (!_isDrained)
                {
                    Monitor.Wait(_gate, limit);
                    continue;
                }

                int changes = _changes;
                if (!HasChangedWithin(s_settle, changes))
                {
                    return true;
                }
            }
        }

        return false;
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
        {
            EnableEvents(eventSource, EventLevel.Informational, Compilation);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        bool isEnd = eventData.EventName == BatchEnded;
        if (!isEnd && eventData.EventName != BatchBegan)
        {
            return;
        }

        lock (_gate)
        {
            _isDrained = isEnd && eventData.Payload?[1] is uint and 0;
            LastBatchEnd = isEnd ? eventData.TimeStamp : LastBatchEnd;
            _changes++;
            Monitor.PulseAll(_gate);
        }
    }

    private bool HasChangedWithin(TimeSpan span, int changes)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (_changes == changes && waited.Elapsed < span)
        {
            Monitor.Wait(_gate, span - waited.Elapsed is TimeSpan left && left > TimeSpan.Zero ? left : TimeSpan.Zero);
        }

        return _changes != changes;
    }
}
