// What     Whether anything in this process is ever promoted: where not, the process-wide waits are over at once and nothing is pending.
// What not Attaches nothing, finds nothing.
// Threads  [any]
// Failure  The exceptions of a failed start; a library without signals is one too.
// Source   RUNTIME facts, "Knobs": TieredCompilation=0 and TC_CallCounting=0 promote nothing.

using System.Runtime.CompilerServices;
using TierUp.Native;

namespace TierUp.Runtime;

internal static unsafe class ProcessTiering
{
    private const int Unread = 0;
    private const int On = 1;
    private const int Off = 2;

    private static volatile int s_state;
    private static bool s_hasDelay;

    [MethodImpl(Code.Untiered)]
    internal static bool IsOn()
    {
        if (!TieringHost.EnsureStarted())
        {
            return false;
        }

        if (s_state == Unread)
        {
            s_state = Read();
        }

        if (s_state == On && !SignalFunctions.AreBound)
        {
            throw Errors.OlderLibrary();
        }

        return s_state == On;
    }

    /// <summary>Whether there ever is a call-counting delay; asked after <see cref="IsOn"/>.</summary>
    [MethodImpl(Code.Untiered)]
    internal static bool HasDelay()
    {
        return s_hasDelay;
    }

    [MethodImpl(Code.Untiered)]
    private static int Read()
    {
        NativeSettings settings = default;
        settings.Size = (uint)sizeof(NativeSettings);
        NativeStatus status = NativeFunctions.GetSettings(&settings);
        s_hasDelay = status != NativeStatus.Ok || settings.CallCountingDelayMs != 0;
        bool isOff = status == NativeStatus.Ok && (settings.TieredCompilation == 0 || settings.CallCounting == 0);
        return isOff ? Off : On;
    }
}
