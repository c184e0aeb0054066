// What     Tens of thousands of compilations on four threads while two event streams are open, one without a bound, one with a small one that is read
//          slowly: how many the runtime counted, how many each stream told.
// What not The streams' order within one method: that is in ProcessWide.
// Threads  Four that compile, one that reads slowly, joined.
// Failure  No quiet moment at either end: an exception, a comparison of counts would mean nothing.
using System;
using System.Diagnostics;
using System.Runtime;
using System.Threading;

namespace TierUp.Matrix;

internal static class Flood
{
    private const int Compilers = 4;
    private const long SmallCapacityBytes = 64 << 10;
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(30);

    private static TieringEventStream whole = null!, small = null!;
    private static long wholeSeen, wholeHoles, wholeLast, smallSeen, smallGaps, smallHoles, smallLast, smallTold;
    private static volatile bool isOver;

    public static void Run()
    {
        FreshMethods methods = new("flood", Options.Methods + 200);
        // What the measurement itself runs is compiled before it begins.
        Round(methods, 200);
        (wholeSeen, wholeHoles, wholeLast, smallSeen, smallGaps, smallHoles, smallLast, smallTold) = (0, 0, 0, 0, 0, 0, 0, 0);
        long compiled = Round(methods, Options.Methods);
        Log.Say("", "compiled", "", compiled);
        Log.Say("unbounded", "published", "", wholeSeen);
        Log.Say("unbounded", "holes", "", wholeHoles);
        Log.Say("bounded", "published", "", smallSeen);
        Log.Say("bounded", "in gaps", "", smallGaps);
        Log.Say("bounded", "holes", "", smallHoles);
        Log.Say("bounded", "records", "", smallTold);
        Log.Say("bounded", "last number", "", smallLast);
        Log.Say("unbounded", "last number", "", wholeLast);
    }

    private static long Round(FreshMethods methods, int count)
    {
        long before = OpenBoth();
        isOver = false;
        Thread reader = new(ReadSlowly);
        reader.Start();
        Thread[] compilers = new Thread[Compilers];
        for (int i = 0; i < Compilers; i++)
        {
            int share = count / Compilers, from = methods.Take(share);
            compilers[i] = new(() => { for (int k = from; k < from + share; k++) FreshMethods.Call(methods.Entries[k], 1); });
            compilers[i].Start();
        }
        foreach (Thread thread in compilers) thread.Join();
        isOver = true;
        reader.Join();
        long after = CloseBoth();
        return after - before;
    }

    /// <summary>Nothing was compiled between the count and the moment from which the streams tell everything.</summary>
    private static long OpenBoth()
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < bound)
        {
            TieredCompilation.WaitForTieredCompilationActive(bound);
            TieredCompilation.WaitForPendingCompilations(bound);
            long before = JitInfo.GetCompiledMethodCount();
            whole = TieringEventStream.Open();
            small = TieringEventStream.Open(new() { CapacityBytes = SmallCapacityBytes });
            if (JitInfo.GetCompiledMethodCount() == before) return before;
            whole.Dispose();
            small.Dispose();
        }
        throw new TimeoutException("something is compiled all the time");
    }

    /// <summary>Both streams are empty and the runtime counted nothing meanwhile.</summary>
    private static long CloseBoth()
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < bound)
        {
            TieredCompilation.WaitForTieredCompilationActive(bound);
            TieredCompilation.WaitForPendingCompilations(bound);
            long compiled = JitInfo.GetCompiledMethodCount();
            ReadWhole();
            ReadSmall(int.MaxValue);
            if (JitInfo.GetCompiledMethodCount() != compiled || TieredCompilation.PendingTieredCompilationCount != 0) continue;
            whole.Dispose();
            small.Dispose();
            return compiled;
        }
        throw new TimeoutException("something is compiled all the time");
    }

    private static void ReadWhole()
    {
        while (whole.TryRead(out TieringEvent told))
        {
            if (told.Sequence != ++wholeLast) { wholeHoles++; wholeLast = told.Sequence; }
            if (told.Kind == TieringEventKind.Published) wholeSeen++;
            if (told.Kind == TieringEventKind.Gap) wholeHoles++;
        }
    }

    private static void ReadSmall(int atMost)
    {
        for (int i = 0; i < atMost && small.TryRead(out TieringEvent told); i++)
        {
            smallTold++;
            long stands = told.Kind == TieringEventKind.Gap ? told.Count : 1;
            if (told.Sequence != smallLast + stands) smallHoles++;
            smallLast = told.Sequence;
            if (told.Kind == TieringEventKind.Published) smallSeen++;
            if (told.Kind == TieringEventKind.Gap) smallGaps += told.Count;
        }
    }

    /// <summary>Now and then, and not all: gaps come in the middle.</summary>
    private static void ReadSlowly()
    {
        while (!isOver)
        {
            ReadSmall(50);
            Thread.Sleep(5);
        }
    }
}
