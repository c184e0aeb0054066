// What     The pending background compilations: their number and their list.
// What not Waits for none.
// Threads  [any]. Count allocates nothing; once all is known it is one native call of a few loads.
// Failure  See TieredCompilation.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TierUp.Native;
using TierUp.Signals;

namespace TierUp.Runtime;

internal static unsafe class PendingWork
{
    /// <summary>The first try at a list; the library says how many there are.</summary>
    private const uint FirstCapacity = 256;

    /// <summary>How often a list that grows while it is read is read again; then its beginning is the answer.</summary>
    private const int MaxReads = 4;

    [MethodImpl(Code.Untiered)]
    internal static int Count()
    {
        ulong count = SignalFunctions.PendingCount();
        return (count & SignalFunctions.CountIsKnown) != 0 ? (int)(uint)count : CountSlowly();
    }

    [MethodImpl(Code.Untiered)]
    internal static PendingCompilation[] List()
    {
        if (!ProcessTiering.IsOn())
        {
            return Array.Empty<PendingCompilation>();
        }

        Calibration.AdvanceOnce();
        CompletionsProbe.Show();
        uint capacity = FirstCapacity;
        for (int read = 1; ; read++)
        {
            NativePendingCompilation* items = (NativePendingCompilation*)NativeMemory.Alloc(capacity, (nuint)sizeof(NativePendingCompilation));
            try
            {
                NativeStatus status = SignalFunctions.List(items, capacity, out uint count);
                if (status == NativeStatus.Unsupported)
                {
                    throw Errors.NoQueueView();
                }

                if (status != NativeStatus.Ok)
                {
                    throw Errors.Unexpected("list the pending compilations", status);
                }

                if (count <= capacity || read == MaxReads)
                {
                    return Make(items, count < capacity ? count : capacity);
                }

                // Room for those that come meanwhile.
                capacity = count + (count / 2);
            }
            finally
            {
                NativeMemory.Free(items);
            }
        }
    }

    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    private static int CountSlowly()
    {
        if (!ProcessTiering.IsOn())
        {
            return 0;
        }

        Calibration.Advance();
        ulong count = SignalFunctions.PendingCount();
        if ((count & SignalFunctions.CountIsKnown) != 0)
        {
            return (int)(uint)count;
        }

        // What plain loads can't tell, an evaluation may: it reads the list of threads, and learns from what it sees.
        if (NativeFunctions.BlockOnWait(0, NativeCondition.UntilNoPending, 0, 0, out _) == NativeStatus.Ok)
        {
            return 0;
        }

        int pending = (int)(uint)count;
        return pending > 0 ? pending : 1;
    }

    [MethodImpl(Code.Untiered)]
    private static PendingCompilation[] Make(NativePendingCompilation* items, uint count)
    {
        PendingCompilation[] made = new PendingCompilation[count];
        for (uint i = 0; i < count; i++)
        {
            made[i] = new PendingCompilation(
                (nint)items[i].Method, (nint)items[i].Node, (PendingCompilationState)items[i].State, (CompilationTier)items[i].TargetTier, (int)i);
        }

        return made;
    }
}
