// What     Three ordinary benchmarks with callees. [TieredWarmup] is all that a project needs.
using BenchmarkDotNet.Attributes;
using TierUp.BenchmarkDotNet;

namespace Benchmarks;

[TieredWarmup]
public class TextBenchmarks
{
    private readonly string _line = string.Join(',', Enumerable.Range(0, 40).Select(i => $"field{i}={i * 7919}"));

    private int _calls;

    [Benchmark]
    public int SumFields() => Fields.Sum(_line);

    // Its callee is called by every eighth call only, so it tiers eight times later than the benchmark.
    [Benchmark]
    public int RareCallee() => (++_calls & 7) == 0 ? Fields.Sum(_line) : _calls;

    [Benchmark]
    public async Task<int> ReadAsync()
    {
        await Task.Yield();
        return Fields.Sum(_line);
    }
}
