// What     Gives the native library what it needs once: signals, a method that was called a moment ago, and an event of the background worker.
// What not Waits for none of them: callers come again. Once all is known it only looks.
// Threads  [any]; the nudges under TieringHost's lock.
// Failure  Stuck: callers take PromotionBarrier.
// Cost     One re-armed call-counting delay in the life of a process, by one method called for the first time; with a delay of 0, three small methods
//          promoted. Where that brings nothing, again at the next need, MaxNudges times in all.

using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Signals;

internal static unsafe class Calibration
{
    private const int MaxNudges = 5;

    /// <summary>Probes promoted together, so that the worker gets a batch with a queue in it, of which each step can be voted on.</summary>
    private const int ProbesTogether = 3;

    /// <summary>What the runtime may add to a delay (it is checked in whole ticks and extended by fresh activity), before a nudge counts as vain.</summary>
    private const int GraceMilliseconds = 500;

    /// <summary>Longer than any attach: 40 ms were seen, 10 s is the native library's own bound for the diagnostics answer.</summary>
    private const int MaxAttachMilliseconds = 10_000;

    /// <summary>How long the nudge waits for what it set off, where there is no delay: three small methods are promoted within 1 ms.</summary>
    private const int BatchMilliseconds = 20;

    private static bool s_isRequested;
    private static long s_requestedAt;
    private static long s_nudgedAt;
    private static int s_nudges;
    private static int s_delayMilliseconds;
    private static int s_callsToThreshold;
    private static bool s_hasProbe;
    private static FreshProbe s_probe;

    /// <summary>One of CalibrationPhase, after doing what there is to do now. Fast when all is known.</summary>
    [MethodImpl(Code.Untiered)]
    internal static int Advance()
    {
        if (IsKnown(SignalFunctions.ReadSignals()))
        {
            return CalibrationPhase.Known;
        }

        lock (TieringHost.Gate())
        {
            return AdvanceLocked();
        }
    }

    /// <summary>As Advance, after the attach where a nudge makes no sense before: for who needs the queue's view now or not at all.</summary>
    [MethodImpl(Code.Untiered)]
    internal static void AdvanceOnce()
    {
        while (Advance() == CalibrationPhase.Settling && Volatile.Read(ref s_nudges) == 0)
        {
            Thread.Sleep(1);
        }
    }

    /// <summary>Asks for signals, so that they are there when they are needed.</summary>
    [MethodImpl(Code.Untiered)]
    internal static void Request()
    {
        lock (TieringHost.Gate())
        {
            RequestLocked();
        }
    }

    [MethodImpl(Code.Untiered)]
    private static int AdvanceLocked()
    {
        RequestLocked();
        NativeSignals signals = SignalFunctions.ReadSignals();
        if (IsKnown(signals))
        {
            return CalibrationPhase.Known;
        }

        bool isAttaching = signals.State is (byte)SignalsState.None or (byte)SignalsState.Attaching
            && MillisecondsSince(s_requestedAt) < MaxAttachMilliseconds;
        // With a delay, what the nudge sets off is seen at its end, long after the attach; without one, only by who listens already.
        if (isAttaching && s_delayMilliseconds == 0)
        {
            return CalibrationPhase.Settling;
        }

        bool isAttached = signals.State == (byte)SignalsState.Attached;
        int patience = s_delayMilliseconds == 0 ? BatchMilliseconds : (3 * s_delayMilliseconds) + GraceMilliseconds;
        if (s_nudges < MaxNudges && (s_nudges == 0 || MillisecondsSince(s_nudgedAt) > patience))
        {
            Nudge();
            if (IsKnown(SignalFunctions.ReadSignals()))
            {
                return CalibrationPhase.Known;
            }
        }

        return (isAttaching || isAttached) && MillisecondsSince(s_nudgedAt) <= patience ? CalibrationPhase.Settling : CalibrationPhase.Stuck;
    }

    [MethodImpl(Code.Untiered)]
    private static void RequestLocked()
    {
        if (s_isRequested)
        {
            return;
        }

        s_isRequested = true;
        s_requestedAt = Stopwatch.GetTimestamp();
        NativeSettings settings = default;
        settings.Size = (uint)sizeof(NativeSettings);
        if (NativeFunctions.GetSettings(&settings) == NativeStatus.Ok)
        {
            s_delayMilliseconds = (int)settings.CallCountingDelayMs;
            // The first call is not counted, so after these one more crosses the threshold.
            s_callsToThreshold = (int)settings.CallCountThreshold;
        }

        SignalFunctions.Request();
    }

    [MethodImpl(Code.Untiered)]
    private static void Nudge()
    {
        s_nudges++;
        if (s_delayMilliseconds == 0)
        {
            PromoteTogether();
        }
        else if (FreshProbes.TryTake(out FreshProbe probe))
        {
            probe.Call(1);
            SignalFunctions.Offer(probe.Handle.Value);
            s_probe = probe;
            s_hasProbe = true;
        }

        s_nudgedAt = Stopwatch.GetTimestamp();
    }

    /// <summary>A probe of ours that is being counted now, and how many calls are left. Called under the lock.</summary>
    [MethodImpl(Code.Untiered)]
    internal static bool TryGetCountingProbe(out FreshProbe probe, out int remaining)
    {
        remaining = 0;
        if (s_isRequested && s_delayMilliseconds == 0)
        {
            if (!FreshProbes.TryTake(out probe))
            {
                return false;
            }

            // The first call leaves code behind the prestub, the second one installs the counting stub.
            probe.Call(2);
        }
        else
        {
            probe = s_probe;
            if (!s_hasProbe)
            {
                return false;
            }
        }

        NativeAnswer answer = MethodPoll.Answer(probe.Handle, null);
        remaining = answer.RemainingCalls;
        return answer.Reason == MethodStateReason.Counting && remaining > 0;
    }

    /// <summary>Without a delay there is no list of methods to search: the library votes on what it sees at the events of a batch.</summary>
    [MethodImpl(Code.Untiered)]
    private static void PromoteTogether()
    {
        FreshProbe[] probes = new FreshProbe[ProbesTogether];
        for (int i = 0; i < probes.Length; i++)
        {
            if (!FreshProbes.TryTake(out probes[i]))
            {
                return;
            }
        }

        // In no list, but now the library knows where to look for one. It takes samples while method events are on, and those are on while somebody waits.
        SignalFunctions.Offer(probes[0].Handle.Value);
        VainWait wait = new VainWait();
        wait.Begin();
        WaitFor(methodEvents: true);
        // All stand at the threshold before the first one crosses it: then they are promoted in one batch.
        CallEach(probes, s_callsToThreshold);
        CallEach(probes, 1);
        CallEach(probes, 1);
        WaitFor(methodEvents: false);
        wait.GiveUp();
    }

    [MethodImpl(Code.Untiered)]
    private static void CallEach(FreshProbe[] probes, int times)
    {
        for (int i = 0; i < probes.Length; i++)
        {
            probes[i].Call(times);
        }
    }

    /// <summary>For events to be on, or for all to be known: bounded, and whatever comes of it the caller goes on.</summary>
    [MethodImpl(Code.Untiered)]
    private static void WaitFor(bool methodEvents)
    {
        long start = Stopwatch.GetTimestamp();
        while (MillisecondsSince(start) < BatchMilliseconds)
        {
            NativeSignals signals = SignalFunctions.ReadSignals();
            if (IsKnown(signals) || (methodEvents && (signals.MethodEventsOn != 0 || signals.State != (byte)SignalsState.Attached)))
            {
                return;
            }

            Thread.Sleep(0);
        }
    }

    // Not the bit of tierup_pending_count: that can be known for a moment (something stands in the queue) and not known in the next.
    [MethodImpl(Code.Untiered)]
    private static bool IsKnown(in NativeSignals signals)
    {
        return signals.QueueView != 0 && signals.BatchKnown != 0;
    }

    [MethodImpl(Code.Untiered)]
    private static long MillisecondsSince(long timestamp)
    {
        return (Stopwatch.GetTimestamp() - timestamp) / (Stopwatch.Frequency / 1000);
    }
}
