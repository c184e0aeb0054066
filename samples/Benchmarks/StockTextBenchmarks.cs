// What     The same without the warm-up stage, only watched: what BenchmarkDotNet alone measures.
using BenchmarkDotNet.Attributes;
using TierUp.BenchmarkDotNet;

namespace Benchmarks;

[TieredWarmup(VerdictOnly = true)]
public class StockTextBenchmarks
{
    private readonly TextBenchmarks _text = new();

    [Benchmark]
    public int SumFields() => _text.SumFields();

    [Benchmark]
    public int RareCallee() => _text.RareCallee();

    [Benchmark]
    public Task<int> ReadAsync() => _text.ReadAsync();
}
