// What     Starts one child of the bench with given environment on a given runtime and reads its samples.
// What not Interprets no figure.
// Failure  InvalidOperationException with the child's error text; a child that hangs is ended after a bound.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text.Json;
using System.Threading.Tasks;

namespace TierUp.Bench.Core.Driver;

internal static class Child
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    /// <summary>Runs a child on the installed runtime, or on the one in `root`.</summary>
    internal static Dictionary<string, double[]> Run(string name, string? root = null, params (string Name, string Value)[] environment)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "TierUp.Bench.Core.dll");
        ProcessStartInfo start = new(Environment.ProcessPath!) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (root is not null)
        {
            program = Path.Combine(AppContext.BaseDirectory, "..", "net8.0", "TierUp.Bench.Core.dll");
            start.FileName = Path.Combine(root, "dotnet");
            start.Environment["DOTNET_ROOT"] = root;
        }

        foreach (string inherited in TieringKnobs(start.Environment))
        {
            start.Environment.Remove(inherited);
        }

        foreach ((string variable, string value) in environment)
        {
            start.Environment[variable] = value;
        }

        start.ArgumentList.Add(program);
        start.ArgumentList.Add("child");
        start.ArgumentList.Add(name);
        return Read(name, start);
    }

    /// <summary>A knob that the caller's shell happens to have would change what is measured.</summary>
    private static List<string> TieringKnobs(IDictionary<string, string?> environment)
    {
        List<string> knobs = [];
        foreach (string variable in environment.Keys)
        {
            string plain = variable.Replace("COMPlus_", "DOTNET_", StringComparison.OrdinalIgnoreCase);
            if (plain.StartsWith("DOTNET_TC_", StringComparison.OrdinalIgnoreCase) ||
                plain.StartsWith("DOTNET_Tiered", StringComparison.OrdinalIgnoreCase) ||
                plain.StartsWith("DOTNET_ReadyToRun", StringComparison.OrdinalIgnoreCase) ||
                plain.StartsWith("DOTNET_EnableEventPipe", StringComparison.OrdinalIgnoreCase))
            {
                knobs.Add(variable);
            }
        }

        return knobs;
    }

    private static Dictionary<string, double[]> Read(string name, ProcessStartInfo start)
    {
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill();
            throw new InvalidOperationException($"child {name} did not end within {s_limit.TotalSeconds:f0} s");
        }

        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"child {name} ended with {process.ExitCode}\n{output.Result}\n{errors.Result}");
        }

        return JsonSerializer.Deserialize<Dictionary<string, double[]>>(output.Result)!;
    }
}
