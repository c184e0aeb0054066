// What     Processor time in ns: of the calling thread, of the process, and of the threads whose name begins with a prefix.
// What not A thread that began and ended between two looks is not seen (the process's own time has it).
// Failure  InvalidOperationException where the kernel has no such clock.
// Source   clock_gettime(2): CLOCK_PROCESS_CPUTIME_ID 2, CLOCK_THREAD_CPUTIME_ID 3. proc(5): task/[tid]/comm, and schedstat's first number.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TierUp.Bench.Signals.Children;

internal static unsafe class CpuClock
{
    private const int Process = 2;
    private const int Thread = 3;
    private const long NanosecondsPerSecond = 1_000_000_000;

    internal static long ProcessNs()
    {
        return Read(Process);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static long ThreadNs()
    {
        return Read(Thread);
    }

    /// <summary>By the thread's id.</summary>
    internal static Dictionary<string, long> ThreadsNs(string prefix)
    {
        Dictionary<string, long> times = [];
        foreach (string folder in Directory.GetDirectories("/proc/self/task"))
        {
            try
            {
                if (File.ReadAllText(Path.Combine(folder, "comm")).StartsWith(prefix, StringComparison.Ordinal))
                {
                    string spent = File.ReadAllText(Path.Combine(folder, "schedstat")).Split(' ')[0];
                    times[Path.GetFileName(folder)] = long.Parse(spent, CultureInfo.InvariantCulture);
                }
            }
            catch (IOException)
            {
                // It ended while we looked.
            }
        }

        return times;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static long Read(int clock)
    {
        TimeSpec time = default;
        if (GetTime(clock, &time) != 0)
        {
            throw new InvalidOperationException($"no clock {clock}");
        }

        return (time.Seconds * NanosecondsPerSecond) + time.Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int GetTime(int clock, TimeSpec* time);

    private struct TimeSpec
    {
        internal long Seconds;
        internal long Nanoseconds;
    }
}
