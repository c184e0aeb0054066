// What     Benchmarks known to suffer with few iterations: one of some milliseconds per call, whose first 61 calls reach into the actual
//          iterations, and one that calls something by every 2,048th call only.
// What not Callees are this class's own, so that whose code was compiled is plain from its name.
// Threads  The engine's.

using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace TierUp.Bench.Bdn.Subjects;

public class SufferingBenchmarks
{
    private const int Cells = 400_000;
    private const int Generations = 2048;

    private readonly int[] _cells = new int[Cells];
    private int _calls;

    /// <summary>Some milliseconds a call: a grid that each call steps once.</summary>
    [Benchmark]
    public int StepGrid()
    {
        int alive = 0;
        for (int i = 1; i < _cells.Length - 1; i++)
        {
            alive += _cells[i] = Rule(_cells[i - 1], _cells[i], _cells[i + 1]);
        }

        return alive;
    }

    /// <summary>A cache that is rebuilt now and then: the rebuilding is counted some thousand times more slowly than the look-up.</summary>
    [Benchmark]
    public int CachedWithRareRebuild()
    {
        return ++_calls % Generations == 0 ? Rebuild(_calls) : _cells[_calls % Cells];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Rule(int left, int middle, int right)
    {
        return ((left + (2 * middle) + right + 1) >> 1) & 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Rebuild(int seed)
    {
        int sum = 0;
        for (int i = 0; i < 100; i++)
        {
            sum += _cells[i] = Rule(seed, i, sum);
        }

        return sum;
    }
}
