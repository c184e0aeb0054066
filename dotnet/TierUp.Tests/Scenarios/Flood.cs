// What     Many compilations on several threads: what our stream tells of each thread, and what the runtime counts on it.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime;
using System.Threading;

namespace TierUp.Tests.Scenarios;

internal static class Flood
{
    private const int Threads = 4;
    private const int MethodsPerThread = 250;

    internal static void Run()
    {
        Func<int, int>[] methods = FreshMethods.Take(Threads * MethodsPerThread);
        HashSet<nint> ours = [.. methods.Select(method => method.Method.MethodHandle.Value)];
        using TieringEventStream stream = TieringEventStream.Open();
        long[] counted = new long[Threads];
        (long Begin, long End)[] spans = new (long, long)[Threads];
        Thread[] threads = new Thread[Threads];
        for (int t = 0; t < Threads; t++)
        {
            int index = t;
            threads[t] = new Thread(() =>
            {
                long before = JitInfo.GetCompiledMethodCount(currentThread: true);
                spans[index].Begin = Stopwatch.GetTimestamp();
                for (int i = 0; i < MethodsPerThread; i++)
                {
                    methods[(index * MethodsPerThread) + i](i);
                }

                spans[index].End = Stopwatch.GetTimestamp();
                counted[index] = JitInfo.GetCompiledMethodCount(currentThread: true) - before;
            });
        }

        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        List<TieringEvent> events = [];
        while (stream.TryRead(out TieringEvent next))
        {
            events.Add(next);
        }

        Console.WriteLine($"holes {events.Where((seen, i) => seen.Sequence != i + 1).Count()}");
        Console.WriteLine($"ours {ours.Count}");
        TieringEvent[] first = [.. events.Where(seen => seen.Kind == TieringEventKind.Published && seen.Tier == CompilationTier.Tier0 && ours.Contains(seen.MethodDescriptor))];
        Console.WriteLine($"published {first.Length} distinct {first.Select(seen => seen.MethodDescriptor).Distinct().Count()}");
        for (int t = 0; t < Threads; t++)
        {
            nint mine = methods[t * MethodsPerThread].Method.MethodHandle.Value;
            int thread = first.First(seen => seen.MethodDescriptor == mine).ThreadId;
            int told = events.Count(seen => seen.Kind == TieringEventKind.Published && seen.ThreadId == thread
                && seen.Timestamp >= spans[t].Begin && seen.Timestamp <= spans[t].End);
            Console.WriteLine($"thread told {told} counted {counted[t]}");
        }
    }
}
