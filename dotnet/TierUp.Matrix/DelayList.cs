// What     Finds the runtime's list of methods that the call-counting delay holds, by a search of its own: which word of the AppDomain leads to a
//          list with a method in it that was called for the first time a moment ago.
// What not No use of TierUp: its manager address is held against this one. Works only while a delay is active.
// Threads  The caller's.
// Failure  Zero, or more than one place: the line says so.
// Source   The list's shape {u32 bytes, u32 allocated, u32 flags, pointer}: reference/platforms.md, seen in memory on 8 to 11.
using System.Collections.Generic;

namespace TierUp.Matrix;

internal static unsafe class DelayList
{
    /// <summary>More than any AppDomain object needs up to the pointer (0xed8 was the highest seen).</summary>
    private const int AppDomainBytes = 0x1400;

    private const int MaxListBytes = 1 << 20;

    /// <summary>The offsets in the AppDomain that fit.</summary>
    public static List<int> Find(nint appDomain, nint method)
    {
        List<int> found = [];
        nint[] words = new nint[AppDomainBytes / sizeof(nint)];
        fixed (nint* to = words)
        {
            int read = Dac.Copy(appDomain, to, AppDomainBytes);
            for (int i = 0; i < read / sizeof(nint); i++) if (Holds(words[i], method)) found.Add(i * sizeof(nint));
        }
        return found;
    }

    private static bool Holds(nint list, nint method)
    {
        if (list < 0x10000 || list % sizeof(nint) != 0) return false;
        nint* header = stackalloc nint[3];
        if (Dac.Copy(list, header, 3 * sizeof(nint)) != 3 * sizeof(nint)) return false;
        uint bytes = (uint)header[0], allocated = (uint)(header[0] >> 32);
        if (bytes == 0 || bytes > allocated || bytes % sizeof(nint) != 0 || allocated > MaxListBytes) return false;
        nint[] methods = new nint[bytes / sizeof(nint)];
        fixed (nint* to = methods) if (Dac.Copy(header[2], to, (int)bytes) != bytes) return false;
        return System.Array.IndexOf(methods, method) >= 0;
    }
}
