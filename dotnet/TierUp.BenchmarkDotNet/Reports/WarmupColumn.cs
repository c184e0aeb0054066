// What     One text column of the summary, made of a benchmark's reports.
// What not What it says: WarmupColumns.
// Threads  BenchmarkDotNet's.
// Failure  A benchmark without a report (no stage, an error) has "NA"; launches that differ are all told.

using System;
using System.Collections.Generic;
using System.Linq;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace TierUp.BenchmarkDotNet.Reports;

internal sealed class WarmupColumn : IColumn
{
    private const string Absent = "NA";

    private readonly Func<WarmupReport, string> _text;

    internal WarmupColumn(string name, int priority, bool isNumeric, string legend, Func<WarmupReport, string> text)
    {
        ColumnName = name;
        PriorityInCategory = priority;
        IsNumeric = isNumeric;
        Legend = legend;
        _text = text;
    }

    public string Id => "TierUp." + ColumnName;

    public string ColumnName { get; }

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Metric;

    public int PriorityInCategory { get; }

    public bool IsNumeric { get; }

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend { get; }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        IReadOnlyList<WarmupReport> reports = ReportsOf.Case(summary, benchmarkCase);
        return reports.Count == 0 ? Absent : string.Join("; ", reports.Select(_text).Distinct());
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style)
    {
        return GetValue(summary, benchmarkCase);
    }

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase)
    {
        return false;
    }

    public bool IsAvailable(Summary summary)
    {
        return true;
    }
}
