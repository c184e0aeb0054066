// What     Runs the compiling children in turn, A B C C B A …, and compares their chunks: each one's median over the runs, summed up.
// What not No mean and no minimum: one slow run or one preempted chunk moves nothing.

using System;
using System.Collections.Generic;
using System.Linq;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Signals.Driver;

internal sealed class CompileRuns
{
    internal const string Alone = "compile-alone";
    internal const string Idle = "compile-idle";
    internal const string Waiting = "compile-waiting";
    internal const int Methods = 5000;

    private readonly Dictionary<string, List<Dictionary<string, double[]>>> _runs = [];

    internal CompileRuns(int turns)
    {
        string[] ways = [Alone, Idle, Waiting];
        foreach (string way in ways)
        {
            _runs[way] = [];
        }

        for (int turn = 0; turn < turns; turn++)
        {
            foreach (string way in turn % 2 == 0 ? ways : ways.Reverse())
            {
                _runs[way].Add(SignalsChild.Run(way));
            }
        }
    }

    /// <summary>The time for all 5,000 in ms. `clock`: wall_ns, or cpu_ns of the compiling thread.</summary>
    internal double Milliseconds(string way, string clock)
    {
        List<Dictionary<string, double[]>> runs = _runs[way];
        double sum = 0;
        for (int chunk = 0; chunk < runs[0][clock].Length; chunk++)
        {
            sum += Samples.Median([.. runs.Select(run => run[clock][chunk])]);
        }

        return sum / 1e6;
    }

    internal double Ratio(string way, string clock)
    {
        return Milliseconds(way, clock) / Milliseconds(Alone, clock);
    }

    /// <summary>Each turn's own ratio of whole runs: how far they spread.</summary>
    internal string Spread(string way)
    {
        double[] ratios = [.. _runs[way].Zip(_runs[Alone], (run, alone) => run["wall_ns"].Sum() / alone["wall_ns"].Sum())];
        return $"{ratios.Length} turns of processes, whole runs {ratios.Min():0.###} to {ratios.Max():0.###}";
    }
}
