// What     One thread that takes some methods over their thresholds and then waits, blocking, until they are promoted, again and again: when each wait
//          began and ended. Nothing else goes on that could wake it.
// What not No comparison with the worker's own events: the driver program makes it. Wants a delay of 0.
// Threads  The caller's.
// Failure  A wait without an end is an "error" line.
using System;
using System.Diagnostics;

namespace TierUp.Matrix;

internal static class Wakes
{
    /// <summary>So many promotions keep the worker busy for longer than a wait spins (150 us, WaitCore).</summary>
    private const int PerWait = 20;

    private const int Waits = 60;
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);

    public static int Methods => PerWait * Waits;

    public static void Run(FreshMethods methods)
    {
        using RunQueue queue = new();
        for (int i = 0; i < Waits; i++)
        {
            int from = methods.Take(PerWait);
            for (int k = from; k < from + PerWait; k++) ProcessWide.Exhaust(methods.Entries[k]);
            long stood = queue.WaitedNs(), begin = Stopwatch.GetTimestamp();
            if (!TieredCompilation.WaitForPendingCompilations(bound)) Log.Failed("wake", "wait", new TimeoutException());
            long end = Stopwatch.GetTimestamp();
            Entry told = Log.Add("wait", "wake", "");
            told.Begin = begin;
            told.End = end;
            told.Number = queue.WaitedNs() - stood;
        }
    }
}
