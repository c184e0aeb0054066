// What     What PendingTieredCompilationCount costs, seen from C#, in a settled process; and what it allocates.
// What not Nothing is subtracted.
// Failure  InvalidOperationException when the count is not 0 in a process that has nothing pending.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class CountChild
{
    private const int Rounds = 21;
    private const int Looks = 100_000;
    private const double NanosecondsPerSecond = 1e9;

    internal static Dictionary<string, double[]> Run()
    {
        TieredCompilation.WaitForTieredCompilationActive(WakeSubjects.Limit);
        TieredCompilation.WaitForPendingCompilations(WakeSubjects.Limit);
        Look(out _);
        Quiet.Wait();
        double[] ns = new double[Rounds];
        long before = GC.GetAllocatedBytesForCurrentThread();
        int sum = 0;
        for (int round = 0; round < Rounds; round++)
        {
            ns[round] = Look(out int counted);
            sum += counted;
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return sum == 0
            ? new() { ["count_ns"] = ns, ["alloc_bytes"] = [allocated] }
            : throw new InvalidOperationException($"the counts of a settled process add up to {sum}");
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static double Look(out int sum)
    {
        sum = 0;
        long began = Stopwatch.GetTimestamp();
        for (int i = 0; i < Looks; i++)
        {
            sum += RuntimeHelpers.PendingTieredCompilationCount;
        }

        return (Stopwatch.GetTimestamp() - began) * (NanosecondsPerSecond / Stopwatch.Frequency) / Looks;
    }
}
