// What     Drives many subjects by TierUp's own schedules, round robin, so that one delay serves all of them.
// What not It does not decide whether a schedule is right: the driver program compares it with the runtime's events.
// Threads  The caller's.
// Failure  Bounded rounds and bounded steps; a bound that is hit is an "error" line.
using System;
using System.Collections.Generic;
using System.Threading;

namespace TierUp.Matrix;

internal static class Drive
{
    private const int MaxRounds = 12;

    /// <summary>How long a missing promotion is looked for before the last call of a step. The background worker starts within 1 ms
    /// when no delay is active; the gap exists so that a promotion that came one call early shows in the trace as early.</summary>
    private static readonly TimeSpan gap = TimeSpan.FromMilliseconds(15);

    private static readonly TimeSpan stepBound = TimeSpan.FromSeconds(20);

    /// <summary>Takes all subjects to the end of their schedules.</summary>
    public static void ToEnd(IReadOnlyList<Subject> subjects)
    {
        foreach (Subject subject in subjects) subject.Observe("start");
        for (int round = 0; round < MaxRounds; round++)
        {
            if (!Round(subjects, round)) return;
        }
        foreach (Subject subject in subjects)
        {
            if (!subject.HasEnded) Log.Failed(subject.Name, "schedule", new TimeoutException($"no end after {MaxRounds} steps"));
        }
    }

    private static bool Round(IReadOnlyList<Subject> subjects, int round)
    {
        bool any = false;
        foreach (Subject subject in subjects)
        {
            if (!subject.NextStep(stepBound)) continue;
            any = true;
            if (!subject.IsCalled) { subject.Stop(); continue; }
            subject.Call(subject.Asked - 1);
        }
        if (!any) return false;
        Thread.Sleep(gap);
        foreach (Subject subject in subjects)
        {
            if (subject.HasEnded) continue;
            if (subject.Asked > 1) subject.Look("before last call " + round);
            Log.Mark(subject.Name, "last call", subject.Calls);
            subject.Call(1);
            subject.Look("after last call " + round);
        }
        return true;
    }
}
