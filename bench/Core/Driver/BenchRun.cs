// What     Runs the children, makes the issue's figures from their samples, prints table and JSON.
// What not Measures nothing in its own process.
// Failure  Exit code 1 when a child failed, or with --check when a bound was missed.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;

namespace TierUp.Bench.Core.Driver;

internal static class BenchRun
{
    private const double NsPerUs = 1e3;
    private const double NsPerMs = 1e6;
    private const double BytesPerKib = 1024;
    private const double LowShare = 0.1;
    private const double HighShare = 0.9;

    /// <summary>On a quiet machine the floor's median is less than twice its lowest tenth.</summary>
    private const double BusySpread = 3;

    internal static int Run(string[] arguments)
    {
        BenchOptions options;
        try
        {
            options = BenchOptions.Parse(arguments);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            Console.Error.WriteLine($"bench: {e.Message}\nusage: [--runtimes FOLDER] [--native-bytes N] [--check]");
            return 2;
        }

        Stopwatch took = Stopwatch.StartNew();
        List<Figure> figures;
        try
        {
            figures = Measure(options);
        }
        catch (InvalidOperationException e)
        {
            Console.Error.WriteLine($"bench: {e.Message}");
            return 1;
        }

        return FigureTable.Conclude(figures, took.Elapsed, options.IsCheck);
    }

    private static List<Figure> Measure(BenchOptions options)
    {
        List<Figure> ratios = [];
        List<Figure> absolutes = [];
        List<Figure> extras = [];
        Progress("polls");
        AddPolls(absolutes, extras);
        Progress("drives without delay");
        AddDelay0(ratios, absolutes, extras);
        Progress("drives with the default delay");
        AddDefault(ratios, extras);
        AddDac(options.RuntimesFolder, absolutes);
        absolutes.Add(new("native_kib", options.NativeBytes / BytesPerKib, Bound.AtMost, 400, "stripped"));
        ratios.Sort((a, b) => Order(a.Name).CompareTo(Order(b.Name)));
        return [.. ratios, .. absolutes, .. extras];
    }

    private static int Order(string ratio)
    {
        return Array.IndexOf(["drive_delay0_over_floor", "drive_default_over_floor", "sleep_ratio_default", "sleep_ratio_delay0"], ratio);
    }

    private static void AddPolls(List<Figure> absolutes, List<Figure> extras)
    {
        Dictionary<string, double[]> polls = Child.Run("poll");
        absolutes.Add(new("poll_counting_ns", Samples.Median(polls["counting_ns"]), Bound.AtMost, 100, Spread(polls["counting_ns"], 1)));
        absolutes.Add(new("poll_final_ns", Samples.Median(polls["final_ns"]), Bound.AtMost, 60, Spread(polls["final_ns"], 1)));
        absolutes.Add(new("poll_alloc_bytes", polls["alloc_bytes"][0], Bound.AtMost, 0, "over 2 million polls"));
        extras.Add(Extra("poll_1000_counting_ns", Samples.Median(polls["many_ns"]), "1000 methods in shuffled turn"));
        extras.Add(Extra("poll_empty_loop_ns", Samples.Median(polls["empty_ns"]), "the same loop around a call that does nothing"));
    }

    private static void AddDelay0(List<Figure> ratios, List<Figure> absolutes, List<Figure> extras)
    {
        Dictionary<string, double[]> drives = Child.Run("drive-delay0", null, ("DOTNET_TC_CallCountingDelayMs", "0"));
        double[] awaited = drives["await_ns"];
        double[] spun = drives["spin_ns"];
        double ours = Samples.Median(awaited);
        double floor = Samples.Median(spun);
        double blocked = Samples.Median(drives["block_ns"]);
        ratios.Add(new("drive_delay0_over_floor", ours / floor, Bound.AtMost, 1.5, $"{awaited.Length} pairs"));
        ratios.Add(new("sleep_ratio_delay0", Samples.Median(drives["sleep_ns"]) / ours, Bound.AtLeast, 100, SleepNote(drives)));
        absolutes.Add(new("drive_delay0_us", ours / NsPerUs, Bound.AtMost, 600, Spread(awaited, NsPerUs)));
        extras.Add(Extra("floor_delay0_us", floor / NsPerUs, Spread(spun, NsPerUs)));
        extras.Add(Extra("drive_delay0_over_floor_of_best_10%", Low(awaited) / Low(spun), "says more on a busy machine"));
        extras.Add(Extra("drive_delay0_blocking_us", blocked / NsPerUs, Spread(drives["block_ns"], NsPerUs)));
        extras.Add(Extra("drive_delay0_blocking_over_floor", blocked / floor, ""));
        if (floor > BusySpread * Low(spun))
        {
            Console.WriteLine("warning: the machine is busy: a floor that spins loses its processor to others and is none then");
        }
    }

    private static void AddDefault(List<Figure> ratios, List<Figure> extras)
    {
        string trace = Path.Combine(Path.GetTempPath(), $"tierup-bench-{Environment.ProcessId}.nettrace");
        Dictionary<string, double[]> drives;
        Dictionary<string, RuntimeSpans> spans;
        try
        {
            drives = Child.Run(
                "drive-default",
                null,
                ("DOTNET_EnableEventPipe", "1"),
                ("DOTNET_EventPipeOutputPath", trace),
                ("DOTNET_EventPipeConfig", RuntimeFloor.EventPipeConfig));
            spans = RuntimeFloor.Read(trace, "Default");
        }
        finally
        {
            File.Delete(trace);
        }

        (double ratio, int awaited) = OverFloor(drives["await_ns"], spans, "DefaultAwaited");
        (double blockedRatio, int blocked) = OverFloor(drives["block_ns"], spans, "DefaultBlocked");
        double ours = Samples.Median(drives["await_ns"]);
        ratios.Add(new("drive_default_over_floor", ratio, Bound.AtMost, 1.05, $"median of {awaited} pairs, events of the same run"));
        ratios.Add(new("sleep_ratio_default", Samples.Median(drives["sleep_ns"]) / ours, Bound.AtLeast, 2, SleepNote(drives)));
        extras.Add(Extra("drive_default_ms", ours / NsPerMs, Spread(drives["await_ns"], NsPerMs)));
        extras.Add(Extra("drive_default_blocking_over_floor", blockedRatio, $"median of {blocked} pairs"));
        double[] delays = [.. spans.Where(pair => IsOf(pair.Key, "DefaultAwaited")).Select(pair => pair.Value.DelayMs)];
        double[] compiles = [.. spans.Where(pair => IsOf(pair.Key, "DefaultAwaited")).Select(pair => pair.Value.CompilesMs)];
        extras.Add(Extra("runtime_delay_ms", Samples.Median(delays), Spread(delays, 1)));
        extras.Add(Extra("runtime_compiles_ms", Samples.Median(compiles), Spread(compiles, 1)));
    }

    /// <summary>The median of each drive over its own method's floor, and of how many.</summary>
    private static (double Ratio, int Count) OverFloor(double[] drivesNs, Dictionary<string, RuntimeSpans> spans, string prefix)
    {
        List<double> ratios = [];
        for (int i = 0; i < drivesNs.Length; i++)
        {
            if (spans.TryGetValue($"{prefix}_{i:d3}", out RuntimeSpans? method))
            {
                ratios.Add(drivesNs[i] / NsPerMs / method.FloorMs);
            }
        }

        return (Samples.Median([.. ratios]), ratios.Count);
    }

    private static void AddDac(string? runtimesFolder, List<Figure> absolutes)
    {
        List<(string Version, string? Root)> runtimes = [];
        if (runtimesFolder is not null)
        {
            foreach (string root in Directory.GetDirectories(runtimesFolder))
            {
                // ".part-…" is a root that is being laid just now.
                if (File.Exists(Path.Combine(root, "dotnet")) && Version.TryParse(Path.GetFileName(root), out _))
                {
                    runtimes.Add((Path.GetFileName(root), root));
                }
            }
        }

        runtimes.Sort((a, b) => Version.Parse(a.Version).CompareTo(Version.Parse(b.Version)));
        runtimes.Add((Environment.Version.ToString(), null));
        foreach ((string version, string? root) in runtimes)
        {
            Progress($"data access on {version}");
            Dictionary<string, double[]> looks = Child.Run("dac", root, ("DOTNET_ROLL_FORWARD", "LatestMajor"));
            foreach (string kind in (string[])["cached_us", "uncached_us"])
            {
                absolutes.Add(new($"dac_query_{kind}_{version}", Samples.Median(looks[kind]), Note: Spread(looks[kind], 1)));
            }
        }
    }

    private static string SleepNote(Dictionary<string, double[]> drives)
    {
        return $"the sleeping way left {drives["slept_to_final"][0]:f0} of {drives["sleep_ns"].Length} methods final";
    }

    private static Figure Extra(string name, double value, string note)
    {
        return new(name, value, Note: note, IsExtra: true);
    }

    private static bool IsOf(string method, string prefix)
    {
        return method.StartsWith(prefix, StringComparison.Ordinal);
    }

    private static double Low(double[] samples)
    {
        return Samples.Quantile(samples, LowShare);
    }

    private static string Spread(double[] samples, double unit)
    {
        return $"10 %: {Low(samples) / unit:0.##}, 90 %: {Samples.Quantile(samples, HighShare) / unit:0.##}";
    }

    private static void Progress(string what)
    {
        Console.Error.WriteLine($"measuring {what} ...");
    }
}
