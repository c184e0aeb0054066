// What     One method from cold to tier 1, as our stream tells it and as an EventListener does.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;

namespace TierUp.Tests.Scenarios;

internal static class Ladder
{
    private static int s_sum;

    internal static void Run()
    {
        using RuntimeListener listener = new();
        nint method = ((Func<int, int>)Driven).Method.MethodHandle.Value;
        using TieringEventStream stream = TieringEventStream.Open(new TieringEventsOptions { IncludeNames = true });
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(Driven, TimeSpan.FromSeconds(60)))
        {
            for (int i = 0; i < calls; i++)
            {
                s_sum += Driven(i);
            }
        }

        List<TieringEvent> events = [];
        while (!events.Any(seen => seen.MethodDescriptor == method && seen.Kind == TieringEventKind.Activated && seen.Tier == CompilationTier.Tier1))
        {
            if (!stream.WaitToRead(TimeSpan.FromSeconds(60)))
            {
                // Told at the worker's next step; the batch's end is one.
                throw new TimeoutException("the activation was not told");
            }

            while (stream.TryRead(out TieringEvent next))
            {
                events.Add(next);
            }
        }

        RuntimeListener.WaitUntil(() => RuntimeListener.Loads.Count(load => load.Method == method) == 3);
        for (int i = 0; i < events.Count; i++)
        {
            if (events[i].Sequence != i + 1)
            {
                Console.WriteLine($"hole {events[i].Sequence} at {i + 1}");
            }
        }

        foreach (TieringEvent seen in events.Where(seen => seen.MethodDescriptor == method))
        {
            Console.WriteLine($"step {seen.Kind} {seen.Tier}");
            if (seen.Kind == TieringEventKind.Published)
            {
                Console.WriteLine($"published {seen.Code} {seen.CodeSize} {seen.ThreadId} {seen.MethodName}");
            }
        }

        foreach ((nint _, nint code, int size, long thread) in RuntimeListener.Loads.Where(load => load.Method == method))
        {
            Console.WriteLine($"loaded {code} {size} {thread} {nameof(Driven)}");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Driven(int value)
    {
        return value * 17;
    }
}
