// What     BenchmarkDotNet's own engine, run on an empty benchmark and a mute host, so that what it does around every iteration (statistics, formatting, GC) has its
//          final code too: in a stock run its dozens of methods reach their thirtieth call, and are compiled, in the middle of the actual iterations.
// What not The benchmark: WarmupStage. Output: nothing is written.
// Threads  The engine's; once per process.
// Failure  Bounded in time; what is not finished then is counted as JIT in measurement, as it would be without it.
// Source   BenchmarkDotNet 0.15.8, Engine.RunIteration (two forced collections each, EngineFactory and EngineStage).

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using TierUp.BenchmarkDotNet.Stage;

namespace TierUp.BenchmarkDotNet.Engine015;

internal static class Rehearsal
{
    /// <summary>R2R or tier 0, then the instrumented tier, then tier 1: two rounds of 30 calls, and one more for what the last one called first.</summary>
    private const int Rounds = 3;

    /// <summary>So many runs a round, for what is called once per run, of few iterations each; and so many iterations with BenchmarkDotNet's two forced collections.</summary>
    private const int RunsPerRound = 31, IterationsPerRun = 3, CollectingIterations = 16;

    private const int LimitSeconds = 2;

    private static IEngine? plain, collecting;
    private static bool isDone;

    /// <summary>
    /// First calls of everything, which the delay that the stage waits for anyway then covers. Where there is no delay they would be in the stage's way, and what the
    /// process has called since its start has been queued already: that is waited for.
    /// </summary>
    [MethodImpl(Untiered.Code)]
    internal static void Begin()
    {
        long begin = Stopwatch.GetTimestamp();
        if (TieredCompilation.Settings.CallCountingDelay <= TimeSpan.Zero)
        {
            TieredCompilation.WaitForPendingCompilations(Left(begin));
        }
        else if (plain is null)
        {
            Round(begin - (2 * LimitSeconds * Stopwatch.Frequency), 1, isCollecting: true);
        }
    }

    /// <summary>The calls that count.</summary>
    [MethodImpl(Untiered.Code)]
    internal static void Finish()
    {
        if (isDone)
        {
            return;
        }

        isDone = true;
        long begin = Stopwatch.GetTimestamp();
        for (int round = 0; round < Rounds && Round(begin, RunsPerRound, round < Rounds - 1); round++)
        {
        }
    }

    [MethodImpl(Untiered.Code)]
    private static bool Round(long begin, int runs, bool isCollecting)
    {
        plain ??= NewEngine(IterationsPerRun, isCollecting: false);
        collecting ??= NewEngine(CollectingIterations, isCollecting: true);
        bool counts = TieredCompilation.WaitForTieredCompilationActive(Left(begin));
        for (int run = 0; run < runs; run++)
        {
            plain.Run();
        }

        if (isCollecting)
        {
            collecting.Run();
        }

        return TieredCompilation.WaitForPendingCompilations(Left(begin)) && counts;
    }

    [MethodImpl(Untiered.Code)]
    private static TimeSpan Left(long begin)
    {
        long ticks = (LimitSeconds * TimeSpan.TicksPerSecond) - (long)((Stopwatch.GetTimestamp() - begin) * ((double)TimeSpan.TicksPerSecond / Stopwatch.Frequency));
        return ticks > 0 ? new TimeSpan(ticks) : TimeSpan.Zero;
    }

    [MethodImpl(Untiered.Code)]
    private static IEngine NewEngine(int iterations, bool isCollecting)
    {
        Job job = new Job()
            .WithStrategy(RunStrategy.Throughput).WithInvocationCount(1).WithUnrollFactor(1).WithIterationTime(TimeInterval.FromMicroseconds(1))
            .WithWarmupCount(1).WithIterationCount(iterations).WithEvaluateOverhead(!isCollecting).WithGcForce(isCollecting);
        EngineParameters parameters = new EngineParameters
        {
            Host = new MuteHost(),
            WorkloadActionNoUnroll = Empty,
            WorkloadActionUnroll = Empty,
            OverheadActionNoUnroll = Empty,
            OverheadActionUnroll = Empty,
            Dummy1Action = Empty,
            Dummy2Action = Empty,
            Dummy3Action = Empty,
            GlobalSetupAction = Empty,
            GlobalCleanupAction = Empty,
            IterationSetupAction = Empty,
            IterationCleanupAction = Empty,
            TargetJob = job,
            BenchmarkName = "TierUp rehearsal",
        };
        return new EngineFactory().CreateReadyToRun(parameters);
    }

    [MethodImpl(Untiered.Code)]
    private static void Empty()
    {
    }

    [MethodImpl(Untiered.Code)]
    private static void Empty(long calls)
    {
    }
}
