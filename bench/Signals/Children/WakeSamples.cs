// What     A collection of wakes, in µs; the unusable ones are counted apart.
// Failure  InvalidOperationException when more than a tenth was unusable: then the subjects compile too fast for this machine.

using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace TierUp.Bench.Signals.Children;

internal sealed class WakeSamples
{
    private const double MicrosecondsPerSecond = 1e6;
    private const int MostUnusableShare = 10;

    private readonly List<double> _microseconds = [];
    private int _unusable;

    internal static double Microseconds(long ticks)
    {
        return ticks * (MicrosecondsPerSecond / Stopwatch.Frequency);
    }

    internal void Add(in Wake wake)
    {
        if (wake.IsUsable)
        {
            _microseconds.Add(Microseconds(wake.RanAt - wake.EventAt));
        }
        else
        {
            _unusable++;
        }
    }

    internal void AddTicks(long ticks)
    {
        _microseconds.Add(Microseconds(ticks));
    }

    internal double[] Take(string name)
    {
        int all = _microseconds.Count + _unusable;
        return _unusable * MostUnusableShare <= all
            ? [.. _microseconds]
            : throw new InvalidOperationException($"{name}: {_unusable} of {all} waits were not asleep when the event came");
    }
}
