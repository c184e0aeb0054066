// What     One process of the workload on one runtime with one setting, run once and shared by all rows that read it.
// What not No expectations.
// Threads  Any; each run is made once (Lazy).
// Failure  A missing runtime skips; a wrong exit code or a time-out is an exception with the process's stderr.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text.Json;
using System.Threading;
using Xunit;

namespace TierUp.Matrix.Tests;

/// <summary>What makes one run different from another.</summary>
internal sealed record Setting(string Scenario)
{
    public string Arguments { get; init; } = "";

    /// <summary>NAME=value, separated by blanks.</summary>
    public string Environment { get; init; } = "";

    /// <summary>Runtime properties (runtimeconfig.json), name=JSON value, separated by blanks.</summary>
    public string Properties { get; init; } = "";

    public bool OneProcessor { get; init; }

    /// <summary>False: the run has no trace, its lines alone must tell.</summary>
    public bool Traced { get; init; } = true;

    /// <summary>What the process ends with.</summary>
    public int ExitCode { get; init; }

    /// <summary>The longest time that the process may take.</summary>
    public int BoundSeconds { get; init; } = 60;

    /// <summary>True: TierUp.dll is one whose code the runtime does not optimize, as in a Debug build.</summary>
    public bool IsUnoptimized { get; init; }
}

internal sealed class Run
{
    private static readonly ConcurrentDictionary<(string, Setting), Lazy<Run>> runs = new();
    private static readonly ConcurrentDictionary<(string, string), bool> begun = new();
    private static readonly SemaphoreSlim processes = new(4);

    /// <summary>Stands for the path of the native library in a row's environment.</summary>
    public const string LibraryPlaceholder = "{library}";
    private static readonly JsonSerializerOptions json = new(JsonSerializerDefaults.Web);

    /// <summary>Jit 0x10, NGen 0x20, Loader 0x8, Compilation 0x1000000000, CompilationDiagnostic 0x2000000000 (ready-to-run look-ups); verbose.</summary>
    private const string Providers = "Microsoft-Windows-DotNETRuntime:0x3000000038:5";

    private Run(IReadOnlyList<Line> lines, Trace? trace, string errors)
    {
        Lines = lines;
        this.trace = trace;
        Errors = errors;
    }

    private readonly Trace? trace;

    public IReadOnlyList<Line> Lines { get; }

    public string Errors { get; }

    public Trace Trace => trace ?? throw new InvalidOperationException("this run was made without a trace");

    public bool HasTrace => trace is not null;

    public IReadOnlyList<Line> Of(string row) => [.. Lines.Where(line => line.Row == row)];

    public Line Single(string row, string at) => Lines.FirstOrDefault(line => line.Row == row && line.At == at)
        ?? throw new InvalidOperationException($"no line '{row}' at '{at}'; the row has:\n" + string.Join('\n', Of(row)));

    public static Run Get(string runtime, Setting setting)
    {
        string? root = Runtimes.Root(runtime);
        Skip.If(root is null, $"no root for runtime {runtime} (scripts/runtimes makes them)");
        Skip.If(setting.Environment.Contains(Profiler.Placeholder, StringComparison.Ordinal) && Profiler.Path is null, "no C compiler (cc) to build the profiler with");
        return runs.GetOrAdd((runtime, setting), _ => new(() => Make(root!, setting))).Value;
    }

    /// <summary>The same for one setting of many. xunit runs the rows of a class one after the other and a run mostly sleeps, so once a second
    /// setting is asked for, all of them are begun, a few at a time. A filter that leaves one row still starts one process.</summary>
    public static Run Get(string runtime, Setting setting, IEnumerable<Setting> others)
    {
        bool isFirst = runs.Keys.All(key => key.Item1 != runtime || key.Item2 == setting || key.Item2.Scenario != setting.Scenario);
        if (!isFirst && Runtimes.Root(runtime) is not null && begun.TryAdd((runtime, setting.Scenario), true))
        {
            foreach (Setting other in others) new Thread(() => Attempt(() => Get(runtime, other))) { IsBackground = true }.Start();
        }
        return Get(runtime, setting);
    }

    private static void Attempt(Action run)
    {
        // The exception is kept by Lazy and thrown again for the row that asks.
        try { run(); }
        catch (Exception) { }
    }

    private static Run Make(string root, Setting setting)
    {
        processes.Wait();
        string folder = Directory.CreateTempSubdirectory("tierup-matrix-").FullName;
        try
        {
            string path = Path.Combine(folder, "x.nettrace");
            (string output, string errors) = Start(root, setting, folder, path);
            List<Line> lines = [];
            foreach (string line in output.Split('\n', StringSplitOptions.RemoveEmptyEntries)) lines.Add(JsonSerializer.Deserialize<Line>(line, json)!);
            return new(lines, setting.Traced ? Trace.Read(path) : null, errors);
        }
        finally
        {
            processes.Release();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static (string Output, string Errors) Start(string root, Setting setting, string folder, string trace)
    {
        string workload = setting.IsUnoptimized ? UnoptimizedCopy.Make(Workload(), folder) : Workload();
        TimeSpan bound = TimeSpan.FromSeconds(setting.BoundSeconds);
        List<string> command = [Path.Combine(root, "dotnet"), "exec"];
        if (setting.Properties.Length > 0) command.AddRange(["--runtimeconfig", Launch.Configure(workload, setting.Properties, folder)]);
        command.Add(workload);
        command.Add(setting.Scenario);
        command.AddRange(setting.Arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        if (setting.OneProcessor) command.InsertRange(0, ["taskset", "-c", "0"]);
        ProcessStartInfo start = Launch.Prepare(root, new(command[0], command.Skip(1)));
        start.Environment["DOTNET_ROLL_FORWARD"] = "LatestMajor";
        if (setting.Traced) Launch.TraceTo(trace, Providers, start);
        foreach ((string name, string value) in Launch.Pairs(setting.Environment))
        {
            start.Environment[name] = value.Replace(Profiler.Placeholder, Profiler.Path, StringComparison.Ordinal).Replace(LibraryPlaceholder, Library(workload), StringComparison.Ordinal);
        }
        return Launch.Run(start, bound, setting.ExitCode, string.Join(' ', command.Skip(2)) + " with " + setting);
    }

    /// <summary>The one that TierUp will load (NativeLibraryLocator).</summary>
    private static string Library(string workload) =>
        Environment.GetEnvironmentVariable("TIERUP_NATIVE_LIBRARY") is { Length: > 0 } given ? given : Path.Combine(Path.GetDirectoryName(workload)!, "libtierup.so");

    private static string Workload()
    {
        string relative = typeof(Run).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "Workload").Value!;
        return Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(Run).Assembly.Location)!, relative));
    }
}
