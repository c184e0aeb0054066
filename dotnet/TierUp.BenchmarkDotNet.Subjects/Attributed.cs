// What     A class that asks for the package by its attribute, and for nothing else.
using BenchmarkDotNet.Attributes;

namespace TierUp.BenchmarkDotNet.Subjects;

[TieredWarmup]
public class AttributedKinds
{
    private int state;

    [Benchmark]
    public int ByAttribute() => state = Callees.Mix(state, 5);
}
