// What     How long the library's attach to its own process takes, from the request to "attached", by a clock outside it; and what the
//          runtime compiles and allocates meanwhile.
// What not Loading the library and compiling TierUp's own code is over before. The driver says whether EventSource is on.
// Failure  InvalidOperationException when it does not attach.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Bench.Signals.Children;

internal static class AttachChild
{
    private const double MillisecondsPerSecond = 1e3;
    private const double NanosecondsPerMillisecond = 1e6;
    private const double BytesPerKib = 1024;
    private const int SpinsBetweenLooks = 100;
    private static readonly long s_limit = Stopwatch.Frequency * 10;

    internal static Dictionary<string, double[]> Run(bool isManifestBuilt)
    {
        if (isManifestBuilt)
        {
            // The first session on the runtime's provider makes the managed side describe its events; this one is that session.
            using ManifestListener listener = new();
        }

        NativeFigures figures = new();
        SpinUntil(figures, SignalsState.None);
        int compiled = (int)JitInfo.GetCompiledMethodCount();
        TimeSpan compiling = JitInfo.GetCompilationTime();
        long allocated = GC.GetTotalAllocatedBytes();
        long cpu = CpuClock.ProcessNs();
        long took = Attach(figures);
        cpu = CpuClock.ProcessNs() - cpu;
        allocated = GC.GetTotalAllocatedBytes() - allocated;
        compiling = JitInfo.GetCompilationTime() - compiling;
        compiled = (int)JitInfo.GetCompiledMethodCount() - compiled;
        return new()
        {
            ["attach_ms"] = [took * (MillisecondsPerSecond / Stopwatch.Frequency)],
            ["library_ms"] = [figures.Signals().AttachNs / NanosecondsPerMillisecond],
            ["cpu_ms"] = [cpu / NanosecondsPerMillisecond],
            ["jit_ms"] = [compiling.TotalMilliseconds],
            ["jit_methods"] = [compiled],
            ["allocated_kib"] = [allocated / BytesPerKib],
        };
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static long Attach(NativeFigures figures)
    {
        long began = Stopwatch.GetTimestamp();
        figures.Request();
        SpinUntil(figures, SignalsState.Attached);
        return Stopwatch.GetTimestamp() - began;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void SpinUntil(NativeFigures figures, SignalsState state)
    {
        long began = Stopwatch.GetTimestamp();
        while (figures.Signals().State != (byte)state)
        {
            if (Stopwatch.GetTimestamp() - began > s_limit)
            {
                throw new InvalidOperationException($"the signals are not {state}");
            }

            Thread.SpinWait(SpinsBetweenLooks);
        }
    }

    private sealed class ManifestListener : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
            {
                EnableEvents(eventSource, EventLevel.Critical, (EventKeywords)1);
            }
        }
    }
}
