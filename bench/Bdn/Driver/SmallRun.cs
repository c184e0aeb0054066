// What     The three small benchmarks: our stage's time, and when the workload is at tier 1, beside stock BenchmarkDotNet and fixed sleeps.
// What not One actual iteration each: nothing here is about results.

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using TierUp.BenchmarkDotNet;
using TierUp.Bench.Bdn.Subjects;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Bdn.Driver;

internal static class SmallRun
{
    private const string DelayKnob = "DOTNET_TC_CallCountingDelayMs";
    private const string Stock = "stock-traced", StockDelay0 = "stock-delay0-traced";
    private const string Ours = "ours-traced", OursDelay0Traced = "ours-delay0-traced";
    private const double BriefMs = 20;
    private const double DelayMs = 100;  // the runtime's default
    private const string OursDelay0 = "ours-delay0", SleepDelay0 = "sleep-delay0-traced";

    internal static void Add(FiguresOfRun figures, BdnOptions options)
    {
        int traced = Math.Max(1, options.Launches - 1);
        BdnSession session = BdnSession.Run(
            typeof(SmallBenchmarks),
            options.IsVerbose,
            Short(Stock, traced),
            Delay0(Short(StockDelay0, 1)),
            Short(Ours, traced).WithTieredWarmup(),
            Delay0(Short(OursDelay0Traced, 1)).WithTieredWarmup(),
            Brief(Delay0(Short(OursDelay0, options.Launches))).WithTieredWarmup(),
            Brief(Delay0(Short(SleepDelay0, options.Launches))).WithEngineFactory(new SleepEngineFactory()));
        AddTier1(figures, session);
        AddStage(figures, session);
    }

    private static void AddTier1(FiguresOfRun figures, BdnSession session)
    {
        Dictionary<string, double> stock = ByMethod(session, Stock, ToTier1);
        Dictionary<string, double> ours = ByMethod(session, Ours, ToTier1);
        double[] ratios = [.. stock.Select(pair => pair.Value / ours[pair.Key])];
        figures.Ratio("vs_stock_tier1", Samples.Median(ratios), Bound.AtLeast, 3, $"default delay; {Each(stock.Keys.Zip(ratios))}");
        Dictionary<string, double> stock0 = ByMethod(session, StockDelay0, ToTier1);
        Dictionary<string, double> ours0 = ByMethod(session, OursDelay0Traced, ToTier1);
        ratios = [.. stock0.Select(pair => pair.Value / ours0[pair.Key])];
        figures.Ratio("vs_stock_tier1_delay0", Samples.Median(ratios), Bound.None, 0, Each(stock0.Keys.Zip(ratios)));
        double stockOwn = Samples.Median([.. session.Of(Stock).Select(launch => launch.Trace!.MsToOwnTier1())]);
        double oursOwn = Samples.Median([.. session.Of(Ours).Select(launch => launch.Trace!.MsToOwnTier1())]);
        string note = $"default delay, with callees and the overhead twin: {stockOwn:0} ms over {oursOwn:0} ms";
        figures.Ratio("vs_stock_own_tier1", stockOwn / oursOwn, Bound.None, 0, note);
        Dictionary<string, double> slept = ByMethod(session, SleepDelay0, launch => launch.SleptMs);
        Dictionary<string, double> stage0 = ByMethod(session, OursDelay0, Elapsed);
        ratios = [.. slept.Select(pair => pair.Value / stage0[pair.Key])];
        int final = session.Of(SleepDelay0).Count(launch => !double.IsNaN(ToTier1(launch)));
        note = $"delay 0; {Each(slept.Keys.Zip(ratios))}; {final} of {session.Of(SleepDelay0).Count()} at tier 1";
        figures.Ratio("vs_sleep", Samples.Median(ratios), Bound.AtLeast, 10, note);
        Dictionary<string, double> added = ByMethod(session, OursDelay0, Added);
        ratios = [.. slept.Select(pair => pair.Value / added[pair.Key])];
        figures.Ratio("vs_sleep_all", Samples.Median(ratios), Bound.AtLeast, 10, $"over all that the package adds; {Each(slept.Keys.Zip(ratios))}");
        (string, Dictionary<string, double>)[] all = [("stock", stock), ("ours", ours), ("stock_delay0", stock0), ("ours_delay0", ours0)];
        foreach ((string name, Dictionary<string, double> times) in all)
        {
            figures.Extra($"tier1_{name}_ms", Samples.Median([.. times.Values]), $"from the process's start-up's end; {Each(times)}");
        }

        figures.Extra("sleep_ms", Samples.Median([.. slept.Values]), "2 × (30 calls, 250 ms)");
    }

    private static void AddStage(FiguresOfRun figures, BdnSession session)
    {
        Dictionary<string, double> stage0 = ByMethod(session, OursDelay0, Elapsed);
        figures.Absolute("warmup_ms", stage0.Values.Max(), Bound.AtMost, 15, $"delay 0, the stage, the slowest; {Each(stage0)}");
        Dictionary<string, double> added = ByMethod(session, OursDelay0, Added);
        string allNote = $"delay 0, all that the package adds to a process: the stage and, before it, its own compilation; {Each(added)}";
        figures.Absolute("warmup_all_ms", added.Values.Max(), Bound.AtMost, 15, allNote);
        Dictionary<string, double> over = ByMethod(session, Ours, launch => Elapsed(launch) - launch.Trace!.DelaysToTier1(launch.Method).Sum());
        string note = $"default delay, the stage less every delay that the runtime's events show, the slowest; {Each(over)}";
        figures.Absolute("warmup_over_delays_ms", over.Values.Max(), Bound.AtMost, 30, note);
        Dictionary<string, double> overOne = ByMethod(session, Ours, launch => Elapsed(launch) - DelayMs);
        note = $"the stage less one delay of {DelayMs} ms, the slowest; {Each(overOne)}";
        figures.Absolute("warmup_over_one_delay_ms", overOne.Values.Max(), Bound.AtMost, 30, note);
        Dictionary<string, double> delays = ByMethod(session, Ours, Delays);
        note = $"ours: {Each(delays)}; stock: {Each(ByMethod(session, Stock, Delays))}";
        figures.Extra("delays_to_tier1", delays.Values.Max(), note);
        figures.Extra("warmup_default_ms", Samples.Median([.. ByMethod(session, Ours, Elapsed).Values]), Each(ByMethod(session, Ours, Elapsed)));
        figures.Extra("warmup_calls", Median(session, OursDelay0, "calls"), $"in {Median(session, OursDelay0, "rounds"):0} rounds");
        note = "delay 0: before the stage, once a process: its own code is compiled, and the queue that the start-up left is awaited";
        figures.Extra("rehearsal_ms", Median(session, OursDelay0, "rehearsalMs"), note);
        figures.Extra("rehearsal_default_ms", Median(session, Ours, "rehearsalMs"), "the same with the default delay");
        note = "from the process's start-up's end to the engine's first iteration after its jitting";
        figures.Extra("engine_begins_stock_default_ms", Samples.Median([.. session.Of(Stock).Select(Begun)]), note);
        note = "so all that the package adds before it is the difference";
        figures.Extra("engine_begins_ours_default_ms", Samples.Median([.. session.Of(Ours).Select(Begun)]), note);
        double stock0 = Samples.Median([.. session.Of(StockDelay0).Select(Begun)]);
        double ours0 = Samples.Median([.. session.Of(OursDelay0Traced).Select(Begun)]);
        figures.Extra("engine_begins_stock_delay0_ms", stock0, "the same with delay 0");
        figures.Extra("engine_begins_ours_delay0_ms", ours0, "");
    }

    private static Job Short(string id, int launches)
    {
        return new Job(id).WithLaunchCount(launches).WithWarmupCount(1).WithIterationCount(1);
    }

    /// <summary>Where only the stage is looked at, what comes after it need not last.</summary>
    private static Job Brief(Job job)
    {
        return job.WithIterationTime(TimeInterval.FromMilliseconds(BriefMs));
    }

    private static Job Delay0(Job job)
    {
        return job.WithEnvironmentVariable(DelayKnob, "0");
    }

    private static double ToTier1(BdnLaunch launch) => launch.Trace!.MsToTier1(launch.Method);

    private static double Delays(BdnLaunch launch) => launch.Trace!.DelaysToTier1(launch.Method).Count;

    private static double Elapsed(BdnLaunch launch) => launch.Reported("elapsedMs");

    private static double Added(BdnLaunch launch) => Elapsed(launch) + launch.Reported("rehearsalMs");

    private static double Begun(BdnLaunch launch) => launch.Trace!.EngineBegan - launch.Trace.StartedUp;

    private static double Median(BdnSession session, string job, string name) => Samples.Median([.. session.Of(job).Select(launch => launch.Reported(name))]);

    private static Dictionary<string, double> ByMethod(BdnSession session, string job, Func<BdnLaunch, double> value)
    {
        return session.Of(job).GroupBy(launch => launch.Method).ToDictionary(of => of.Key, of => Samples.Median([.. of.Select(value)]));
    }

    private static string Each(Dictionary<string, double> values) => Each(values.Select(pair => (pair.Key, pair.Value)));

    private static string Each(IEnumerable<(string Method, double Value)> values)
    {
        return string.Join(", ", values.Select(pair => $"{pair.Method} {pair.Value:0.##}"));
    }
}
