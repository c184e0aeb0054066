// What     5,000 small compilations by first calls on one thread, in chunks: without the library, with it attached and nobody waiting, and
//          with a waiter.
// What not Emitting the methods, starting the library and attaching are over before the clock starts.
// Failure  InvalidOperationException when the library received method events where it must not, or none where it must.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal enum CompileMode
{
    Alone,
    AttachedIdle,
    AttachedWaiting,
}

internal static class CompileChild
{
    private const int Chunks = 50;
    private const int MethodsPerChunk = 100;
    private const int WarmUps = 500;
    private const int Steps = 8;
    private const double NanosecondsPerSecond = 1e9;
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(1);

    internal static Dictionary<string, double[]> Run(CompileMode mode)
    {
        Subject[] subjects = GeneratedMethods.Emit("Compiled", WarmUps + MethodsPerChunk + (Chunks * MethodsPerChunk), Steps);
        Subject waited = GeneratedMethods.Emit("Waited", 1, Steps)[0];
        NativeFigures? figures = mode == CompileMode.Alone ? null : Attach();
        Calls.Make(waited, 1);
        Compile(subjects.AsSpan(0, WarmUps));
        Quiet.Wait();
        Compile(subjects.AsSpan(WarmUps, MethodsPerChunk));
        if (mode == CompileMode.AttachedWaiting)
        {
            BeginToWait(figures!, waited);
        }

        Dictionary<string, double[]> samples = [];
        ulong before = figures?.Signals().MethodEventsReceived ?? 0;
        // A thread of its own has a heap arena of its own: what was allocated on the main one before changes its speed.
        Thread compiler = new(() => samples = Measure(subjects.AsSpan(WarmUps + MethodsPerChunk)));
        compiler.Start();
        compiler.Join();
        RequireEvents(mode, (figures?.Signals().MethodEventsReceived ?? 0) - before);
        return samples;
    }

    private static Dictionary<string, double[]> Measure(Span<Subject> subjects)
    {
        double[] wallNs = new double[Chunks];
        double[] cpuNs = new double[Chunks];
        for (int chunk = 0; chunk < Chunks; chunk++)
        {
            Span<Subject> batch = subjects.Slice(chunk * MethodsPerChunk, MethodsPerChunk);
            long cpu = CpuClock.ThreadNs();
            long began = Stopwatch.GetTimestamp();
            Compile(batch);
            wallNs[chunk] = (Stopwatch.GetTimestamp() - began) * (NanosecondsPerSecond / Stopwatch.Frequency);
            cpuNs[chunk] = CpuClock.ThreadNs() - cpu;
        }

        return new() { ["wall_ns"] = wallNs, ["cpu_ns"] = cpuNs };
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Compile(Span<Subject> subjects)
    {
        for (int i = 0; i < subjects.Length; i++)
        {
            Calls.Make(subjects[i], 1);
        }
    }

    /// <summary>As a program is after its first process-wide waits.</summary>
    private static NativeFigures Attach()
    {
        TimeSpan limit = WakeSubjects.Limit;
        if (!TieredCompilation.WaitForTieredCompilationActive(limit) || !TieredCompilation.WaitForPendingCompilations(limit))
        {
            throw new InvalidOperationException("the library did not settle");
        }

        NativeFigures figures = new();
        WaitForEvents(figures, areOn: false);
        return figures;
    }

    /// <summary>
    /// Waits for a promotion that doesn't come: the method is called often enough while a delay is active, and the first calls that are
    /// measured go on extending that delay. Method events are on (level 4) once such a wait has lasted a few milliseconds.
    /// </summary>
    private static void BeginToWait(NativeFigures figures, Subject waited)
    {
        Calls.Make(waited, WakeSubjects.Threshold);
        Thread waiter = new(() => TieredCompilation.WaitForFinalCompilation(waited.Handle, Timeout.InfiniteTimeSpan));
        waiter.IsBackground = true;
        waiter.Start();
        WaitForEvents(figures, areOn: true);
    }

    private static void WaitForEvents(NativeFigures figures, bool areOn)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (figures.Signals().MethodEventsOn != (areOn ? 1 : 0))
        {
            if (waited.Elapsed > WakeSubjects.Limit)
            {
                throw new InvalidOperationException("the method events were not switched");
            }

            Thread.Sleep(s_look);
        }
    }

    private static void RequireEvents(CompileMode mode, ulong received)
    {
        bool isRight = mode == CompileMode.AttachedWaiting ? received >= Chunks * MethodsPerChunk : received == 0;
        if (!isRight)
        {
            throw new InvalidOperationException($"{mode}: {received} method events for {Chunks * MethodsPerChunk} compilations");
        }
    }
}
