// What     From a method's load event to a call of an EventListener in the same process, and to our await going on: for the same events.
// What not In a process of its own: the listener keeps the runtime's verbose method events on, which would disturb the other figures.
// Failure  InvalidOperationException when the listener is not called for a load.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class ListenerChild
{
    private const int Subjects = 40;
    private const int WarmUps = 20;
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(1);

    internal static async Task<Dictionary<string, double[]>> RunAsync()
    {
        using LoadListener listener = new();
        using Recorder recorder = new();
        await MeasureAsync(WakeSubjects.Prepare("ListenerWarmUp", WarmUps), listener, recorder).ConfigureAwait(false);
        Subject[] subjects = WakeSubjects.Prepare("Listened", Subjects);
        Quiet.Wait();
        return await MeasureAsync(subjects, listener, recorder).ConfigureAwait(false);
    }

    private static async Task<Dictionary<string, double[]>> MeasureAsync(Subject[] subjects, LoadListener listener, Recorder recorder)
    {
        WakeSamples ours = new();
        WakeSamples theirs = new();
        foreach (Subject subject in subjects)
        {
            for (int promotion = 1; promotion <= WakeSubjects.Promotions; promotion++)
            {
                recorder.Forget();
                Calls.Make(subject, WakeSubjects.Threshold);
                await RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(subject.Handle).ConfigureAwait(false);
                long ranAt = Stopwatch.GetTimestamp();
                long publishedAt = recorder.LastPublication(subject.Handle.Value);
                ours.AddTicks(ranAt - publishedAt);
                theirs.AddTicks(WaitForListener(listener, subject, promotion) - publishedAt);
            }
        }

        return new() { ["listener_us"] = theirs.Take("listener"), ["ours_us"] = ours.Take("ours") };
    }

    private static long WaitForListener(LoadListener listener, in Subject subject, int load)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (waited.Elapsed < WakeSubjects.Limit)
        {
            if (listener.CalledAt(subject.Handle.Value, load) is long calledAt and not 0)
            {
                return calledAt;
            }

            Thread.Sleep(s_look);
        }

        throw new InvalidOperationException($"the listener was not called for load {load} of {subject.Name}");
    }
}
