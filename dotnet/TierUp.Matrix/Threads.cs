// What     Two threads that call one method, and two enumerators over one method: the schedule is a lower bound, the end is the end.
// What not Stub deletion: that is in Deletion.
// Threads  Starts its own and joins them.
// Failure  A thread's exception is an "error" line.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Threads
{
    private const int MaxSteps = 200;
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);

    public static void Run()
    {
        Subject called = Lot.Next("two callers"), watched = Lot.Next("two enumerators"), awaited = Lot.Next("two async enumerators");
        TwoCallers(called);
        TwoEnumerators(watched);
        TwoAsyncEnumerators(awaited).GetAwaiter().GetResult();
        Subject[] all = [called, watched, awaited];
        foreach (Subject subject in all) subject.Observe("ended");
        Canary.Settle(all, "settle");
        foreach (Subject subject in all) subject.Observe("settled");
    }

    private static void TwoCallers(Subject subject)
    {
        int steps = 0;
        foreach (int calls in subject.Schedule(bound))
        {
            if (++steps > MaxSteps) break;
            int half = calls / 2;
            Both(subject.Name, () => subject.Call(calls - half), () => subject.Call(half));
        }
        Log.Say(subject.Name, "steps", steps <= MaxSteps ? "ended" : "no end", steps);
    }

    private static void TwoEnumerators(Subject subject)
    {
        int[] steps = new int[2];
        void Follow(int index)
        {
            foreach (int calls in subject.Schedule(bound))
            {
                if (++steps[index] > MaxSteps) break;
                subject.Call(calls);
            }
        }
        Both(subject.Name, () => Follow(0), () => Follow(1));
        Log.Say(subject.Name, "steps", steps[0] <= MaxSteps && steps[1] <= MaxSteps ? "ended" : "no end", steps[0] + steps[1]);
    }

    private static async Task TwoAsyncEnumerators(Subject subject)
    {
        async Task<int> Follow()
        {
            int steps = 0;
            await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(subject.Handle))
            {
                if (++steps > MaxSteps) break;
                subject.Call(calls);
            }
            return steps;
        }
        Task<int> first = Task.Run(Follow), second = Task.Run(Follow);
        int[] steps = await Task.WhenAll(first, second).WaitAsync(bound);
        Log.Say(subject.Name, "steps", steps[0] <= MaxSteps && steps[1] <= MaxSteps ? "ended" : "no end", steps[0] + steps[1]);
    }

    private static void Both(string row, Action first, Action second)
    {
        Thread[] threads = new Thread[2];
        Action[] actions = [first, second];
        for (int i = 0; i < 2; i++)
        {
            Action action = actions[i];
            threads[i] = new Thread(() =>
            {
                try { action(); }
                catch (Exception exception) { Log.Failed(row, "thread", exception); }
            });
            threads[i].Start();
        }
        foreach (Thread thread in threads) thread.Join();
    }
}
