// What     Methods that count already and whose compiles take long enough for a waiter to be asleep when they end.
// What not No delay is active once they are made, and nothing that begins one is called later.
// Failure  InvalidOperationException when the delay does not end or a method does not count.

using System;
using System.Runtime.CompilerServices;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class WakeSubjects
{
    /// <summary>The runtime's default number of calls in a counting phase, TC_CallCountThreshold.</summary>
    internal const int Threshold = 30;

    /// <summary>Tier 0 instrumented, tier 1.</summary>
    internal const int Promotions = 2;

    /// <summary>Some 2 ms a compile: a wait spins for 0.3 ms at most before it sleeps.</summary>
    internal const int Steps = 900;

    internal const double CompileSeconds = 2e-3;

    internal static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    internal static Subject[] Prepare(string prefix, int count)
    {
        Subject[] subjects = GeneratedMethods.Emit(prefix, count, Steps);
        foreach (Subject subject in subjects)
        {
            Calls.Make(subject, 1);
        }

        bool isActive = TieredCompilation.WaitForTieredCompilationActive(Limit) && TieredCompilation.WaitForPendingCompilations(Limit);
        foreach (Subject subject in subjects)
        {
            if (!isActive || RuntimeHelpers.GetCallsToNextTierPromotion(subject.Handle) != Threshold)
            {
                throw new InvalidOperationException($"{subject.Name} does not count: {TieredCompilation.GetMethodState(subject.Handle)}");
            }
        }

        return subjects;
    }
}
