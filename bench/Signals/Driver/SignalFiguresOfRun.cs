// What     The issue's figures and their bounds, made from the children's samples: ratios first, then absolutes, then what explains them.
// What not Measures nothing.

using System;
using System.Collections.Generic;
using System.Linq;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Signals.Driver;

internal sealed class SignalFiguresOfRun
{
    internal const int CompileTurns = 8;
    internal const int AttachTurns = 5;

    private const double MostOverFloor = 1.3;

    /// <summary>On a quiet machine the slowest tenth of the hops begins below three times their median.</summary>
    private const double BusySpread = 3;
    private const double UsPerMs = 1e3;
    private const double LowShare = 0.1;
    private const double HighShare = 0.9;
    private const double RareShare = 0.99;

    private readonly List<Figure> _ratios = [];
    private readonly List<Figure> _absolutes = [];
    private readonly List<Figure> _extras = [];

    /// <summary>Gets a value indicating whether others took the processors from the floor's hops: the ratios mean little then.</summary>
    internal bool IsMachineBusy { get; private set; }

    internal IReadOnlyList<Figure> InOrder()
    {
        string[] order =
        [
            "wake_over_floor", "wake_sync_over_floor", "wake_pending_over_floor", "wake_pending_sync_over_floor", "wake_vs_listener",
            "jit_throughput_idle", "jit_throughput_waiting", "quiesce_vs_settle",
        ];
        _ratios.Sort((a, b) => Array.IndexOf(order, a.Name).CompareTo(Array.IndexOf(order, b.Name)));
        return [.. _ratios, .. _absolutes, .. _extras];
    }

    internal void AddAwaits(Dictionary<string, double[]> wakes)
    {
        AddWakes(wakes, "wake", "a futex hop and a pool hop");
    }

    internal void AddBlockingWaits(Dictionary<string, double[]> wakes)
    {
        AddWakes(wakes, "wake_sync", "a futex hop");
    }

    internal void AddListener(Dictionary<string, double[]> listener, double[] awaited)
    {
        double theirs = Samples.Median(listener["listener_us"]);
        _ratios.Add(new("wake_vs_listener", theirs / Samples.Median(awaited), Bound.AtLeast, 30, "the listener in a process of its own"));
        AddExtra("listener_p50_us", theirs, Spread(listener["listener_us"]));
        AddExtra("wake_beside_listener_p50_us", Samples.Median(listener["ours_us"]), Spread(listener["ours_us"]));
    }

    internal void AddCount(Dictionary<string, double[]> count)
    {
        _absolutes.Add(new("pending_count_ns", Samples.Median(count["count_ns"]), Bound.AtMost, 150, Spread(count["count_ns"])));
        _absolutes.Add(new("pending_count_alloc_bytes", count["alloc_bytes"][0], Bound.AtMost, 0, "over 2.1 million looks"));
    }

    internal void AddIdle(Dictionary<string, double[]> idle, Dictionary<string, double[]> alone)
    {
        string note = $"{idle["threads_seen"][0]:f0} threads of the library, {idle["events"][0]:f0} events";
        _absolutes.Add(new("idle_cpu_percent", idle["threads_cpu_percent"][0], Bound.AtMost, 0, note));
        AddExtra("idle_process_cpu_ms", idle["process_cpu_ms"][0], "the whole process in these ten seconds");
        AddExtra("idle_process_cpu_alone_ms", alone["process_cpu_ms"][0], "another one beside it, without the library");
    }

    internal void AddQuiesce(Dictionary<string, double[]> bursts)
    {
        double ours = Samples.Median(bursts["ours_ms"]);
        double recipe = Samples.Median(bursts["recipe_ms"]);
        string note = $"the same {bursts["ours_ms"].Length} bursts of 500 promotions";
        _ratios.Add(new("quiesce_vs_settle", recipe / ours, Bound.AtLeast, 2, note));
        note = "methods that ran their old code when our wait was over";
        _absolutes.Add(new("quiesce_early", bursts["ours_early"][0], Bound.AtMost, 0, note));
        AddExtra("settle_early", bursts["recipe_early"][0], "the same for the recipe");
        AddExtra("quiesce_ms", ours, Spread(bursts["ours_ms"]));
        AddExtra("settle_ms", recipe, Spread(bursts["recipe_ms"]));
        AddExtra("quiesce_work_ms", Samples.Median(bursts["work_ms"]), "until the runtime's last batch ended, by its own event");
    }

    internal void AddAttach(
        List<Dictionary<string, double[]>> off, List<Dictionary<string, double[]>> on, List<Dictionary<string, double[]>> afterManifest)
    {
        double[] offMs = All(off, "attach_ms");
        double[] onMs = All(on, "attach_ms");
        double[] afterMs = All(afterManifest, "attach_ms");
        double without = Samples.Median(offMs);
        double with = Samples.Median(onMs);
        double after = Samples.Median(afterMs);
        _absolutes.Add(new("attach_ms", without, Bound.AtMost, 2, $"EventSource off; {Spread(offMs)}"));
        _absolutes.Add(new("attach_event_source_ms", with, Note: $"EventSource on; {Spread(onMs)}"));
        AddExtra("attach_event_source_jit_ms", Median(on, "jit_ms"), $"of this: the JIT, {Median(on, "jit_methods"):f0} methods");
        AddExtra("attach_event_source_cpu_ms", Median(on, "cpu_ms"), "processor time of the process meanwhile");
        double allocatedOff = Median(off, "allocated_kib");
        AddExtra("attach_event_source_alloc_kib", Median(on, "allocated_kib"), $"managed; {allocatedOff:0.#} with EventSource off");
        AddExtra("attach_after_manifest_ms", after, "the runtime's manifest built before, by an EventListener");
        AddExtra("attach_manifest_ms", with - after, "so this goes to the manifest");
    }

    internal void AddCompilations(CompileRuns runs)
    {
        double alone = runs.Milliseconds(CompileRuns.Alone, "wall_ns");
        double idle = runs.Milliseconds(CompileRuns.Idle, "wall_ns");
        double waiting = runs.Milliseconds(CompileRuns.Waiting, "wall_ns");
        _ratios.Add(new("jit_throughput_idle", idle / alone, Bound.AtMost, 1.02, runs.Spread(CompileRuns.Idle)));
        _ratios.Add(new("jit_throughput_waiting", waiting / alone, Bound.AtMost, 1.10, runs.Spread(CompileRuns.Waiting)));
        AddExtra("jit_cpu_idle", runs.Ratio(CompileRuns.Idle, "cpu_ns"), "the same by processor time of the compiling thread");
        AddExtra("jit_cpu_waiting", runs.Ratio(CompileRuns.Waiting, "cpu_ns"), "");
        AddExtra("jit_5000_methods_ms", alone, "without the library");
        double costMs = (waiting - alone) / CompileRuns.Methods;
        AddExtra("jit_cost_waiting_us", costMs * UsPerMs, "a method: names that the runtime builds, and the event");
    }

    private void AddWakes(Dictionary<string, double[]> wakes, string name, string hops)
    {
        double[] methods = wakes["method_us"];
        double[] pending = wakes["pending_us"];
        double floor = Samples.Median(wakes["floor_us"]);
        IsMachineBusy |= Samples.Quantile(wakes["floor_us"], HighShare) > BusySpread * floor;
        string pendingName = name.Replace("wake", "wake_pending", StringComparison.Ordinal);
        AddOverFloor($"{name}_over_floor", methods, floor, "waits for one method");
        AddOverFloor($"{pendingName}_over_floor", pending, floor, "waits for pending compilations");
        _absolutes.Add(new($"{name}_p50_us", Samples.Median(methods), Note: Spread(methods)));
        _absolutes.Add(new($"{name}_p99_us", Samples.Quantile(methods, RareShare)));
        _absolutes.Add(new($"{pendingName}_p50_us", Samples.Median(pending), Note: Spread(pending)));
        _absolutes.Add(new($"{pendingName}_p99_us", Samples.Quantile(pending, RareShare)));
        _absolutes.Add(new($"{name}_floor_p50_us", floor, Note: $"{hops}; {Spread(wakes["floor_us"])}"));
        AddExtra($"{name}_floor_p99_us", Samples.Quantile(wakes["floor_us"], RareShare), "");
        const string Switched = "load event to the batch's end: the entry point is switched between";
        AddExtra($"{name}_activation_p50_us", Samples.Median(wakes["activation_us"]), Switched);
    }

    private void AddOverFloor(string name, double[] wakes, double floor, string what)
    {
        _ratios.Add(new(name, Samples.Median(wakes) / floor, Bound.AtMost, MostOverFloor, $"{wakes.Length} {what}"));
    }

    private void AddExtra(string name, double value, string note)
    {
        _extras.Add(new(name, value, Note: note, IsExtra: true));
    }

    private static double[] All(List<Dictionary<string, double[]>> runs, string sample)
    {
        return [.. runs.Select(run => run[sample][0])];
    }

    private static double Median(List<Dictionary<string, double[]>> runs, string sample)
    {
        return Samples.Median(All(runs, sample));
    }

    private static string Spread(double[] samples)
    {
        return $"10 %: {Samples.Quantile(samples, LowShare):0.##}, 90 %: {Samples.Quantile(samples, HighShare):0.##}";
    }
}
