// What     What a program has without the library: an EventListener on the runtime's method loads. Says when it was called for which one.
// What not Level 4 would bring no load: the runtime fires them only while somebody listens at level 5.
// Threads  The runtime calls it on its dispatch thread; others look under the lock.
// Source   Microsoft-Windows-DotNETRuntime, keyword Jit 0x10; MethodLoadVerbose's first field is MethodID (the method descriptor).

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Tracing;

namespace TierUp.Bench.Signals.Children;

internal sealed class LoadListener : EventListener
{
    private const EventKeywords Jit = (EventKeywords)0x10;
    private const string RuntimeSource = "Microsoft-Windows-DotNETRuntime";
    private const string LoadPrefix = "MethodLoad";

    private readonly object _gate = new();
    private readonly Dictionary<nint, List<long>> _calledAt = [];

    /// <summary>When the listener was called for the load number `load` (from 0) of a method; 0 if it was not yet.</summary>
    internal long CalledAt(nint method, int load)
    {
        lock (_gate)
        {
            return _calledAt.TryGetValue(method, out List<long>? times) && times.Count > load ? times[load] : 0;
        }
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == RuntimeSource)
        {
            EnableEvents(eventSource, EventLevel.Verbose, Jit);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        long now = Stopwatch.GetTimestamp();
        if (eventData.EventName?.StartsWith(LoadPrefix, StringComparison.Ordinal) != true || eventData.Payload?[0] is not ulong method)
        {
            return;
        }

        lock (_gate)
        {
            if (!_calledAt.TryGetValue((nint)method, out List<long>? times))
            {
                _calledAt[(nint)method] = times = new List<long>(WakeSubjects.Promotions + 1);
            }

            times.Add(now);
        }
    }
}
