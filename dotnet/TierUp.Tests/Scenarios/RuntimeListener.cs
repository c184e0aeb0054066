// What     The runtime's own word, by another way than ours: its method loads and delays, by an EventListener in the same process.
// Source   Microsoft-Windows-DotNETRuntime: MethodLoadVerbose 143, TieredCompilationPause 281 (dotnet/runtime src/coreclr/vm/ClrEtwAll.man).

using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Tests.Scenarios;

internal sealed class RuntimeListener : EventListener
{
    private const int MethodLoadVerbose = 143;
    private const int Pause = 281;
    private const EventKeywords Keywords = (EventKeywords)0x10_0000_0010;

    // Statics: the base constructor calls OnEventSourceCreated before a field of ours is set.
    private static readonly List<(nint Method, nint Code, int Size, long Thread)> s_loads = [];
    private static readonly List<long> s_pauses = [];

    internal static (nint Method, nint Code, int Size, long Thread)[] Loads
    {
        get
        {
            lock (s_loads)
            {
                return [.. s_loads];
            }
        }
    }

    internal static long[] PausingThreads
    {
        get
        {
            lock (s_loads)
            {
                return [.. s_pauses];
            }
        }
    }

    internal static void WaitUntil(Func<bool> holds)
    {
        if (!SpinWait.SpinUntil(holds, TimeSpan.FromSeconds(60)))
        {
            throw new TimeoutException("the listener has not seen it");
        }
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
        {
            EnableEvents(eventSource, EventLevel.Verbose, Keywords);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventId == MethodLoadVerbose)
        {
            nint method = (nint)(ulong)eventData.Payload![0]!;
            nint code = (nint)(ulong)eventData.Payload[2]!;
            lock (s_loads)
            {
                s_loads.Add((method, code, (int)(uint)eventData.Payload[3]!, eventData.OSThreadId));
            }
        }
        else if (eventData.EventId == Pause)
        {
            lock (s_loads)
            {
                s_pauses.Add(eventData.OSThreadId);
            }
        }
    }
}
