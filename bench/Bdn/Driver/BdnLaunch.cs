// What     One benchmark process of a run: its job, its benchmark, its measurements, its trace, and what our stage said.
// What not No figure.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using TierUp.Bench.Bdn.Subjects;

namespace TierUp.Bench.Bdn.Driver;

internal sealed record BdnLaunch(string Job, string Method, IReadOnlyList<string> Lines, IReadOnlyList<Measurement> Measurements, ProcessTrace? Trace)
{
    private const string ReportPrefix = "// tierup: ";

    /// <summary>Gets the mean of the launch's results in ns per call.</summary>
    internal double MeanNs
    {
        get
        {
            return Measurements.Where(one => one.IterationMode == IterationMode.Workload && one.IterationStage == IterationStage.Result)
                .Average(one => one.Nanoseconds / one.Operations);
        }
    }

    /// <summary>Gets the ms that the fixed sleeps took, as SleepEngineFactory measured them.</summary>
    internal double SleptMs => double.Parse(Line(SleepEngineFactory.Prefix), CultureInfo.InvariantCulture);

    /// <summary>A number of our stage's report.</summary>
    internal double Reported(string name)
    {
        using JsonDocument report = JsonDocument.Parse(Line(ReportPrefix));
        return report.RootElement.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number ? value.GetDouble() : double.NaN;
    }

    /// <summary>A launch in which the package was blind ran as stock does: its figures would say nothing, and some would look good.</summary>
    internal void RequireStage()
    {
        using JsonDocument report = JsonDocument.Parse(Line(ReportPrefix));
        if (report.RootElement.GetProperty("mode").GetString() != "stage")
        {
            throw new InvalidOperationException($"{Job} {Method}: our stage did not run: {report.RootElement.GetProperty("note").GetString()}");
        }
    }

    private string Line(string prefix)
    {
        return Lines.FirstOrDefault(line => line.StartsWith(prefix, StringComparison.Ordinal))?[prefix.Length..]
            ?? throw new InvalidOperationException($"{Job} {Method}: no line \"{prefix}\"");
    }
}
