// What     Opens a stream and waits until the runtime delivers into it.
// What not Reads nothing.
// Threads  [any]; blocks for the attach and for the session's start.
// Failure  NotSupportedException with the reason where signals are off or failed; nothing is left open then.
// Source   tierup_events_open and tierup_signals (method_events_on) in tierup.h.

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Signals;

namespace TierUp.Events;

internal static class EventStreamOpening
{
    /// <summary>Far more than an attach (40 ms) and a session's start (50 µs) take.</summary>
    private const int MaxMilliseconds = 10_000;

    [MethodImpl(Code.Untiered)]
    internal static TieringEventStream Open(TieringEventsOptions? options)
    {
        if (!TieringHost.EnsureStarted())
        {
            return new TieringEventStream(0);
        }

        if (!SignalFunctions.AreBound)
        {
            throw Errors.OlderLibrary();
        }

        Calibration.Request();
        RequirePossible(SignalFunctions.ReadSignals());
        // Queued and Activated stand on the view of the queue: look for it before events are recorded.
        if (ProcessTiering.IsOn())
        {
            Calibration.AdvanceOnce();
        }

        TieringEventStream stream = new TieringEventStream(OpenNatively(options));
        try
        {
            WaitUntilOn();
        }
        catch
        {
            stream.Dispose();
            throw;
        }

        return stream;
    }

    [MethodImpl(Code.Untiered)]
    private static ulong OpenNatively(TieringEventsOptions? options)
    {
        bool withNames = options is not null && options.IncludeNames;
        ulong capacity = options is null ? 0 : (ulong)options.CapacityBytes;
        NativeStatus status = SignalFunctions.OpenStream(withNames, capacity, out ulong number);
        switch (status)
        {
            case NativeStatus.Ok:
                return number;
            case NativeStatus.Unsupported:
                throw Errors.NoEvents(SignalsDescription.Read().StateReason);
            case NativeStatus.Exhausted:
                throw new InvalidOperationException(
                    "No further stream of tiering events could be opened: eight are open already, or memory could not be had. Dispose one first.");
            default:
                throw Errors.Unexpected("open a stream of events", status);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static void WaitUntilOn()
    {
        long start = Stopwatch.GetTimestamp();
        for (int look = 0; ; look++)
        {
            NativeSignals signals = SignalFunctions.ReadSignals();
            if (signals.MethodEventsOn != 0)
            {
                return;
            }

            RequirePossible(signals);
            if ((Stopwatch.GetTimestamp() - start) / (Stopwatch.Frequency / 1000) > MaxMilliseconds)
            {
                throw Errors.NoEvents("The runtime did not begin to deliver them within ten seconds.");
            }

            // A session begins within some 50 µs, an attach within some 40 ms.
            Thread.Sleep(look < 100 ? 0 : 1);
        }
    }

    [MethodImpl(Code.Untiered)]
    private static void RequirePossible(in NativeSignals signals)
    {
        if (signals.State is (byte)SignalsState.Failed or (byte)SignalsState.Disabled)
        {
            throw Errors.NoEvents(SignalsDescription.Read().StateReason);
        }
    }
}
