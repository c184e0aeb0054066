// What     In a quiet process a second poll, wait and enumeration must compile nothing and fire no Pause. Marks bracket the second use.
// What not The first use may compile: it is the rehearsal.
// Threads  The caller's.
// Failure  A cancelled or timed-out wait is part of the play; anything else ends the process with code 3.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Quiet
{
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20), brief = TimeSpan.FromMilliseconds(20), quiet = TimeSpan.FromMilliseconds(500);
    private const int Rehearsals = 35;
    private static long seen;

    public static void Run()
    {
        // By handle: MethodBase.MethodHandle is the framework's own precompiled code, which the runtime counts and promotes as any other.
        Subject final = Lot.NextHandle("final"), counting = Lot.NextHandle("counting");
        Subject otherFinal = Lot.NextHandle("other final"), otherCounting = Lot.NextHandle("other counting");
        Subject[] subjects = [final, counting, otherFinal, otherCounting];
        foreach (Subject subject in subjects) subject.Call(1);
        Drive.ToEnd([final, otherFinal]);
        Canary.Settle([], "settle first");
        // What every use calls of the framework is counted as any other code: so often that all of it is final before the play.
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < Rehearsals; i++) Play(final, counting, "rehearsal");
            BecomeQuiet();
        }
        // Warm what the second use does on methods not asked before: their registration.
        foreach (Subject subject in subjects) subject.State();
        Canary.Settle([], "settle second");
        BecomeQuiet();
        Play(otherFinal, otherCounting, "play");
        Play(final, counting, "again");
        foreach (Subject subject in subjects) subject.Observe("ended");
    }

    /// <summary>The premise: what the canary's own calls set off is over when the runtime has compiled nothing in two windows, one after the other.</summary>
    private static void BecomeQuiet()
    {
        long start = Stopwatch.GetTimestamp();
        for (int still = 0; still < 2;)
        {
            long before = JitInfo.GetCompiledMethodCount();
            Thread.Sleep(quiet);
            still = JitInfo.GetCompiledMethodCount() == before ? still + 1 : 0;
            if (Stopwatch.GetElapsedTime(start) > bound) throw new TimeoutException("the process never became quiet");
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Play(Subject final, Subject counting, string at)
    {
        long begin = Stopwatch.GetTimestamp();
        seen += (int)final.Poll() + counting.Remaining();
        seen += final.WaitReady(bound) ? 1 : 0;
        seen += counting.WaitFinal(brief) ? 1 : 0;
        foreach (int calls in final.Schedule(bound)) seen += calls;
        foreach (int calls in counting.Schedule(bound)) { seen += calls; break; }
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(counting.Handle, CancellationToken.None);
        if (!wait.IsCompletedSuccessfully) throw new InvalidOperationException("the method is counting, the wait should be over");
        IAsyncEnumerator<int> steps = TieredCompilation.EnumerateTierPromotionCallCountsAsync(counting.Handle, CancellationToken.None).GetAsyncEnumerator();
        ValueTask<bool> step = steps.MoveNextAsync();
        if (!step.IsCompletedSuccessfully || !step.Result) throw new InvalidOperationException("the method is counting, the step should be there");
        seen += steps.Current;
        if (!steps.DisposeAsync().IsCompletedSuccessfully) throw new InvalidOperationException("nothing is pending, dispose should be over");
        long end = Stopwatch.GetTimestamp();
        Entry span = Log.Add("span", "", at);
        span.Begin = begin;
        span.Number = Environment.ProcessId;
        span.End = end;
    }
}
