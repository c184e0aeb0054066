// What     What GetMethodCompilationStatus costs, seen from C#: of a counting method, a final one, many in turn; the empty loop beside.
// What not Nothing is subtracted.
// Failure  InvalidOperationException when a method is not in the state that is to be polled, before or after.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace TierUp.Bench.Core.Children;

internal static class PollChild
{
    private const int Rounds = 21;
    private const int Polls = 200_000;
    private const int Many = 1000;
    private const int AllocationPolls = 1_000_000;
    private const double NanosecondsPerSecond = 1e9;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);
    private static int s_sink;

    internal static Dictionary<string, double[]> Run()
    {
        Subject counting = Subjects.Emit("PollCounting", 1)[0];
        Subject final = Subjects.Emit("PollFinal", 1)[0];
        RuntimeMethodHandle[] many = PrepareMany();
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(final.Handle, s_limit))
        {
            Calls.Make(final, calls);
        }

        Calls.Make(counting, 1);
        Require(TieredCompilation.WaitForFinalCompilationOrCallCountingReady(counting.Handle, s_limit), "counting is not ready");
        Calls.Make(counting, 5);
        RequireStates(counting, final);
        Quiet.Wait();

        double[] countingNs = new double[Rounds];
        double[] finalNs = new double[Rounds];
        double[] manyNs = new double[Rounds];
        double[] emptyNs = new double[Rounds];
        for (int round = -1; round < Rounds; round++)
        {
            double c = Poll(counting.Handle);
            double f = Poll(final.Handle);
            double m = PollEach(many);
            double e = PollNothing(counting.Handle);
            if (round >= 0)
            {
                (countingNs[round], finalNs[round], manyNs[round], emptyNs[round]) = (c, f, m, e);
            }
        }

        double allocated = AllocatedBytes(counting.Handle) + AllocatedBytes(final.Handle);
        RequireStates(counting, final);
        return new()
        {
            ["counting_ns"] = countingNs,
            ["final_ns"] = finalNs,
            ["many_ns"] = manyNs,
            ["empty_ns"] = emptyNs,
            ["alloc_bytes"] = [allocated],
        };
    }

    /// <summary>Methods that count, in an order that no prefetcher guesses.</summary>
    private static RuntimeMethodHandle[] PrepareMany()
    {
        Subject[] subjects = Subjects.Emit("PollMany", Many);
        foreach (Subject subject in subjects)
        {
            Calls.Make(subject, 1);
        }

        foreach (Subject subject in subjects)
        {
            Require(TieredCompilation.WaitForFinalCompilationOrCallCountingReady(subject.Handle, s_limit), "counting is not ready");
        }

        new Random(1).Shuffle(subjects);
        return Array.ConvertAll(subjects, subject => subject.Handle);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static double Poll(RuntimeMethodHandle handle)
    {
        int sum = 0;
        long began = Stopwatch.GetTimestamp();
        for (int i = 0; i < Polls; i++)
        {
            sum += (int)RuntimeHelpers.GetMethodCompilationStatus(handle);
        }

        return PerTurn(Stopwatch.GetTimestamp() - began, Polls, sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static double PollEach(RuntimeMethodHandle[] handles)
    {
        int sum = 0;
        int turns = Polls / handles.Length;
        long began = Stopwatch.GetTimestamp();
        for (int turn = 0; turn < turns; turn++)
        {
            for (int i = 0; i < handles.Length; i++)
            {
                sum += (int)RuntimeHelpers.GetMethodCompilationStatus(handles[i]);
            }
        }

        return PerTurn(Stopwatch.GetTimestamp() - began, turns * handles.Length, sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static double PollNothing(RuntimeMethodHandle handle)
    {
        int sum = 0;
        long began = Stopwatch.GetTimestamp();
        for (int i = 0; i < Polls; i++)
        {
            sum += Nothing(handle);
        }

        return PerTurn(Stopwatch.GetTimestamp() - began, Polls, sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static int Nothing(RuntimeMethodHandle handle)
    {
        return (int)handle.Value & 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static double AllocatedBytes(RuntimeMethodHandle handle)
    {
        int sum = 0;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < AllocationPolls; i++)
        {
            sum += (int)RuntimeHelpers.GetMethodCompilationStatus(handle);
        }

        long after = GC.GetAllocatedBytesForCurrentThread();
        s_sink = sum;
        return after - before;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static double PerTurn(long ticks, int turns, int sum)
    {
        s_sink = sum;
        return ticks * (NanosecondsPerSecond / Stopwatch.Frequency) / turns;
    }

    private static void RequireStates(Subject counting, Subject final)
    {
        MethodState state = TieredCompilation.GetMethodState(counting.Handle);
        Require(state.Status == MethodCompilationStatus.Optimizing && state.Reason == MethodStateReason.Counting, state.ToString());
        state = TieredCompilation.GetMethodState(final.Handle);
        Require(state.Status == MethodCompilationStatus.Final && state.Tier == CompilationTier.Tier1, state.ToString());
    }

    private static void Require(bool condition, string otherwise)
    {
        if (!condition)
        {
            throw new InvalidOperationException(otherwise);
        }
    }
}
