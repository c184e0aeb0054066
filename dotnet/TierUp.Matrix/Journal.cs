// What     What one calling thread knows to have happened, in its order: a method reached its threshold, or was called for the first time.
// What not No judgement but the one comparison that says whether the code has changed since.
// Threads  One writer; any readers, up to the count they read.
// Failure  Full: an exception, its size follows from the load.
using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Matrix;

internal sealed class Journal(int capacity)
{
    private readonly int[] slots = new int[capacity];
    private readonly byte[] phases = new byte[capacity];
    private readonly nint[] codes = new nint[capacity];
    private readonly long[] times = new long[capacity];
    private readonly long[] covered = new long[capacity];
    private int count;

    /// <summary>Acquire, with Add's release: what is counted can be read.</summary>
    public int Count
    {
        [MethodImpl(MethodImplOptions.AggressiveOptimization)]
        get => Volatile.Read(ref count);
    }

    public int Slot(int index) => slots[index];

    /// <summary>Which promotion of the method, from 1; 0 the first call.</summary>
    public int Phase(int index) => phases[index];

    public long At(int index) => times[index];

    /// <summary>The code that the method had before.</summary>
    public nint Code(int index) => codes[index];

    public long CoveredAt(int index) => Volatile.Read(ref covered[index]);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Add(int slot, int phase, nint code, long at)
    {
        slots[count] = slot;
        phases[count] = (byte)phase;
        codes[count] = code;
        times[count] = at;
        Volatile.Write(ref count, count + 1);
    }

    /// <summary>An answer that was given at this time says that the entry is done; the earliest stays.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Cover(int index, long at)
    {
        long known = Volatile.Read(ref covered[index]);
        while ((known == 0 || at < known) && Interlocked.CompareExchange(ref covered[index], at, known) is var seen && seen != known) known = seen;
    }
}
