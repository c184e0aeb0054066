// What     Cancellation, time-outs, calling less or more than asked: each with a clear result, none with a hang.
// What not Many threads: those are in Threads. The driver program sets a long delay, so that a wait that must be pending is.
// Threads  The caller's.
// Failure  A result that differs is a "say" line with other words; a hang is the driver program's time limit.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Waits
{
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);

    public static void Run()
    {
        Cancelled();
        TimedOut();
        UnderInvoked(Lot.Next("under-invoked"));
        OverInvoked(Lot.Next("over-invoked"));
    }

    private static void Cancelled()
    {
        Subject pending = Lot.Next("cancelled");
        pending.Call(1);
        using CancellationTokenSource source = new();
        TryWait("cancelled", "pending wait", source, () => RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(pending.Handle, source.Token));
        TryWait("cancelled", "cancelled before", source, () => RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(pending.Handle, source.Token));

        Subject enumerated = Lot.Next("cancelled enumeration");
        enumerated.Call(1);
        using CancellationTokenSource argument = new(), with = new();
        Try("cancelled", "enumeration by argument", argument, async () =>
        {
            await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(enumerated.Handle, argument.Token)) break;
        });
        Subject other = Lot.Next("cancelled enumeration with");
        other.Call(1);
        Try("cancelled", "enumeration by WithCancellation", with, async () =>
        {
            await foreach (int calls in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(other.Handle).WithCancellation(with.Token)) break;
        });
        // The methods are none the worse for it.
        foreach (Subject subject in new[] { pending, enumerated, other }) Log.Say(subject.Name, "ready", subject.WaitReady(bound).ToString());
    }

    private static void TryWait(string row, string at, CancellationTokenSource source, Func<ValueTask> wait) => Try(row, at, source, () => wait().AsTask());

    private static void Try(string row, string at, CancellationTokenSource source, Func<Task> wait)
    {
        Task task = wait();
        bool completedBefore = task.IsCompleted && !source.IsCancellationRequested;
        long start = Stopwatch.GetTimestamp();
        source.Cancel();
        string result;
        try
        {
            task.WaitAsync(bound).GetAwaiter().GetResult();
            result = "completed";
        }
        catch (OperationCanceledException exception)
        {
            result = exception.CancellationToken == source.Token ? "cancelled by the token" : "cancelled by another token";
        }
        catch (Exception exception)
        {
            result = exception.GetType().Name;
        }
        Log.Say(row, at, completedBefore ? "completed before" : result, (long)Stopwatch.GetElapsedTime(start).TotalMilliseconds);
    }

    private static void TimedOut()
    {
        Subject subject = Lot.Next("timed out");
        subject.Call(1);
        Timed("ready, 5 ms", () => subject.WaitReady(TimeSpan.FromMilliseconds(5)));
        Timed("ready, zero", () => subject.WaitReady(TimeSpan.Zero));
        try
        {
            foreach (int calls in subject.Schedule(TimeSpan.FromMilliseconds(5))) Log.Say("timed out", "schedule", "asked for " + calls);
        }
        catch (Exception exception)
        {
            Log.Say("timed out", "schedule", exception.GetType().Name + ": " + exception.Message);
        }
        Timed("ready, generous", () => subject.WaitReady(bound));
        Timed("final, 60 ms", () => subject.WaitFinal(TimeSpan.FromMilliseconds(60)));
        subject.Observe("timed out");
    }

    private static void Timed(string at, Func<bool> wait)
    {
        long start = Stopwatch.GetTimestamp();
        bool result = wait();
        Log.Say("timed out", at, result.ToString(), (long)Stopwatch.GetElapsedTime(start).TotalMicroseconds);
    }

    /// <summary>Calls less than it was asked for, down to no call at all; each step says what is left.</summary>
    private static void UnderInvoked(Subject subject)
    {
        subject.Observe("start");
        int[] made = [1, 0, 10, 0, 5, 14, 1, 30];
        foreach (int calls in made)
        {
            if (!subject.NextStep(bound)) break;
            subject.Call(calls);
            subject.Observe("called " + calls);
        }
        Log.Say(subject.Name, "ended", (!subject.NextStep(bound)).ToString());
        subject.Observe("ended");
        Canary.Settle([subject], "settle under-invoked");
        subject.Observe("settled");
    }

    /// <summary>Calls far more than it was asked for.</summary>
    private static void OverInvoked(Subject subject)
    {
        subject.Observe("start");
        for (int i = 0; i < 8 && subject.NextStep(bound); i++)
        {
            subject.Call(subject.Asked * 20);
            subject.Observe("called " + subject.Asked * 20);
        }
        subject.Observe("ended");
        Canary.Settle([subject], "settle over-invoked");
        subject.Observe("settled");
    }
}
