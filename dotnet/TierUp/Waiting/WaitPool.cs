// What     A few finished waits, to be used again.
// Threads  [any], without a lock.
// Failure  An empty pool makes a new one; a full pool lets the garbage collector have it.

using System.Runtime.CompilerServices;
using System.Threading;

namespace TierUp.Waiting;

internal static class WaitPool
{
    // Waits that one process has pending at the same time without paying an allocation for each; not a limit.
    private const int Capacity = 16;

    private static object?[]? s_slots;

    [MethodImpl(Code.Untiered)]
    internal static PooledWait Rent()
    {
        object?[]? slots = Volatile.Read(ref s_slots);
        if (slots is not null)
        {
            for (int i = 0; i < slots.Length; i++)
            {
                if (slots[i] is not null && Interlocked.Exchange(ref slots[i], null) is PooledWait wait)
                {
                    return wait;
                }
            }
        }

        return new PooledWait();
    }

    [MethodImpl(Code.Untiered)]
    internal static void Return(PooledWait wait)
    {
        object?[]? slots = Volatile.Read(ref s_slots);
        if (slots is null)
        {
            Interlocked.CompareExchange(ref s_slots, new object?[Capacity], null);
            slots = Volatile.Read(ref s_slots)!;
        }

        for (int i = 0; i < slots.Length; i++)
        {
            if (slots[i] is null && Interlocked.CompareExchange(ref slots[i], wait, null) is null)
            {
                return;
            }
        }
    }
}
