// What     Three small benchmarks, as people write them: arithmetic behind a call, a loop over text with callees, a look-up in a dictionary.
// What not No IterationSetup, no parameters.
// Threads  The engine's.

using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace TierUp.Bench.Bdn.Subjects;

public class SmallBenchmarks
{
    private const int Keys = 64;

    private readonly string _line = string.Join(',', Enumerable.Range(0, 16).Select(i => i * 7919));
    private readonly Dictionary<int, string> _names = Enumerable.Range(0, Keys).ToDictionary(i => i, i => "name" + i);
    private int _state = 1;

    [Benchmark]
    public int Mix()
    {
        return _state = Step(_state);
    }

    [Benchmark]
    public int SumDigits()
    {
        int sum = 0;
        foreach (char c in _line)
        {
            sum += Digit(c);
        }

        return sum;
    }

    [Benchmark]
    public int LookUp()
    {
        return _names[_state++ % Keys].Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Step(int value)
    {
        return (value * 31) ^ (value >> 3);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Digit(char c)
    {
        return c is >= '0' and <= '9' ? c - '0' : 0;
    }
}
