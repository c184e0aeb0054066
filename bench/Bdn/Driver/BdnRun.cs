// What     Runs BenchmarkDotNet on the bench's classes, makes the figures from the processes' traces and reports, prints table and JSON.
// What not Measures nothing in its own process but the wall time of BenchmarkDotNet's runs.
// Failure  Exit code 1 when a run failed, or with --check when a bound was missed; 2 for a wrong argument.

using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Bdn.Driver;

internal static class BdnRun
{
    /// <summary>Knobs that the caller's shell happens to have would change what is measured.</summary>
    private static readonly string[] s_knobs =
    [
        "DOTNET_TC_", "DOTNET_Tiered", "DOTNET_ReadyToRun", "DOTNET_EnableEventPipe", "DOTNET_EventPipe", "DOTNET_EnableDiagnostics",
        "TIERUP_SIGNALS", "TIERUP_WARMUP",
    ];

    internal static int Run(string[] arguments)
    {
        BdnOptions options;
        try
        {
            options = BdnOptions.Parse(arguments);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            Console.Error.WriteLine($"bench: {e.Message}\n{BdnOptions.Usage}");
            return 2;
        }

        Stopwatch took = Stopwatch.StartNew();
        FiguresOfRun figures = new();
        ForgetKnobs();
        Directory.SetCurrentDirectory(ProjectFolder());
        try
        {
            Measure(figures, options);
        }
        catch (InvalidOperationException e)
        {
            Console.Error.WriteLine($"bench: {e.Message}");
            return 1;
        }

        return FigureTable.Conclude(figures.InOrder, took.Elapsed, options.IsCheck);
    }

    private static void Measure(FiguresOfRun figures, BdnOptions options)
    {
        if (options.TotalLaunches > 0)
        {
            Progress($"ten benchmarks with the default job, {options.TotalLaunches} launches");
            TotalRun.Add(figures, options);
            return;
        }

        Progress($"small benchmarks, {options.Launches} launches");
        SmallRun.Add(figures, options);
        Progress($"benchmarks known to suffer, {options.Repeats} runs");
        SufferingRun.Add(figures, options);
    }

    private static void ForgetKnobs()
    {
        foreach (string variable in Environment.GetEnvironmentVariables().Keys.Cast<string>().ToArray())
        {
            string plain = variable.Replace("COMPlus_", "DOTNET_", StringComparison.OrdinalIgnoreCase);
            if (Array.Exists(s_knobs, prefix => plain.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
            {
                Environment.SetEnvironmentVariable(variable, null);
            }
        }
    }

    private static string ProjectFolder()
    {
        return typeof(BdnRun).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(one => one.Key == "ProjectFolder").Value!;
    }

    private static void Progress(string what)
    {
        Console.Error.WriteLine($"measuring {what} ...");
    }
}
