// What     What the runtime itself needed for each driven method, by its own events: the delay that held it, and its compiles.
// What not Nothing that lies between them: installing stubs, waking the worker, waking us. That is what the ratio shows.
// Failure  A method whose events are incomplete is left out; the caller says how many there were.
// Source   Events of Microsoft-Windows-DotNETRuntime: MethodJittingStarted to MethodLoadVerbose is a compile; TieredCompilationPause to
//          TieredCompilationResume is a delay. Both are fired by the runtime at the ends of the work they name (docs, "Method events",
//          "Tiered compilation events"); their times are taken when they are fired.

using System;
using System.Collections.Generic;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace TierUp.Bench.Core.Driver;

/// <summary>One method's spans in ms.</summary>
internal sealed class RuntimeSpans
{
    internal double FirstCompileBegan { get; set; } = double.NaN;

    internal double DelayMs { get; set; } = double.NaN;

    internal double CompilesMs { get; set; }

    internal int Compiles { get; set; }

    internal double FloorMs => DelayMs + CompilesMs;
}

internal static class RuntimeFloor
{
    /// <summary>Keywords Jit (0x10) and Compilation (0x1000000000), level 5 for MethodJittingStarted.</summary>
    internal const string EventPipeConfig = "Microsoft-Windows-DotNETRuntime:0x1000000010:5";

    /// <summary>Tier 0, instrumented, tier 1.</summary>
    private const int CompilesOfALadder = 3;

    /// <summary>The spans of each method whose name begins with `prefix` and whose ladder is complete in the trace, by name.</summary>
    internal static Dictionary<string, RuntimeSpans> Read(string tracePath, string prefix)
    {
        Dictionary<string, RuntimeSpans> spans = [];
        Dictionary<(string Name, int Thread), double> begun = [];
        List<RuntimeSpans> held = [];
        double paused = double.NaN;
        using EventPipeEventSource source = new(tracePath);
        source.Clr.MethodJittingStarted += data =>
        {
            if (data.MethodName.StartsWith(prefix, StringComparison.Ordinal))
            {
                begun[(data.MethodName, data.ThreadID)] = data.TimeStampRelativeMSec;
            }
        };
        source.Clr.MethodLoadVerbose += data =>
        {
            if (!begun.Remove((data.MethodName, data.ThreadID), out double began))
            {
                return;
            }

            if (!spans.TryGetValue(data.MethodName, out RuntimeSpans? method))
            {
                spans[data.MethodName] = method = new RuntimeSpans { FirstCompileBegan = began };
                held.Add(method);
            }

            method.CompilesMs += data.TimeStampRelativeMSec - began;
            method.Compiles++;
        };
        source.Clr.TieredCompilationPause += data => paused = data.TimeStampRelativeMSec;
        source.Clr.TieredCompilationResume += data =>
        {
            foreach (RuntimeSpans method in held)
            {
                // A delay that another method began holds this one only from its own first compile on.
                method.DelayMs = data.TimeStampRelativeMSec - Math.Max(paused, method.FirstCompileBegan);
            }

            held.Clear();
        };
        source.Process();

        foreach (string name in new List<string>(spans.Keys))
        {
            if (spans[name].Compiles != CompilesOfALadder || double.IsNaN(spans[name].DelayMs))
            {
                spans.Remove(name);
            }
        }

        return spans;
    }
}
