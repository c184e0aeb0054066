// What     How both suites start a runtime: without the caller's own runtime variables, with a trace if wanted, to its end or its bound.
// What not No workload and no meaning of its output.
// Threads  Any.
// Failure  A wrong exit code or a time-out is an exception with what the process said.
using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json.Nodes;
using System.Threading.Tasks;

namespace TierUp.Matrix.Tests;

internal static class Launch
{
    private const int MostTold = 3000;

    /// <summary>Output redirected, DOTNET_ROOT set, and nothing of the runtime's or MSBuild's variables that this process happens to have.</summary>
    public static ProcessStartInfo Prepare(string root, ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.UseShellExecute = false;
        foreach (string name in start.Environment.Keys.Where(IsForeign).ToList()) start.Environment.Remove(name);
        start.Environment["DOTNET_ROOT"] = root;
        return start;
    }

    public static void TraceTo(string path, string providers, ProcessStartInfo start)
    {
        start.Environment["DOTNET_EnableEventPipe"] = "1";
        start.Environment["DOTNET_EventPipeOutputPath"] = path;
        start.Environment["DOTNET_EventPipeConfig"] = providers;
        start.Environment["DOTNET_EventPipeRundown"] = "0";
        // MiB, hexadecimal: far more than a run writes, so that nothing is dropped.
        start.Environment["DOTNET_EventPipeCircularMB"] = "100";
    }

    /// <summary>Each "name=value" of a text, separated by blanks.</summary>
    public static (string Name, string Value)[] Pairs(string text) =>
        [.. text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(pair => (pair[..pair.IndexOf('=')], pair[(pair.IndexOf('=') + 1)..]))];

    /// <summary>A copy of the assembly's runtimeconfig.json with these properties, values in JSON.</summary>
    public static string Configure(string assembly, string properties, string folder)
    {
        JsonObject config = JsonNode.Parse(File.ReadAllText(Path.ChangeExtension(assembly, ".runtimeconfig.json")))!.AsObject();
        JsonObject options = config["runtimeOptions"]!.AsObject();
        if (options["configProperties"] is not JsonObject) options["configProperties"] = new JsonObject();
        foreach ((string name, string value) in Pairs(properties)) options["configProperties"]!.AsObject()[name] = JsonNode.Parse(value);
        string path = Path.Combine(folder, "given.runtimeconfig.json");
        File.WriteAllText(path, config.ToJsonString());
        return path;
    }

    public static (string Output, string Errors) Run(ProcessStartInfo start, TimeSpan bound, int exitCode, string told)
    {
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync(), errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(bound))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"no end after {bound.TotalSeconds} s: {told}\n{errors.Result}\n{Tail(output.Result)}");
        }
        if (process.ExitCode != exitCode) throw new InvalidOperationException($"exit code {process.ExitCode}: {told}\n{errors.Result}\n{Tail(output.Result)}");
        return (output.Result, errors.Result);
    }

    public static string Tail(string text) => text.Length <= MostTold ? text : text[^MostTold..];

    private static bool IsForeign(string name) =>
        name.StartsWith("DOTNET_", StringComparison.Ordinal) || name.StartsWith("COMPlus_", StringComparison.Ordinal)
        || name.StartsWith("CORECLR_", StringComparison.Ordinal) || name.StartsWith("MSBuild", StringComparison.OrdinalIgnoreCase);
}
