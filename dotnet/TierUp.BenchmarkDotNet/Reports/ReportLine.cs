// What     The report as one line of output: "// tierup: " and JSON, and back.
// What not No human wording.
// Threads  [any]
// Failure  TryRead is false for every other line and for a schema that it does not know.

using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using TierUp.BenchmarkDotNet.Stage;

namespace TierUp.BenchmarkDotNet.Reports;

internal static class ReportLine
{
    internal const string Prefix = "// tierup: ";
    internal const int Schema = 1;

    // By hand: in the benchmark process a serializer would be hundreds of methods called for the first time.
    internal static string Write(WarmupReport report)
    {
        StringBuilder line = new StringBuilder(Prefix, 1024).Append("{\"schema\":").Append(Schema);
        Add(line, "benchmark", report.Benchmark);
        Add(line, "mode", report.Mode);
        Add(line, "tier", report.Tier);
        Add(line, "tierAtEnd", report.TierAtEnd);
        Add(line, "isFinal", report.IsFinal);
        Add(line, "isFinalAtEnd", report.IsFinalAtEnd);
        Add(line, "reason", report.Reason);
        Add(line, "calls", report.Calls);
        Add(line, "overheadCalls", report.OverheadCalls);
        Add(line, "rounds", report.Rounds);
        Add(line, "elapsedMs", report.ElapsedMilliseconds);
        Add(line, "rehearsalMs", report.RehearsalMilliseconds);
        Add(line, "pausedMs", report.PausedMilliseconds);
        Add(line, "budgetMs", report.BudgetMilliseconds);
        Add(line, "exhausted", report.IsExhausted);
        Add(line, "iterations", report.Iterations);
        Add(line, "unfinishedIterations", report.UnfinishedIterations);
        Add(line, "compiledInMeasurement", report.CompiledInMeasurement);
        Add(line, "harnessInMeasurement", report.HarnessInMeasurement);
        Add(line, "libraryInMeasurement", report.LibraryInMeasurement);
        Add(line, "note", report.Note);
        line.Append(",\"names\":[");
        for (int i = 0; i < report.Names.Count; i++)
        {
            AppendText(i == 0 ? line : line.Append(','), report.Names[i]);
        }

        return line.Append("]}").ToString();
    }

    [MethodImpl(Untiered.Code)]
    internal static bool IsOne(string? line)
    {
        return line is not null && line.Length > Prefix.Length && line[0] == '/' && line[3] == 't' && line[8] == 'p' && line[9] == ':';
    }

    internal static bool TryRead(string? line, [NotNullWhen(true)] out WarmupReport? report)
    {
        report = null;
        if (line is null || !line.StartsWith(Prefix, StringComparison.Ordinal))
        {
            return false;
        }

        try
        {
            using JsonDocument document = JsonDocument.Parse(line.AsMemory(Prefix.Length));
            JsonElement root = document.RootElement;
            if (root.GetProperty("schema").GetInt32() != Schema)
            {
                return false;
            }

            report = Read(root);
            return true;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or FormatException or System.Collections.Generic.KeyNotFoundException)
        {
            return false;
        }
    }

    private static WarmupReport Read(JsonElement root)
    {
        return new WarmupReport
        {
            Benchmark = root.GetProperty("benchmark").GetString()!,
            Mode = root.GetProperty("mode").GetString()!,
            Tier = root.GetProperty("tier").GetString()!,
            TierAtEnd = root.GetProperty("tierAtEnd").GetString()!,
            IsFinal = root.GetProperty("isFinal").GetBoolean(),
            IsFinalAtEnd = root.GetProperty("isFinalAtEnd").GetBoolean(),
            Reason = root.GetProperty("reason").GetString()!,
            Calls = root.GetProperty("calls").GetInt64(),
            OverheadCalls = root.GetProperty("overheadCalls").GetInt64(),
            Rounds = root.GetProperty("rounds").GetInt32(),
            ElapsedMilliseconds = root.GetProperty("elapsedMs").GetDouble(),
            RehearsalMilliseconds = root.GetProperty("rehearsalMs").GetDouble(),
            PausedMilliseconds = root.GetProperty("pausedMs").GetDouble(),
            BudgetMilliseconds = root.GetProperty("budgetMs").GetDouble(),
            IsExhausted = root.GetProperty("exhausted").GetBoolean(),
            Iterations = root.GetProperty("iterations").GetInt32(),
            UnfinishedIterations = root.GetProperty("unfinishedIterations").GetInt32(),
            CompiledInMeasurement = root.GetProperty("compiledInMeasurement").GetInt32(),
            HarnessInMeasurement = root.GetProperty("harnessInMeasurement").GetInt32(),
            LibraryInMeasurement = root.GetProperty("libraryInMeasurement").GetInt32(),
            Note = root.GetProperty("note").GetString()!,
            Names = root.GetProperty("names").EnumerateArray().Select(name => name.GetString()!).ToArray(),
        };
    }

    private static void Add(StringBuilder line, string name, string value)
    {
        AppendText(line.Append(",\"").Append(name).Append("\":"), value);
    }

    private static void Add(StringBuilder line, string name, bool value)
    {
        line.Append(",\"").Append(name).Append("\":").Append(value ? "true" : "false");
    }

    private static void Add(StringBuilder line, string name, long value)
    {
        line.Append(",\"").Append(name).Append("\":").Append(value);
    }

    private static void Add(StringBuilder line, string name, double value)
    {
        line.Append(",\"").Append(name).Append("\":").Append(value.ToString("0.###", CultureInfo.InvariantCulture));
    }

    private static void AppendText(StringBuilder line, string text)
    {
        line.Append('"');
        foreach (char c in text)
        {
            if (c is '"' or '\\')
            {
                line.Append('\\').Append(c);
            }
            else if (c < ' ')
            {
                line.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                line.Append(c);
            }
        }

        line.Append('"');
    }
}
