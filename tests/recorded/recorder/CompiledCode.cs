// What     Where the runtime put each method's code, in the runtime's own words: its MethodLoad events.
// What not Reads no memory.
// Failure  A method whose event does not come within the bound is an exception that names it.
using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace TierUp.StubRecorder;

internal sealed class CompiledCode : EventListener
{
    private const long JitKeyword = 0x10; // Microsoft-Windows-DotNETRuntime, ClrEtwAll.man
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);
    private readonly ConcurrentDictionary<(ulong Method, int Index), ulong> _starts = new();
    private readonly ConcurrentDictionary<ulong, int> _counts = new();

    /// <summary>The start of the method's code, in the order in which the runtime compiled it (0 is the first).</summary>
    public ulong StartOf(RuntimeMethodHandle method, int index = 0)
    {
        ulong start = 0;
        ulong id = (ulong)method.Value;
        if (!SpinWait.SpinUntil(() => _starts.TryGetValue((id, index), out start), Bound))
        {
            throw new TimeoutException($"no MethodLoad event number {index} for method 0x{id:x}");
        }

        return start;
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
        {
            EnableEvents(eventSource, EventLevel.Verbose, (EventKeywords)JitKeyword);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventId is not (141 or 143) || eventData.Payload is not { Count: > 3 } payload)
        {
            return;
        }

        ulong id = Convert.ToUInt64(payload[0]);
        int index = _counts.AddOrUpdate(id, 0, (_, last) => last + 1);
        _starts[(id, index)] = Convert.ToUInt64(payload[2]);
    }
}
