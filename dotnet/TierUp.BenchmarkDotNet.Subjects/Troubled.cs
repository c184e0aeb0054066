// What     Benchmarks that make trouble: one throws, two are long.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace TierUp.BenchmarkDotNet.Subjects;

public class ThrowingKinds
{
    private int calls;

    [Benchmark]
    public int Throwing() => throw new InvalidOperationException("thrown by the benchmark itself");

    /// <summary>Throws only in the middle of a warm-up.</summary>
    [Benchmark]
    public int ThrowingLater() => ++calls < 20 ? calls : throw new InvalidOperationException("thrown by the twentieth call");
}

/// <summary>CASES.md, case 3, in a third of its time per call: nothing but the clock ends a call, so no tier makes it shorter.</summary>
public class LongKinds
{
    [Benchmark]
    public long Takes100Milliseconds() => Spin(100);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Spin(int milliseconds)
    {
        long end = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * milliseconds / 1000), turns = 0;
        while (Stopwatch.GetTimestamp() < end) turns++;
        return turns;
    }
}

public class ShortLongKinds
{
    [Benchmark]
    public long Takes20Milliseconds() => Spin(20);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Spin(int milliseconds)
    {
        long end = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * milliseconds / 1000), turns = 0;
        while (Stopwatch.GetTimestamp() < end) turns++;
        return turns;
    }
}
