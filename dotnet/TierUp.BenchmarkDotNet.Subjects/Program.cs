// What     Runs the asked benchmark classes with one job per mode and runtime.
// Failure  Exit code 2 when BenchmarkDotNet refused the run (its validators' lines are on stdout).
using System;
using System.Linq;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using Perfolizer.Horology;

namespace TierUp.BenchmarkDotNet.Subjects;

internal static class Program
{
    /// <summary>Jit 0x10, Loader 0x8, Compilation 0x1000000000, verbose; and BenchmarkDotNet's own marks.</summary>
    private const string Providers = "Microsoft-Windows-DotNETRuntime:0x1000000018:5,BenchmarkDotNet.EngineEventSource:0xFFFFFFFFFFFFFFFF:4";

    public static int Main(string[] args)
    {
        Options options = new(args);
        ManualConfig config = ManualConfig.CreateEmpty()
            .AddLogger(ConsoleLogger.Default)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddExporter(MarkdownExporter.GitHub, JsonExporter.Full)
            .WithArtifactsPath(options.Output)
            .WithOptions(ConfigOptions.JoinSummary | ConfigOptions.DisableLogFile);
        string[] runtimes = options.Toolchain == "child" ? options.Runtimes : [""];
        foreach (string mode in options.Modes)
        {
            foreach (string runtime in runtimes) Modes.Add(config, mode, NewJob(options, mode, runtime), options);
        }
        Type[] types = [.. typeof(Program).Assembly.GetTypes().Where(type => options.Classes.Contains(type.Name.Split('`')[0]))];
        Summary[] summaries = [.. BenchmarkSwitcher.FromTypes(types).RunAll(config)];
        return summaries.Any(summary => summary.HasCriticalValidationErrors) ? 2 : 0;
    }

    private static Job NewJob(Options options, string mode, string runtime)
    {
        Job job = new Job(runtime.Length == 0 ? mode : $"{mode}-{runtime}")
            .WithLaunchCount(1).WithWarmupCount(1).WithIterationCount(options.Iterations).WithIterationTime(TimeInterval.FromMilliseconds(10));
        switch (options.Toolchain)
        {
            case "emit": return job.WithToolchain(InProcessEmitToolchain.Instance);
            case "noemit": return job.WithToolchain(InProcessNoEmitToolchain.Instance);
            case "child": break;
            default: throw new ArgumentException(options.Toolchain);
        }
        job = job.WithRuntime(runtime switch
        {
            "net8.0" => CoreRuntime.Core80,
            "net9.0" => CoreRuntime.Core90,
            "net10.0" => CoreRuntime.Core10_0,
            _ => throw new ArgumentException(runtime),
        });
        if (options.Traces is not { } folder) return job;
        return job.WithEnvironmentVariables(
            new EnvironmentVariable("DOTNET_EnableEventPipe", "1"),
            new EnvironmentVariable("DOTNET_EventPipeOutputPath", System.IO.Path.Combine(folder, $"{job.Id}.{{pid}}.nettrace")),
            new EnvironmentVariable("DOTNET_EventPipeConfig", Providers),
            new EnvironmentVariable("DOTNET_EventPipeRundown", "0"),
            new EnvironmentVariable("DOTNET_EventPipeCircularMB", "40"));
    }
}
