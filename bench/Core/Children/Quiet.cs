// What     Waits until the process has stopped compiling, so that a measurement doesn't pay for what came before it.
// What not Part of no measured span.
// Failure  TimeoutException when the process never settles.

using System;
using System.Diagnostics;
using System.Runtime;
using System.Threading;

namespace TierUp.Bench.Core.Children;

internal static class Quiet
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    /// <summary>Longer than the call-counting delay with one extension (100 ms each).</summary>
    private static readonly TimeSpan Still = TimeSpan.FromMilliseconds(400);

    internal static void Wait()
    {
        GC.Collect();
        Stopwatch all = Stopwatch.StartNew();
        Stopwatch still = Stopwatch.StartNew();
        long seen = JitInfo.GetCompiledMethodCount();
        while (still.Elapsed < Still)
        {
            if (all.Elapsed > Limit)
            {
                throw new TimeoutException("the process went on compiling: no quiet moment to measure in");
            }

            Thread.Sleep(Look);
            long now = JitInfo.GetCompiledMethodCount();
            if (now != seen)
            {
                seen = now;
                still.Restart();
            }
        }
    }
}
