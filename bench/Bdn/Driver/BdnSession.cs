// What     Runs BenchmarkDotNet once on one class with several jobs, in its default toolchain, and gives back every process it started.
// What not Judges nothing.
// Failure  InvalidOperationException when a benchmark has no result; the message ends with BenchmarkDotNet's last lines.
// Source   BenchmarkDotNet 0.15.8: Job.Environment.EnvironmentVariables reach the child; ExecuteResult.ProcessId is the child's; jobs with one
//          runtime share a build.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;
using TierUp.BenchmarkDotNet;

namespace TierUp.Bench.Bdn.Driver;

internal sealed class BdnSession
{
    /// <summary>Ids of jobs with our stage begin so.</summary>
    private const string Ours = "ours";

    /// <summary>BenchmarkDotNet's own two minutes were too few on a busy machine.</summary>
    private static readonly TimeSpan s_buildLimit = TimeSpan.FromMinutes(10);

    private readonly BdnTimes _times = new();

    private BdnSession()
    {
    }

    internal List<BdnLaunch> Launches { get; } = [];

    /// <summary>Runs `type`'s benchmarks; jobs whose id ends with "traced" have a trace, those whose id begins with "ours" our stage.</summary>
    internal static BdnSession Run(Type type, bool isVerbose, params Job[] jobs)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("tierup-bench-bdn-");
        try
        {
            return new BdnSession().Run(type, isVerbose, jobs, folder.FullName);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    internal IEnumerable<BdnLaunch> Of(string job) => Launches.Where(launch => launch.Job == job);

    /// <summary>Seconds in which a job's benchmarks ran: their processes from start to end, without building them.</summary>
    internal double Seconds(string job) => _times.Seconds(job);

    private BdnSession Run(Type type, bool isVerbose, Job[] jobs, string folder)
    {
        ManualConfig config = ManualConfig.CreateEmpty()
            .AddJob([.. jobs.Select(job => job.Id.EndsWith("traced", StringComparison.Ordinal) ? Traced(job, folder) : job)])
            .AddEventProcessor(_times)
            // One benchmark's jobs run one after another: a busy minute of the machine meets all of them.
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByMethod)
            .WithArtifactsPath(folder)
            .WithBuildTimeout(s_buildLimit)
            .WithOptions(ConfigOptions.DisableLogFile)
            .AddTieredWarmupReport();
        LogCapture log = new();
        config.AddLogger(isVerbose ? ConsoleLogger.Unicode : log);
        Summary summary = BenchmarkRunner.Run(type, config);
        foreach (BenchmarkReport report in summary.Reports)
        {
            if (!report.Success)
            {
                throw new InvalidOperationException($"{report.BenchmarkCase.DisplayInfo} has no result\n{Tail(log)}");
            }

            Launches.AddRange(report.ExecuteResults.Select(result => Launch(report.BenchmarkCase, result, folder)));
        }

        Launches.FindAll(launch => launch.Job.StartsWith(Ours, StringComparison.Ordinal)).ForEach(launch => launch.RequireStage());
        return Launches.Count > 0 ? this : throw new InvalidOperationException($"BenchmarkDotNet ran nothing\n{Tail(log)}");
    }

    private static BdnLaunch Launch(BenchmarkCase benchmark, ExecuteResult result, string folder)
    {
        string path = TracePath(folder, $"{result.ProcessId}");
        ProcessTrace? trace = File.Exists(path) ? ProcessTrace.Read(path) : null;
        return new(benchmark.Job.Id, benchmark.Descriptor.WorkloadMethod.Name, result.PrefixedLines, result.Measurements, trace);
    }

    private static Job Traced(Job job, string folder)
    {
        return job.WithEnvironmentVariables([
            .. job.Environment.EnvironmentVariables ?? [],
            new("DOTNET_EnableEventPipe", "1"),
            new("DOTNET_EventPipeOutputPath", TracePath(folder, "{pid}")),
            new("DOTNET_EventPipeConfig", ProcessTrace.Providers),
            new("DOTNET_EventPipeRundown", "0"),
            new("DOTNET_EventPipeCircularMB", "40"),
        ]);
    }

    private static string TracePath(string folder, string process) => Path.Combine(folder, process + ".nettrace");

    private static string Tail(LogCapture log) => string.Concat(log.CapturedOutput.TakeLast(200).Select(line => line.Text));
}
