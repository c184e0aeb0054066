// What     Keeps what a handle stands for alive up to a point, without the allocation that GC.KeepAlive of a struct costs.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.Runtime;

internal static class KeepAlive
{
    [MethodImpl(Code.Untiered | MethodImplOptions.NoInlining)]
    internal static void Handle(RuntimeMethodHandle handle)
    {
    }
}
