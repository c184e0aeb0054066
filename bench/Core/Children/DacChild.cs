// What     What a look at one final method costs when the data access library is asked anew (GetMethodState), and when its
//          remembered version list will do (tierup_method_resolve); both with the checked walks of the entry point that belong to it.
// What not Nothing is subtracted.
// Failure  InvalidOperationException when the statistics say that a look did not do what its name says.

using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace TierUp.Bench.Core.Children;

internal static class DacChild
{
    private const int Looks = 200;
    private const int WarmUps = 50;
    private const double MicrosecondsPerSecond = 1e6;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    internal static Dictionary<string, double[]> Run()
    {
        Subject subject = Subjects.Emit("Dac", 1)[0];
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(subject.Handle, s_limit))
        {
            Calls.Make(subject, calls);
        }

        NativeCore native = new();
        for (int i = 0; i < WarmUps; i++)
        {
            TieredCompilation.GetMethodState(subject.Handle);
            Resolve(native, subject.Handle);
        }

        Quiet.Wait();
        double[] uncached = new double[Looks];
        double[] cached = new double[Looks];
        NativeStatistics before = native.Statistics();
        for (int i = 0; i < Looks; i++)
        {
            long began = Stopwatch.GetTimestamp();
            TieredCompilation.GetMethodState(subject.Handle);
            long between = Stopwatch.GetTimestamp();
            Resolve(native, subject.Handle);
            long ended = Stopwatch.GetTimestamp();
            uncached[i] = Microseconds(between - began);
            cached[i] = Microseconds(ended - between);
        }

        NativeStatistics after = native.Statistics();
        if (after.DacQueries - before.DacQueries != Looks || after.DacCacheHits - before.DacCacheHits != Looks)
        {
            throw new InvalidOperationException(
                $"{Looks} fresh and {Looks} remembered looks made {after.DacQueries - before.DacQueries} queries and " +
                $"{after.DacCacheHits - before.DacCacheHits} hits");
        }

        return new() { ["uncached_us"] = uncached, ["cached_us"] = cached };
    }

    private static void Resolve(NativeCore native, RuntimeMethodHandle handle)
    {
        if (!native.TryResolve(handle))
        {
            throw new InvalidOperationException("tierup_method_resolve failed");
        }
    }

    private static double Microseconds(long ticks)
    {
        return ticks * (MicrosecondsPerSecond / Stopwatch.Frequency);
    }
}
