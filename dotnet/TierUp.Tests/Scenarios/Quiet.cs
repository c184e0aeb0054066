// What     A second process-wide wait, count and list in a quiet process, between two calls that begin a delay for certain.

using System;
using System.Linq;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Tests.Scenarios;

internal static class Quiet
{
    private static readonly TimeSpan s_bound = TimeSpan.FromSeconds(60);
    private static long s_compiled;
    private static int s_sum;

    internal static void Run()
    {
        using RuntimeListener listener = new();
        Func<int, int>[] marks = FreshMethods.Take(5);
        s_sum += marks[0](1);
        Play();
        // Twice, so that nothing but the marks is called for the first time in the second round.
        Round(marks[1], marks[2]);
        string seen = Round(marks[3], marks[4]);
        Console.WriteLine(seen);
    }

    /// <summary>The play between two marks: calls that begin a delay for certain.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string Round(Func<int, int> firstMark, Func<int, int> lastMark)
    {
        nint first = firstMark.Method.MethodHandle.Value;
        nint last = lastMark.Method.MethodHandle.Value;
        s_sum += firstMark(1);
        TieredCompilation.WaitForTieredCompilationActive(s_bound);
        RuntimeListener.WaitUntil(() => RuntimeListener.Loads.Any(load => load.Method == first));
        long thread = RuntimeListener.Loads.First(load => load.Method == first).Thread;
        int before = RuntimeListener.PausingThreads.Count(pausing => pausing == thread);
        TieredCompilation.WaitForTieredCompilationActive(s_bound);
        TieredCompilation.WaitForPendingCompilations(s_bound);
        Play();
        long compiled = s_compiled;
        s_sum += lastMark(1);

        // A delay is told right behind the load that began it, by the same thread.
        RuntimeListener.WaitUntil(() => RuntimeListener.PausingThreads.Count(pausing => pausing == thread) > before);
        RuntimeListener.WaitUntil(() => RuntimeListener.Loads.Any(load => load.Method == last));
        int loads = RuntimeListener.Loads.SkipWhile(load => load.Method != first).Skip(1).TakeWhile(load => load.Method != last).Count(load => load.Thread == thread);
        int pauses = RuntimeListener.PausingThreads.Count(pausing => pausing == thread) - before;
        return $"compiled {compiled}\nloaded {loads}\npauses {pauses}";
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Play()
    {
        long before = JitInfo.GetCompiledMethodCount(currentThread: true);
        for (int i = 0; i < 3; i++)
        {
            s_sum += RuntimeHelpers.PendingTieredCompilationCount;
            s_sum += TieredCompilation.WaitForTieredCompilationActive(s_bound) ? 1 : 0;
            s_sum += TieredCompilation.WaitForPendingCompilations(s_bound) ? 1 : 0;
            ValueTask active = RuntimeHelpers.WaitForTieredCompilationActive();
            ValueTask idle = RuntimeHelpers.WaitForPendingCompilations(CancellationToken.None);
            s_sum += active.IsCompletedSuccessfully ? 1 : 0;
            s_sum += idle.IsCompletedSuccessfully ? 1 : 0;
            s_sum += TieredCompilation.GetPendingCompilations().Count;
        }

        s_compiled = JitInfo.GetCompiledMethodCount(currentThread: true) - before;
    }
}
