// What     Repeated runs of the class known to suffer, each in a process of its own: actual iterations in which the benchmark or what it
//          calls was compiled.
// What not Code of the engine and of the framework is counted in the extras only.

using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using TierUp.BenchmarkDotNet;
using TierUp.Bench.Bdn.Subjects;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Bdn.Driver;

internal static class SufferingRun
{
    private const string Stock = "stock-traced", Ours = "ours-traced";
    private const int Iterations = 5;
    private const double IterationMs = 50;
    private const int MostNamed = 4;

    internal static void Add(FiguresOfRun figures, BdnOptions options)
    {
        BdnSession session = BdnSession.Run(typeof(SufferingBenchmarks), options.IsVerbose, Short(Stock, options), Short(Ours, options).WithTieredWarmup());
        BdnLaunch[] stock = [.. session.Of(Stock)];
        BdnLaunch[] ours = [.. session.Of(Ours)];
        figures.Absolute("unfinished_iterations_stock", Compiled(stock), Bound.AtLeast, 1, Note(stock));
        figures.Absolute("unfinished_iterations", Compiled(ours), Bound.AtMost, 0, Note(ours));
        figures.Extra("begun_unfinished_stock", Begun(stock), "iterations that began while the benchmark's own code was not final");
        figures.Extra("begun_unfinished", Begun(ours), "");
        figures.Extra("jit_in_measurement_stock", All(stock).Length, $"compiled while actual iterations ran, whoever's: {Whose(All(stock))}");
        figures.Extra("jit_in_measurement", All(ours).Length, Whose(All(ours)));
        figures.Extra("paused_ms", Samples.Median([.. ours.Select(launch => launch.Reported("pausedMs"))]), "before actual iterations, until nothing was pending; median of the runs");
        figures.Extra("stage_ms", Samples.Median([.. ours.Select(launch => launch.Reported("elapsedMs"))]), "our stage, median");
    }

    /// <summary>What is usual where many benchmarks run: one warm-up, few iterations. They are short, and without overhead's, so that thirty runs are.</summary>
    private static Job Short(string id, BdnOptions options)
    {
        return new Job(id).WithLaunchCount(options.Repeats).WithWarmupCount(1).WithIterationCount(Iterations).WithEvaluateOverhead(false)
            .WithIterationTime(TimeInterval.FromMilliseconds(IterationMs));
    }

    private static int Compiled(BdnLaunch[] launches)
    {
        return launches.Sum(launch => launch.Trace!.Iterations.Count(iteration => launch.Trace.LoadsWithin(iteration).Count > 0));
    }

    private static int Begun(BdnLaunch[] launches)
    {
        return launches.Sum(launch => launch.Trace!.Iterations.Count(iteration => launch.Trace.IsUnfinishedAt(iteration.Begin, launch.Method)));
    }

    private static CodeLoad[] All(BdnLaunch[] launches)
    {
        return [.. launches.SelectMany(launch => launch.Trace!.Iterations.SelectMany(launch.Trace.AllLoadsWithin))];
    }

    private static string Whose(CodeLoad[] loads)
    {
        return string.Join(", ", loads.GroupBy(load => load.Namespace).OrderByDescending(of => of.Count()).Take(MostNamed).Select(of => $"{of.Key} {of.Count()}×"));
    }

    private static string Note(BdnLaunch[] launches)
    {
        int iterations = launches.Sum(launch => launch.Trace!.Iterations.Count);
        int runs = launches.Count(launch => launch.Trace!.Iterations.Any(iteration => launch.Trace.LoadsWithin(iteration).Count > 0));
        IEnumerable<CodeLoad> loads = launches.SelectMany(launch => launch.Trace!.Iterations.SelectMany(launch.Trace.LoadsWithin));
        string[] most = [.. loads.GroupBy(load => $"{load.Name} {load.Tier}").OrderByDescending(of => of.Count()).Take(MostNamed)
            .Select(of => $"{of.Key} {of.Count()}×")];
        return $"of {iterations}, in {runs} of {launches.Length} runs{(most.Length > 0 ? ": " : "")}{string.Join(", ", most)}";
    }
}
