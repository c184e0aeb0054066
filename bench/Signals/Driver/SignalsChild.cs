// What     Starts children of the bench, with the settings that a figure needs, and reads their samples.
// What not Interprets no figure.
// Failure  InvalidOperationException with the child's error text; a child that hangs is ended after a bound.
// Source   System.Diagnostics.Tracing.EventSource.IsSupported is a property of runtimeconfig.json (learn.microsoft.com, "Trimming options",
//          feature switches), so a child without EventSource gets a runtimeconfig.json of its own.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading.Tasks;

namespace TierUp.Bench.Signals.Driver;

internal sealed class SignalsChild : IDisposable
{
    private const string Program = "TierUp.Bench.Signals";
    private const string EventSourceProperty = "System.Diagnostics.Tracing.EventSource.IsSupported";
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);
    private static readonly string[] s_knobs =
    [
        "DOTNET_TC_", "DOTNET_Tiered", "DOTNET_ReadyToRun", "DOTNET_EnableEventPipe", "DOTNET_EnableDiagnostics", "TIERUP_SIGNALS",
    ];

    private readonly string _name;
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _errors;

    private SignalsChild(string name, ProcessStartInfo start)
    {
        _name = name;
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
        _errors = _process.StandardError.ReadToEndAsync();
    }

    public void Dispose()
    {
        _process.Dispose();
    }

    internal static Dictionary<string, double[]> Run(string name, string? runtimeConfig = null)
    {
        using SignalsChild child = Start(name, runtimeConfig);
        return child.Read();
    }

    internal static SignalsChild Start(string name, string? runtimeConfig = null)
    {
        string program = Path.Combine(AppContext.BaseDirectory, Program + ".dll");
        ProcessStartInfo start = new(Environment.ProcessPath!) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string knob in Knobs(start.Environment))
        {
            start.Environment.Remove(knob);
        }

        string[] words = runtimeConfig is null
            ? [program, "child", name]
            : ["exec", "--runtimeconfig", runtimeConfig, "--depsfile", Path.ChangeExtension(program, ".deps.json"), program, "child", name];
        foreach (string word in words)
        {
            start.ArgumentList.Add(word);
        }

        return new SignalsChild(name, start);
    }

    /// <summary>Writes a copy of the program's runtimeconfig.json that switches EventSource off, and says where.</summary>
    internal static string WriteConfigWithoutEventSource(string folder)
    {
        JsonNode config = JsonNode.Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, Program + ".runtimeconfig.json")))!;
        JsonNode options = config["runtimeOptions"]!;
        options["configProperties"] ??= new JsonObject();
        options["configProperties"]![EventSourceProperty] = false;
        string path = Path.Combine(folder, Program + ".runtimeconfig.json");
        File.WriteAllText(path, config.ToJsonString());
        return path;
    }

    internal Dictionary<string, double[]> Read()
    {
        if (!_process.WaitForExit(s_limit))
        {
            _process.Kill();
            throw new InvalidOperationException($"child {_name} did not end within {s_limit.TotalSeconds:f0} s");
        }

        return _process.ExitCode == 0
            ? JsonSerializer.Deserialize<Dictionary<string, double[]>>(_output.Result)!
            : throw new InvalidOperationException($"child {_name} ended with {_process.ExitCode}\n{_output.Result}\n{_errors.Result}");
    }

    /// <summary>A knob that the caller's shell happens to have would change what is measured.</summary>
    private static List<string> Knobs(IDictionary<string, string?> environment)
    {
        List<string> knobs = [];
        foreach (string variable in environment.Keys)
        {
            string plain = variable.Replace("COMPlus_", "DOTNET_", StringComparison.OrdinalIgnoreCase);
            if (Array.Exists(s_knobs, prefix => plain.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
            {
                knobs.Add(variable);
            }
        }

        return knobs;
    }
}
