// What     The methods that benchmarks call: each is a method of its own that tiers.
// What not Nothing that tiers is inlined here, except Inlined, which never tiers by itself.
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Subjects;

public interface IShape
{
    int Area(int side);
}

public readonly struct Square : IShape
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Area(int side) => side * side;
}

public readonly struct Cell<T>
{
    private readonly T value;

    public Cell(T value) => this.value = value;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Weigh() => value is null ? 0 : value.ToString()!.Length;
}

public static class Callees
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Mix(int a, int b) => (a ^ (b << 3)) + (a >> 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Count<T>(T[] items)
    {
        int found = 0;
        foreach (T item in items)
        {
            if (item is not null) found++;
        }
        return found;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte[] Allocate(int bytes) => new byte[bytes];

    /// <summary>Called by every eighth call of its caller: its own 30 calls take eight times as many.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Rare(int a) => Deep(a) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Deep(int a) => (a * 31) ^ 7;

    /// <summary>Small enough to be inlined once its caller is optimized; then its own count stands still.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Inlined(int a) => a + 1;
}
