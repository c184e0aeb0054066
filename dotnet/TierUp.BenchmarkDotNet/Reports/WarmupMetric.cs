// What     The numbers of a report as BenchmarkDotNet's metrics, for the JSON exporter.
// What not No columns: MetricColumn would show zeros as "-", so these metrics say that they are not available as such.
// Threads  Immutable.
// Source   BenchmarkDotNet 0.15.8, JsonExporterBase writes all metrics, MetricColumn shows the available ones.

using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;

namespace TierUp.BenchmarkDotNet.Reports;

internal sealed class WarmupMetric : IMetricDescriptor
{
    internal WarmupMetric(string id, string displayName, string legend, string unit = "")
    {
        Id = id;
        DisplayName = displayName;
        Legend = legend;
        Unit = unit;
    }

    public string Id { get; }

    public string DisplayName { get; }

    public string Legend { get; }

    public string NumberFormat => "0.###";

    public UnitType UnitType => UnitType.Dimensionless;

    public string Unit { get; }

    public bool TheGreaterTheBetter => false;

    public int PriorityInCategory => 0;

    public bool GetIsAvailable(Metric metric)
    {
        return false;
    }
}
