// What     Case 2: a schedule that begins at any point of a method's life, uneven call rates, an OSR callee, the proposal's own spelling.
// What not Kinds of methods: those are in Kinds.
// Threads  The caller's; the async part may go on on a pool thread.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Starts
{
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);
    private static int sink;
    private static int iterations;

    public static void Run()
    {
        Subject inDelay = Lot.Next("in delay"), counting = Lot.Next("counting"), atTier1 = Lot.Next("at tier 1");
        Subject often = Lot.Next("often"), seldom = Lot.Next("seldom"), proposal = Lot.Next("proposal");
        Subject outer = new("osr caller", Method(nameof(Outer)), static () => sink += Outer(3));
        Subject inner = new("osr callee", Method(nameof(Inner)), static () => sink += Inner(iterations));
        List<Subject> all = [inDelay, counting, atTier1, often, seldom, proposal, outer, inner];

        Drive.ToEnd([atTier1]);
        Again(atTier1);

        counting.Call(1);
        Log.Say(counting.Name, "ready", counting.WaitReady(bound).ToString());
        counting.Observe("ready");
        counting.Call(10);
        Drive.ToEnd([counting]);

        inDelay.Call(5);
        Drive.ToEnd([inDelay]);

        iterations = 200_000;
        outer.Call(1);
        iterations = 10;
        Drive.ToEnd([outer, inner]);

        Uneven(often, seldom);
        AsProposed(proposal).GetAwaiter().GetResult();

        foreach (Subject subject in all) subject.Observe("ended");
        Canary.Settle(all, "settle");
        foreach (Subject subject in all) subject.Observe("settled");
    }

    /// <summary>Everything asked of a method that is final already: nothing may block.</summary>
    private static void Again(Subject subject)
    {
        long start = Stopwatch.GetTimestamp();
        int steps = 0;
        foreach (int step in subject.Schedule(bound)) steps++;
        bool ready = subject.WaitReady(bound), final = subject.WaitFinal(bound);
        ValueTask wait = RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(subject.Handle);
        bool completed = wait.IsCompletedSuccessfully;
        wait.GetAwaiter().GetResult();
        Log.Say(subject.Name, "again", $"{ready} {final} {completed} {steps}", (long)Stopwatch.GetElapsedTime(start).TotalMicroseconds);
    }

    /// <summary>One method is called three times as often as the schedule of the other asks.</summary>
    private static void Uneven(Subject often, Subject seldom)
    {
        for (int round = 0; round < 8 && seldom.NextStep(bound); round++)
        {
            often.Call(3 * seldom.Asked);
            seldom.Call(seldom.Asked - 1);
            Log.Mark(seldom.Name, "last call", seldom.Calls);
            seldom.Call(1);
            often.Observe("round " + round);
            seldom.Observe("round " + round);
        }
        often.WaitFinal(bound);
    }

    /// <summary>The proposal's members as the proposal spells them.</summary>
    private static async Task AsProposed(Subject subject)
    {
        MethodInfo method = (MethodInfo)MethodBase.GetMethodFromHandle(subject.Handle)!;
        RuntimeMethodHandle handle = method.MethodHandle;
        ValueTask cold = RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(handle, CancellationToken.None);
        Log.Say(subject.Name, "cold wait completed", cold.IsCompletedSuccessfully.ToString());
        await cold;
        await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(handle))
        {
            Entry ask = Log.Add("ask", subject.Name, "step");
            ask.Number = calls;
            ask.Calls = subject.Calls;
            subject.Call(calls - 1);
            subject.Look("before last call");
            Log.Mark(subject.Name, "last call", subject.Calls);
            subject.Call(1);
            await RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(handle);
            subject.Observe("waited");
        }
        Log.Say(subject.Name, "status", RuntimeHelpers.GetMethodCompilationStatus(handle).ToString());
        Log.Say(subject.Name, "optimized", RuntimeHelpers.IsMethodFullyOptimized(handle).ToString());
        Log.Say(subject.Name, "remaining", RuntimeHelpers.GetCallsToNextTierPromotion(handle).ToString());
    }

    private static MethodInfo Method(string name) => typeof(Starts).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Outer(int x) => x + Inner(iterations);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Inner(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i ^ (sum << 1);
        return sum;
    }
}
