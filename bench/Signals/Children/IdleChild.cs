// What     Ten seconds in which nobody waits: the processor time of the library's threads, and of the whole process.
// What not The process also does what it does without the library: the driver runs one beside that has none.
// Source   The library's threads are named "tierup-…": src/watch/resources.h, src/runtime/signal_hub.cpp.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class IdleChild
{
    private const string ThreadPrefix = "tierup";
    private const int Looks = 20;

    /// <summary>Takes the looking to its last tier.</summary>
    private const int WarmUpLooks = 200;

    private const double NanosecondsPerMillisecond = 1e6;
    private const double Percent = 100;
    private static readonly TimeSpan s_span = TimeSpan.FromSeconds(10);

    internal static Dictionary<string, double[]> Run(bool isAttached)
    {
        NativeFigures? figures = null;
        if (isAttached)
        {
            figures = new NativeFigures();
            WaitForAllKinds(WakeSubjects.Prepare("IdleWaited", 1)[0]);
        }

        for (int look = 0; look < WarmUpLooks; look++)
        {
            Look([], [], sign: 1);
        }

        Quiet.Wait();
        ulong events = figures?.Signals().EventsReceived ?? 0;
        Dictionary<string, long> spent = [];
        HashSet<string> seen = [];
        Stopwatch span = Stopwatch.StartNew();
        Look(spent, seen, sign: -1);
        long process = CpuClock.ProcessNs();
        double looking = 0;
        for (int look = 0; look < Looks; look++)
        {
            Thread.Sleep(s_span / Looks);
            long began = CpuClock.ThreadNs();
            Look([], seen, sign: 1);
            looking += CpuClock.ThreadNs() - began;
        }

        process = CpuClock.ProcessNs() - process - (long)looking;
        Look(spent, seen, sign: 1);
        long threads = 0;
        foreach (long ns in spent.Values)
        {
            threads += Math.Max(ns, 0); // below zero: it was there at the beginning only
        }

        return new()
        {
            ["threads_cpu_percent"] = [threads / NanosecondsPerMillisecond / span.Elapsed.TotalMilliseconds * Percent],
            ["threads_seen"] = [seen.Count],
            ["process_cpu_ms"] = [process / NanosecondsPerMillisecond],
            ["events"] = [(figures?.Signals().EventsReceived ?? 0) - events],
        };
    }

    private static void WaitForAllKinds(Subject subject)
    {
        for (int promotion = 0; promotion < WakeSubjects.Promotions; promotion++)
        {
            Calls.Make(subject, WakeSubjects.Threshold);
            RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(subject.Handle).AsTask().Wait(WakeSubjects.Limit);
        }

        RuntimeHelpers.WaitForPendingCompilations().AsTask().Wait(WakeSubjects.Limit);
        RuntimeHelpers.WaitForTieredCompilationActive().AsTask().Wait(WakeSubjects.Limit);
    }

    private static void Look(Dictionary<string, long> spent, HashSet<string> seen, int sign)
    {
        foreach ((string thread, long ns) in CpuClock.ThreadsNs(ThreadPrefix))
        {
            spent[thread] = spent.GetValueOrDefault(thread) + (sign * ns);
            seen.Add(thread);
        }
    }
}
