// What     name=value arguments.
using System;
using System.Collections.Generic;
using System.Linq;

namespace TierUp.BenchmarkDotNet.Subjects;

internal sealed class Options(string[] args)
{
    private readonly Dictionary<string, string> values = args.ToDictionary(a => a[..a.IndexOf('=')], a => a[(a.IndexOf('=') + 1)..]);

    /// <summary>child, emit, noemit.</summary>
    public string Toolchain => values.GetValueOrDefault("toolchain", "emit");

    /// <summary>For the child toolchain: net8.0,net9.0,net10.0.</summary>
    public string[] Runtimes => List("runtimes");

    /// <summary>stock, warm, config, verdict, attribute, or a validator's case: one job each.</summary>
    public string[] Modes => List("modes");

    /// <summary>Names of benchmark classes without their generic arguments.</summary>
    public string[] Classes => List("classes");

    public string Output => values["output"];

    /// <summary>Where child processes put their traces; none when absent.</summary>
    public string? Traces => values.GetValueOrDefault("traces");

    public int Iterations => Number("iterations", 3);

    /// <summary>Zero: the package's default.</summary>
    public int BudgetMilliseconds => Number("budget", 0);

    private string[] List(string name) => values.GetValueOrDefault(name, "").Split(',', StringSplitOptions.RemoveEmptyEntries);

    private int Number(string name, int otherwise) => values.TryGetValue(name, out string? text) ? int.Parse(text) : otherwise;
}
