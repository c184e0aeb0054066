// What     Calls a subject a number of times through its entry point.
// What not Never tiers itself: AggressiveOptimization, so that a drive promotes its subject only.

using System.Runtime.CompilerServices;

namespace TierUp.Bench.Core.Children;

internal static unsafe class Calls
{
    private static int s_sink;

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal static void Make(in Subject subject, int count)
    {
        delegate*<int, int> call = (delegate*<int, int>)subject.EntryPoint;
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += call(i);
        }

        s_sink = sum;
    }
}
