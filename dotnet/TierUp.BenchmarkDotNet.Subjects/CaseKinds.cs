// What     CASES.md, case 2, as benchmarks: what a benchmark's method may already be, or can never become, when the stage meets it.
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;

namespace TierUp.BenchmarkDotNet.Subjects;

public class CaseKinds
{
    private int state;

    [GlobalSetup(Target = nameof(AlreadyCounting))]
    public void CallAFewTimes() => Call(5);

    [GlobalSetup(Target = nameof(AlreadyHot))]
    public void CallOften() => Call(200_000);

    [Benchmark]
    public int AlreadyCounting() => state = Callees.Mix(state, 1);

    [Benchmark]
    public int AlreadyHot() => state = Callees.Mix(state, 2);

    [Benchmark]
    [MethodImpl(MethodImplOptions.NoOptimization)]
    public int NoOptimization() => state = Callees.Mix(state, 3);

    [Benchmark]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int AggressiveOptimization() => state = Callees.Mix(state, 4);

    /// <summary>Its first call is long enough to be replaced on the stack.</summary>
    [Benchmark]
    public int ReplacedOnStack()
    {
        int sum = state;
        for (int i = 0; i < 60_000; i++) sum += i ^ sum;
        return sum;
    }

    [Benchmark]
    public int CalleeReplacedOnStack() => Loop(60_000);

    /// <summary>The other overload has its own count and is called ten times as often.</summary>
    [Benchmark]
    public int Overloaded()
    {
        for (int i = 0; i < 10; i++) Overloaded(i);
        return state;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Overloaded(int number) => state = number;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Loop(int turns)
    {
        int sum = turns;
        for (int i = 0; i < turns; i++) sum += i ^ sum;
        return sum;
    }

    private void Call(int times)
    {
        for (int i = 0; i < times; i++)
        {
            AlreadyCounting();
            AlreadyHot();
        }
    }
}
