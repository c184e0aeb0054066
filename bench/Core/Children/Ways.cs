// What     The ways to take a cold method to its final tier, each timed from the first call request to the moment the way knows it is done.
// What not Does not choose or pair methods: DriveChild.
// Threads  The awaiting way may go on on a pool thread after each step; the others stay on their thread.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Bench.Core.Children;

internal static class Ways
{
    /// <summary>The runtime's default number of calls in a counting phase, TC_CallCountThreshold.</summary>
    private const int Threshold = 30;

    private static readonly TimeSpan StepLimit = TimeSpan.FromSeconds(30);

    /// <summary>The pause of the guessing way: BenchmarkDotNet's JIT stage, the issue's own figure.</summary>
    private static readonly TimeSpan Guess = TimeSpan.FromMilliseconds(250);

    /// <summary>Ours, as the proposal spells it.</summary>
    internal static async Task<long> AwaitAsync(Subject subject)
    {
        long began = Stopwatch.GetTimestamp();
        await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(subject.Handle).ConfigureAwait(false))
        {
            Calls.Make(subject, calls);
        }

        return Stopwatch.GetTimestamp() - began;
    }

    /// <summary>Ours, for a caller that may block.</summary>
    internal static long Block(Subject subject)
    {
        long began = Stopwatch.GetTimestamp();
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(subject.Handle, StepLimit))
        {
            Calls.Make(subject, calls);
        }

        return Stopwatch.GetTimestamp() - began;
    }

    /// <summary>The floor without a delay: the same calls, and an oracle that spins on memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static long Spin(Subject subject)
    {
        long began = Stopwatch.GetTimestamp();
        Calls.Make(subject, 1);
        Calls.Make(subject, 1); // the first counted call: the stub appears with it, and with the stub the code's address
        nint tier0 = MemoryOracle.CodeOf(subject.EntryPoint);
        Calls.Make(subject, Threshold - 1);
        nint instrumented = MemoryOracle.SpinUntilCountedElsewhere(subject.EntryPoint, tier0);
        Calls.Make(subject, Threshold);
        MemoryOracle.SpinUntilDirectElsewhere(subject.EntryPoint, instrumented);
        return Stopwatch.GetTimestamp() - began;
    }

    /// <summary>The guessing way: the first call, then calls and a fixed sleep, twice.</summary>
    internal static long Sleep(Subject subject)
    {
        long began = Stopwatch.GetTimestamp();
        Calls.Make(subject, 1);
        Calls.Make(subject, Threshold);
        Thread.Sleep(Guess);
        Calls.Make(subject, Threshold);
        Thread.Sleep(Guess);
        return Stopwatch.GetTimestamp() - began;
    }
}
