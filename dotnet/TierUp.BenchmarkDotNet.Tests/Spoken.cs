// What     What the package itself says on stdout and in the summary: its "// tierup: " lines and the table's cells.
// What not No expectations.
// Failure  A line that is no JSON is an exception.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Nodes;

namespace TierUp.BenchmarkDotNet.Tests;

internal static class Spoken
{
    public const string Mark = "// tierup: ";

    /// <summary>The JSON lines, in the order of the benchmarks' runs.</summary>
    public static IReadOnlyList<JsonNode> Lines(string output) =>
        [.. output.Split('\n').Where(line => line.StartsWith(Mark + "{", StringComparison.Ordinal)).Select(line => JsonNode.Parse(line[Mark.Length..])!)];

    /// <summary>The rows of a Markdown table, each cell under its column's name.</summary>
    public static IReadOnlyList<IReadOnlyDictionary<string, string>> Table(string markdown)
    {
        List<IReadOnlyDictionary<string, string>> rows = [];
        string[]? names = null;
        foreach (string line in markdown.Split('\n').Select(line => line.Trim()).Where(line => line.StartsWith('|')))
        {
            string[] cells = [.. line.Trim('|').Split('|').Select(cell => cell.Trim().Trim('*').Replace("&lt;", "<").Replace("&gt;", ">"))];
            if (names is null) names = cells;
            else if (!cells.All(cell => cell.Trim('-', ':').Length == 0)) rows.Add(names.Zip(cells).ToDictionary(pair => pair.First, pair => pair.Second));
        }
        return rows;
    }
}
