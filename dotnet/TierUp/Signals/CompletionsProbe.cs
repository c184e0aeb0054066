// What     Shows the native library once where the runtime keeps the methods whose threshold is reached: by a probe that is counted out while it looks.
// What not Needed for listing those methods by name; what is pending at all is known without it.
// Threads  [any]; under TieringHost's lock.
// Failure  The probe is not being counted yet (a delay is active): the next listing tries again.
// Cost     One small method promoted in the life of a process, and a search of 6 to 20 ms in the native library.

using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;

namespace TierUp.Signals;

internal static unsafe class CompletionsProbe
{
    private static volatile bool s_wasShown;

    [MethodImpl(Code.Untiered)]
    internal static void Show()
    {
        if (s_wasShown)
        {
            return;
        }

        lock (TieringHost.Gate())
        {
            if (!s_wasShown && Calibration.TryGetCountingProbe(out FreshProbe probe, out int remaining))
            {
                // The library remembers the counter that its last look saw, and searches for its owner when it lists.
                SignalFunctions.List(null, 0, out _);
                probe.Call(remaining);
                SignalFunctions.List(null, 0, out _);
                s_wasShown = true;
            }
        }
    }
}
