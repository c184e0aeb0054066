// What     One process of the subjects, run once and shared by all tests that read it: its lines, its exported files, its traces.
// What not No expectations.
// Threads  Any; each run is made once (Lazy). Two at a time: the machine has two cores, and a measured benchmark wants one.
// Failure  A missing runtime skips; another exit code or a time-out is an exception with the process's last lines.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Matrix.Tests;
using Xunit;
using Trace = TierUp.Matrix.Tests.Trace;

namespace TierUp.BenchmarkDotNet.Tests;

/// <summary>What makes one run different from another. Toolchain "child" runs on the installed SDK and builds for all of Runtimes.</summary>
internal sealed record Ask(string Toolchain, string Modes, string Classes)
{
    /// <summary>name=value, separated by blanks: more arguments of the subjects.</summary>
    public string Arguments { get; init; } = "";

    /// <summary>NAME=value, separated by blanks.</summary>
    public string Environment { get; init; } = "";

    /// <summary>False: the whole process has System.Diagnostics.Tracing.EventSource.IsSupported=false.</summary>
    public bool EventSource { get; init; } = true;

    /// <summary>A file of the subjects' folder that says of itself that it is another version.</summary>
    public string OfOtherVersion { get; init; } = "";

    public int ExitCode { get; init; }
}

internal sealed class SubjectRun
{
    public const string Child = "child", Emit = "emit", NoEmit = "noemit";

    /// <summary>Jit 0x10, Loader 0x8, Compilation 0x1000000000, verbose; and BenchmarkDotNet's own marks.</summary>
    private const string Providers = "Microsoft-Windows-DotNETRuntime:0x1000000018:5,BenchmarkDotNet.EngineEventSource:0xFFFFFFFFFFFFFFFF:4";

    private static readonly TimeSpan bound = TimeSpan.FromMinutes(10);
    private static readonly ConcurrentDictionary<(string, Ask), Lazy<SubjectRun>> runs = new();
    private static readonly SemaphoreSlim processes = new(2);

    private SubjectRun(string output, IReadOnlyDictionary<string, IReadOnlyList<Measured>> byJob, IReadOnlyDictionary<string, Trace> lastTraces, string markdown, string json)
    {
        Output = output;
        this.byJob = byJob;
        this.lastTraces = lastTraces;
        Markdown = markdown;
        Json = json;
    }

    private readonly IReadOnlyDictionary<string, IReadOnlyList<Measured>> byJob;
    private readonly IReadOnlyDictionary<string, Trace> lastTraces;

    public string Output { get; }

    public string Markdown { get; }

    public string Json { get; }

    /// <summary>Of one job of a child run ("warm-net8.0"), or of the one job of an in-process run.</summary>
    public IReadOnlyList<Measured> Of(string job) =>
        byJob.TryGetValue(job, out IReadOnlyList<Measured>? found) ? found : throw new InvalidOperationException($"no trace of job {job}; there are: {string.Join(", ", byJob.Keys)}\n{Launch.Tail(Output)}");

    public Measured Single(string job, string method) => Of(job).FirstOrDefault(one => one.Method == method)
        ?? throw new InvalidOperationException($"no benchmark {method} in job {job}; there are: {string.Join(", ", Of(job).Select(one => one.Name))}\n{Launch.Tail(Output)}");

    /// <summary>The tier of the last code that methods of the subjects with this name got; for runs whose traces have no marks.</summary>
    public string Last(string job, string method) => lastTraces[job].Loads.Last(load => load.Name == method && load.Namespace.StartsWith("TierUp.BenchmarkDotNet.Subjects", StringComparison.Ordinal)).Tier;

    public static SubjectRun Get(string runtime, Ask ask)
    {
        string? root = ask.Toolchain == Child ? SdkRoot.Get() : Runtimes.Root(runtime);
        Skip.If(root is null, $"no root for runtime {runtime} (scripts/runtimes makes them)");
        return runs.GetOrAdd((runtime, ask), _ => new(() => Make(root!, ask))).Value;
    }

    private static SubjectRun Make(string root, Ask ask)
    {
        processes.Wait();
        string folder = Directory.CreateTempSubdirectory("tierup-bdn-").FullName;
        try
        {
            string output = Start(root, ask, folder);
            Dictionary<string, IReadOnlyList<Measured>> byJob = [];
            Dictionary<string, Trace> lastTraces = [];
            foreach (IGrouping<string, string> job in Directory.GetFiles(folder, "*.nettrace").GroupBy(path => string.Join('.', Path.GetFileName(path).Split('.')[..^2])))
            {
                List<Measured> all = [];
                foreach (string path in job)
                {
                    Trace trace = Trace.Read(path);
                    if (trace.Lost > 0) throw new InvalidOperationException($"{path} lost {trace.Lost} events");
                    all.AddRange(Measured.Read(path, trace));
                    lastTraces[job.Key] = trace;
                }
                byJob[job.Key] = all;
            }
            return new(output, byJob, lastTraces, Exported(folder, "*.md"), Exported(folder, "*.json"));
        }
        finally
        {
            processes.Release();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string Start(string root, Ask ask, string folder)
    {
        string subjects = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, Metadata("Subjects")));
        if (ask.OfOtherVersion.Length > 0) subjects = OtherVersion.Make(subjects, ask.OfOtherVersion, folder);
        List<string> command = ["exec"];
        if (!ask.EventSource) command.AddRange(["--runtimeconfig", Launch.Configure(subjects, "System.Diagnostics.Tracing.EventSource.IsSupported=false", folder)]);
        command.AddRange([subjects, $"toolchain={ask.Toolchain}", $"modes={ask.Modes}", $"classes={ask.Classes}", $"output={folder}"]);
        command.AddRange(ask.Arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        if (ask.Toolchain == Child) command.Add($"traces={folder}");
        ProcessStartInfo start = Launch.Prepare(root, new(Path.Combine(root, "dotnet"), command) { WorkingDirectory = Metadata("SubjectsProject") });
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        // BenchmarkDotNet's build of its generated project knows no properties of the build of these tests: MSBuild takes them from the environment too.
        start.Environment["TierUpNativeDirectory"] = Path.GetDirectoryName(subjects);
        if (ask.Toolchain == Child)
        {
            start.Environment["PATH"] = root + Path.PathSeparator + start.Environment["PATH"];
        }
        else
        {
            start.Environment["DOTNET_ROLL_FORWARD"] = "LatestMajor";
            Launch.TraceTo(Path.Combine(folder, ask.Modes + ".{pid}.nettrace"), Providers, start);
        }
        foreach ((string name, string value) in Launch.Pairs(ask.Environment)) start.Environment[name] = value;
        return Launch.Run(start, bound, ask.ExitCode, ask.ToString()).Output;
    }

    private static string Exported(string folder, string pattern) =>
        Directory.Exists(Path.Combine(folder, "results")) ? string.Join('\n', Directory.GetFiles(Path.Combine(folder, "results"), pattern).Select(File.ReadAllText)) : "";

    private static string Metadata(string key) => typeof(SubjectRun).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(one => one.Key == key).Value!;
}
