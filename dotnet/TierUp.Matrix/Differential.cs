// What     Random load, and watchers that ask "idle?" and "active?" again and again; every "yes" is held at once against the methods that had
//          reached their threshold (or had been called for the first time) before the question.
// What not TierUp drives nothing. The oracle is each method's own entry point (EntryPoint) and, afterwards, the trace.
// Threads  Three that call, five that ask, all joined.
// Failure  A "yes" that was too early is a "false" line, an answer that does not come a "hang" line.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace TierUp.Matrix;

internal static class Differential
{
    private const int Callers = 3;

    /// <summary>No answer for so long, while the load goes on or has ended, is a hang.</summary>
    public static readonly TimeSpan Bound = TimeSpan.FromSeconds(20);

    public static void Run()
    {
        int perCaller = Options.Promotions / Options.Phases / Callers + 1;
        FreshMethods methods = new("load", perCaller * Callers);
        LoadCaller[] callers = new LoadCaller[Callers];
        for (int i = 0; i < Callers; i++) callers[i] = new(methods, perCaller, Options.Seed * 31 + i);
        List<Watchman> watchmen = [];
        foreach (Question question in Enum.GetValues<Question>()) watchmen.Add(new(question, callers, Options.Seed * 57 + (int)question));

        long start = Stopwatch.GetTimestamp();
        foreach (Watchman watchman in watchmen) watchman.Start();
        foreach (LoadCaller caller in callers) caller.Start();
        foreach (LoadCaller caller in callers) caller.Join();
        foreach (Watchman watchman in watchmen) watchman.Stop();
        foreach (Watchman watchman in watchmen) watchman.Join();
        Log.Say("", "load ms", "", (long)Stopwatch.GetElapsedTime(start).TotalMilliseconds);

        // Nobody calls any more: what is asked now covers all that is left.
        Watchman last = new(Question.Idle, callers, 0);
        last.AskOnce();
        watchmen.Add(last);
        Tell(methods, callers, watchmen);
    }

    private static void Tell(FreshMethods methods, LoadCaller[] callers, List<Watchman> watchmen)
    {
        foreach (Watchman watchman in watchmen)
        {
            Log.Say(watchman.Name, "answers", "", watchman.Answers);
            Log.Say(watchman.Name, "checks", "", watchman.Checks);
            Log.Say(watchman.Name, "false answers", "", watchman.FalseAnswers);
            Log.Say(watchman.Name, "hangs", "", watchman.Hangs);
        }
        foreach (LoadCaller caller in callers)
        {
            Journal reached = caller.Reached;
            for (int i = 0; i < reached.Count; i++)
            {
                // The whole of one promotion: when its threshold had been reached, and when an answer first said that it was done.
                Entry entry = Log.Add("item", "", "");
                entry.Handle = methods.Handles[reached.Slot(i)].Value;
                entry.Begin = reached.At(i);
                entry.End = reached.CoveredAt(i);
                entry.Number = reached.Phase(i);
            }
        }
    }
}
