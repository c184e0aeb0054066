// What     One benchmark per kind of method: static, instance, with arguments and parameters, generic, async, on structs, with iteration setup, allocating.
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using BenchmarkDotNet.Attributes;

namespace TierUp.BenchmarkDotNet.Subjects;

public class PlainKinds
{
    private int state;

    [Benchmark]
    public int Instance() => state = Callees.Mix(state, 3);

    [Benchmark]
    public void InlinedCallee() => state = Callees.Inlined(state);
}

/// <summary>BenchmarkDotNet refuses static benchmarks in child processes.</summary>
public class StaticKinds
{
    [Benchmark]
    public static int Static() => Callees.Mix(5, 3);
}

/// <summary>The same with a generic class, whose static method has an instantiating stub.</summary>
[GenericTypeArguments(typeof(int))]
[GenericTypeArguments(typeof(string))]
public class GenericStaticKinds<T>
{
    [Benchmark]
    public static int StaticOnGenericClass() => typeof(T).IsValueType ? 1 : 2;
}

/// <summary>InProcessNoEmit knows no arguments.</summary>
public class ArgumentKinds
{
    [Benchmark]
    [Arguments(4, "four")]
    public int WithArguments(int number, string text) => Callees.Mix(number, text.Length);
}

public class ParameterKinds
{
    [Params(7)]
    public int Number { get; set; }

    [Benchmark]
    public int WithParameter() => Callees.Mix(Number, Number);
}

[GenericTypeArguments(typeof(int))]
[GenericTypeArguments(typeof(string))]
public class GenericKinds<T>
{
    private readonly T[] items = new T[8];

    [Benchmark]
    public int OnGenericClass() => Callees.Count(items);

    [Benchmark]
    public int CallsStaticOnGenericClass() => Named(typeof(T).IsValueType);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Named(bool isValue) => isValue ? 1 : 2;
}

public class GenericMethodKinds
{
    private readonly int[] numbers = new int[8];
    private readonly string[] texts = new string[8];

    [Benchmark]
    public int OverValue() => Callees.Count(numbers);

    [Benchmark]
    public int OverReference() => Callees.Count(texts);
}

public class AsyncKinds
{
    private int state;

    [Benchmark]
    public async Task AsyncTask()
    {
        await Task.CompletedTask;
        state = Callees.Mix(state, 1);
    }

    [Benchmark]
    public async Task<int> AsyncTaskOfInt()
    {
        await Task.Yield();
        return Callees.Mix(3, 1);
    }

    [Benchmark]
    public async ValueTask<int> AsyncValueTask()
    {
        await default(ValueTask);
        return Callees.Mix(2, 1);
    }
}

public class StructKinds
{
    private readonly IShape boxed = new Square();
    private readonly Cell<int> number = new(42);
    private readonly Cell<string> text = new("forty-two");

    [Benchmark]
    public int ThroughInterface() => boxed.Area(3);

    [Benchmark]
    public int OnGenericStruct() => number.Weigh() + text.Weigh();
}

public class SetupKinds
{
    private int state, setups;

    [GlobalSetup]
    public void Prepare() => setups++;

    [IterationSetup]
    public void Before() => state = 1;

    [Benchmark]
    public int WithIterationSetup()
    {
        // A second use of one setup, or a global setup that ran twice, is an error that the driver sees.
        if (state != 1 || setups != 1) throw new System.InvalidOperationException($"state {state}, global setups {setups}");
        state = 2;
        return Callees.Mix(state, 9);
    }
}

[MemoryDiagnoser]
public class AllocatingKinds
{
    [Benchmark]
    public byte[] Allocating() => Callees.Allocate(1000);
}

public class LateKinds
{
    private int calls;

    /// <summary>Tiers after 30 calls; Rare and Deep only after 240.</summary>
    [Benchmark]
    public int CalleeTiersLater() => (++calls & 7) == 0 ? Callees.Rare(calls) : calls;
}
