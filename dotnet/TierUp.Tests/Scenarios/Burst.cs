// What     Many methods called past their threshold at once: the list of pending compilations, the count, and the wait for all of them.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime;

namespace TierUp.Tests.Scenarios;

internal static class Burst
{
    private const int Methods = 300;
    private static readonly TimeSpan s_bound = TimeSpan.FromSeconds(60);

    internal static void Run()
    {
        Func<int, int>[] methods = FreshMethods.Take(Methods);
        HashSet<nint> ours = [.. methods.Select(method => method.Method.MethodHandle.Value)];
        _ = TieredCompilation.GetPendingCompilations().Count + TieredCompilation.PendingTieredCompilationCount;
        Array.ForEach(methods, method => method(1));
        TieredCompilation.WaitForTieredCompilationActive(s_bound);
        // What a first listing has to find out takes longer than the burst.
        _ = TieredCompilation.GetPendingCompilations().Count;
        TieredCompilation.WaitForPendingCompilations(s_bound);
        long before = JitInfo.GetCompiledMethodCount();
        for (int i = 0; i < 30; i++)
        {
            foreach (Func<int, int> method in methods)
            {
                method(i);
            }
        }

        Console.WriteLine($"count {TieredCompilation.PendingTieredCompilationCount > 0}");
        List<IReadOnlyList<PendingCompilation>> lists = [];
        do
        {
            lists.Add(TieredCompilation.GetPendingCompilations());
        }
        while (TieredCompilation.PendingTieredCompilationCount != 0);

        // Judged when all is over: what the judgement calls for the first time takes longer to compile than the burst.
        bool areInOrder = true;
        List<PendingCompilation> seen = [];
        foreach (IReadOnlyList<PendingCompilation> pending in lists)
        {
            int[] states = [.. pending.Select(item => (int)item.State)];
            nint[] of = [.. pending.Select(item => item.MethodDescriptor).Where(ours.Contains)];
            areInOrder &= pending.Select((item, i) => item.Position == i).All(fits => fits) && states.SequenceEqual(states.OrderByDescending(state => state))
                && states.Count(state => state == (int)PendingCompilationState.Compiling) <= 1 && of.Length == of.Distinct().Count();
            seen.AddRange(pending.Where(item => ours.Contains(item.MethodDescriptor)));
        }

        bool areNamed = true;
        foreach (PendingCompilation item in seen.DistinctBy(item => item.MethodDescriptor))
        {
            areNamed &= item.Name.Contains("Fresh", StringComparison.Ordinal) && item.TryGetMethod()!.Name == "Fresh";
        }

        Console.WriteLine($"in order {areInOrder}");
        Console.WriteLine($"named {areNamed}");
        Console.WriteLine($"queued {seen.Any(item => item.State == PendingCompilationState.Queued)}");
        Console.WriteLine($"idle {TieredCompilation.WaitForPendingCompilations(s_bound)}");
        Console.WriteLine($"compiled {JitInfo.GetCompiledMethodCount() - before >= Methods}");
        Console.WriteLine($"left {TieredCompilation.GetPendingCompilations().Count(item => ours.Contains(item.MethodDescriptor))}");
        Console.WriteLine($"an item {seen.FirstOrDefault()}");
    }
}
