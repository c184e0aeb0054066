// What     The process-wide members under whatever settings this process has.

using System;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace TierUp.Tests.Scenarios;

internal static class Waits
{
    private static readonly TimeSpan s_bound = TimeSpan.FromSeconds(60);
    private const int MaxLooks = 30;
    private static int s_sum;

    internal static void Run()
    {
        int first = RuntimeHelpers.PendingTieredCompilationCount;
        Console.WriteLine($"first count {first}");
        bool active = ((ValueTask)RuntimeHelpers.WaitForTieredCompilationActive()).AsTask().Wait(s_bound);
        Console.WriteLine($"active {active}");
        bool idle = ((ValueTask)RuntimeHelpers.WaitForPendingCompilations()).AsTask().Wait(s_bound);
        Console.WriteLine($"idle {idle}");

        // One promotion, then a wait: the runtime must have compiled it.
        Func<int, int> subject = FreshMethods.Take(1)[0];
        s_sum += subject(1);
        Console.WriteLine($"active again {TieredCompilation.WaitForTieredCompilationActive(s_bound)}");
        long before = JitInfo.GetCompiledMethodCount();
        for (int i = 0; i < 60; i++)
        {
            s_sum += subject(i);
        }

        Console.WriteLine($"idle again {TieredCompilation.WaitForPendingCompilations(s_bound)}");
        Console.WriteLine($"compiled {JitInfo.GetCompiledMethodCount() > before}");
        // The lines above call methods for the first time and so go on making work.
        int last = 1;
        for (int i = 0; i < MaxLooks && last != 0; i++)
        {
            TieredCompilation.WaitForPendingCompilations(s_bound);
            last = TieredCompilation.PendingTieredCompilationCount;
        }

        Console.WriteLine($"last count {last}");
        Console.WriteLine($"known {TieredCompilation.Capabilities is { HasQueueView: true, IsBatchKnown: true }}");
        Console.WriteLine($"capabilities {TieredCompilation.Capabilities}");
        Console.WriteLine($"queue {TieredCompilation.Capabilities.HasQueueView} {TieredCompilation.Capabilities.QueueViewReason}");
    }
}
