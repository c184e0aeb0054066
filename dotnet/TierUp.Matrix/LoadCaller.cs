// What     One thread of the random load: calls its methods for the first time in lots of random size at random times, and on to their thresholds, a
//          random number of calls at a time; it writes down what it knows to have happened when its call had returned.
// What not Nobody else calls these methods, so the counts are exact.
// Threads  One of its own.
// Failure  An exception is an "error" line; a promotion that never comes ends the thread after a bound, as one.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Matrix;

internal sealed class LoadCaller
{
    private const int MaxLot = 400, SmallLot = 30;

    private readonly FreshMethods methods;
    private readonly int from, end;
    private readonly List<int> open = [];
    private readonly byte[] phases;
    private readonly nint[] codes;
    private readonly bool[] exhausted;
    private readonly Thread thread;
    private int next;
    private uint state;

    public LoadCaller(FreshMethods methods, int count, int seed)
    {
        this.methods = methods;
        from = next = methods.Take(count);
        end = from + count;
        phases = new byte[count];
        codes = new nint[count];
        exhausted = new bool[count];
        state = (uint)seed * 2654435761u + 1;
        Called = new(count);
        Reached = new(count * Options.Phases);
        thread = new(Run);
    }

    /// <summary>First calls that have returned.</summary>
    public Journal Called { get; }

    /// <summary>Thresholds whose last call has returned.</summary>
    public Journal Reached { get; }

    public nint Entry(int slot) => methods.Entries[slot];

    /// <summary>The threshold has been reached, or will be by the call under way: from here on the entry point may lead past the counting stub.</summary>
    public bool IsExhausted(int slot) => Volatile.Read(ref exhausted[slot - from]);

    public void Start() => thread.Start();

    public void Join() => thread.Join();

    private void Run()
    {
        try
        {
            while (next < end || open.Count > 0)
            {
                // Mostly small, so that the process comes to rest often.
                if (next < end) Begin(Random(Random(8) == 0 ? MaxLot : SmallLot) + 1);
                // Most lots are taken to their end, with new ones begun meanwhile by the other threads; some overlap with the next lot.
                int leave = Random(4) == 0 ? Random(open.Count + 1) : 0;
                Drive(next < end ? leave : 0);
                if (Random(2) == 0) Thread.Sleep(Random(5));
            }
        }
        catch (Exception exception)
        {
            Log.Failed("", "caller", exception);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Begin(int lot)
    {
        for (int i = 0; i < lot && next < end; i++, next++)
        {
            FreshMethods.Call(methods.Entries[next], 1);
            Called.Add(next, 0, EntryPoint.Read(methods.Entries[next]).Code, Stopwatch.GetTimestamp());
            open.Add(next);
            if (Random(50) == 0) Pause();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Drive(int leave)
    {
        long start = Stopwatch.GetTimestamp();
        while (open.Count > leave)
        {
            for (int i = open.Count - 1; i >= 0; i--)
            {
                if (!Step(open[i])) continue;
                open[i] = open[^1];
                open.RemoveAt(open.Count - 1);
            }
            Pause();
            if (Stopwatch.GetElapsedTime(start) > Differential.Bound) throw new TimeoutException($"{open.Count} methods are not promoted after {Differential.Bound}");
        }
    }

    /// <summary>A few calls of one method; true when it has had all its promotions.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool Step(int slot)
    {
        nint entry = methods.Entries[slot];
        EntryPoint seen = EntryPoint.Read(entry);
        ref byte phase = ref phases[slot - from];
        ref nint code = ref codes[slot - from];
        // A threshold that was reached is a phase begun; the code is then what has to change.
        if (phase > 0 && seen.Code == code) return false;
        if (phase == Options.Phases) return seen.Kind != EntryKind.Prestub;
        switch (seen.Kind)
        {
            case EntryKind.Prestub:
                FreshMethods.Call(entry, 1);
                return false;
            case EntryKind.Counting when seen.Stage == 1 && seen.Remaining > 0:
                int calls = Random(3) == 0 ? Random(seen.Remaining) + 1 : seen.Remaining;
                // Release, before the calls; partner: IsExhausted, which a watchman asks after it has read the entry point.
                if (calls == seen.Remaining) Volatile.Write(ref exhausted[slot - from], true);
                FreshMethods.Call(entry, calls);
                if (calls < seen.Remaining) return false;
                long now = Stopwatch.GetTimestamp();
                EntryPoint after = EntryPoint.Read(entry);
                if (after is { Kind: EntryKind.Counting, Stage: < 2 } && after.Code == seen.Code) throw new InvalidOperationException($"{calls} calls of {seen.Remaining} were made, but {after.Remaining} are left at stage {after.Stage}");
                code = seen.Code;
                phase++;
                Reached.Add(slot, phase, code, now);
                return false;
            default:
                return false;
        }
    }

    /// <summary>Part of the load, not a wait for anything: nothing depends on how long it takes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Pause()
    {
        switch (Random(6))
        {
            case 0: Thread.Sleep(Random(3)); break;
            case 1: Thread.SpinWait(Random(2000)); break;
            case 2: Thread.Yield(); break;
            default: break;
        }
    }

    /// <summary>xorshift32: no framework code, the same load for the same seed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int Random(int below)
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return (int)(state % (uint)below);
    }
}
