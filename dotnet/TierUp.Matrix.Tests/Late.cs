// What     How long after the last event before its end each wait ended, the waiting thread's own time in the scheduler's queue taken off.
// Threads  Pure.
using System;
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

internal static class Late
{
    /// <summary>In ns, sorted; waits within which no event came are left out: they were over when they began, or ended by spinning.</summary>
    public static IReadOnlyList<long> After(IEnumerable<long> when, IEnumerable<Line> lines)
    {
        long[] events = [.. when.Order()];
        List<long> late = [];
        foreach (Line wait in lines.Where(line => line.Kind == "wait"))
        {
            int next = Array.BinarySearch(events, wait.End);
            next = next < 0 ? ~next : next;
            long last = next > 0 ? events[next - 1] : 0;
            if (last > wait.Begin) late.Add(wait.End - last - wait.Number);
        }
        late.Sort();
        return late;
    }

    public static string Describe(IReadOnlyList<long> late) => late.Count == 0 ? "no waits ended by an event"
        : $"{late.Count} waits ended by an event, {late.Count(ns => ns > 5_000_000)} of them more than 5 ms after it; median {late[late.Count / 2] / 1000} us, last {late[^1] / 1000} us";
}
