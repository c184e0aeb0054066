// What     The ten benchmarks with the default job, ours without BenchmarkDotNet's workload warm-up (TieredWarmupOptions.ReplaceWarmup): wall
//          time over stock's, and how far the means of a benchmark lie apart from launch to launch, for both.
// What not No trace: nothing but the package differs.

using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using TierUp.BenchmarkDotNet;
using TierUp.Bench.Bdn.Subjects;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Bdn.Driver;

internal static class TotalRun
{
    private const string Stock = "stock", Ours = "ours";

    internal static void Add(FiguresOfRun figures, BdnOptions options)
    {
        BdnSession session = BdnSession.Run(
            typeof(TenBenchmarks),
            options.IsVerbose,
            new Job(Stock).WithLaunchCount(options.TotalLaunches),
            new Job(Ours).WithLaunchCount(options.TotalLaunches).WithTieredWarmup(new TieredWarmupOptions { ReplaceWarmup = true }));
        double stock = session.Seconds(Stock) / options.TotalLaunches;
        double ours = session.Seconds(Ours) / options.TotalLaunches;
        double stockSpread = SpreadPercent(session, Stock);
        double oursSpread = SpreadPercent(session, Ours);
        string note = $"ours over stock, {options.TotalLaunches} launches of each; ReplaceWarmup: one warm-up iteration instead of 6 to 50";
        figures.Ratio("total_saved", ours / stock, Bound.AtMost, 1, note);
        note = "run to run: each benchmark's largest less smallest mean over the smallest; median of the ten";
        figures.Absolute("total_spread_percent", oursSpread, Bound.AtMost, stockSpread, note);
        figures.Absolute("total_spread_stock_percent", stockSpread, Bound.None, 0, "the same");
        figures.Extra("total_ours_s", ours, "ten benchmarks once, without building them");
        figures.Extra("total_stock_s", stock, "");
        figures.Extra("total_iterations_ours", Iterations(session, Ours), "actual iterations of a launch, mean: BenchmarkDotNet stops at its own precision");
        figures.Extra("total_iterations_stock", Iterations(session, Stock), "");
        figures.Extra("total_mean_ours_over_stock", MeansRatio(session), "the ten benchmarks' results, median of the ratios");
    }

    private static double SpreadPercent(BdnSession session, string job)
    {
        IEnumerable<double[]> means = session.Of(job).GroupBy(launch => launch.Method).Select(of => of.Select(launch => launch.MeanNs).ToArray());
        return Samples.Median([.. means.Select(of => 100 * ((of.Max() / of.Min()) - 1))]);
    }

    private static double Iterations(BdnSession session, string job)
    {
        return session.Of(job).Average(launch => launch.Measurements.Count(one =>
            one.IterationMode == IterationMode.Workload && one.IterationStage == IterationStage.Actual));
    }

    private static double MeansRatio(BdnSession session)
    {
        string[] methods = [.. session.Of(Ours).Select(launch => launch.Method).Distinct()];
        return Samples.Median([.. methods.Select(method => MeanNs(session, Ours, method) / MeanNs(session, Stock, method))]);
    }

    private static double MeanNs(BdnSession session, string job, string method)
    {
        return Samples.Median([.. session.Of(job).Where(launch => launch.Method == method).Select(launch => launch.MeanNs)]);
    }
}
