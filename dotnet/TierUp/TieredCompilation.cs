// What     The proposal's members as ordinary static methods (older C#, F#, VB), and what the proposal leaves out.
// What not The members themselves: TieredCompilation.Polls.cs, .Waits.cs, .Schedules.cs.
// Threads  [any]
// Failure  Capabilities never throws; Settings throws what a poll would where the native library is missing.

using System;
using System.Runtime.CompilerServices;
using TierUp.Runtime;

namespace TierUp;

/// <summary>
/// Watches tiered compilation from inside the process. All members can be used from any thread.
/// The first use loads and starts the native library, once: tens of milliseconds, most of it compiling this assembly's code for good.
/// On runtimes without tiered compilation (NativeAOT, Mono) every method is final, every schedule empty and every wait over at once.
/// </summary>
/// <remarks>
/// The native library is looked for beside TierUp.dll, in runtimes/RID/native, and where the host searches native libraries. The runtimeconfig property
/// TierUp.NativeLibraryPath, or else the environment variable TIERUP_NATIVE_LIBRARY, names a file to use instead of all these places.
/// <para>For the process-wide waits, for the pending count and for event streams the library attaches itself to its own process as a notification-only profiler,
/// when one of them is first used. TierUp.Signals = Off forbids it: then waits look again and again, with the same answers, and event streams are not supported.
/// It is read once, at the first use of any member, from the first of these that says something: AppContext.SetData("TierUp.Signals", "Off"), the runtimeconfig
/// property TierUp.Signals, AppContext.SetSwitch("TierUp.Signals", false), the environment variable TIERUP_SIGNALS. Otherwise it is Auto.</para>
/// </remarks>
public static partial class TieredCompilation
{
    /// <summary>Gets what works in this process now, and why not where something doesn't. Never throws.</summary>
    public static TieringCapabilities Capabilities
    {
        [MethodImpl(Code.Untiered)]
        get { return HostDescription.Capabilities(); }
    }

    /// <summary>Gets the tiering settings in effect.</summary>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found; the message lists every path tried.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    public static TieringSettings Settings
    {
        [MethodImpl(Code.Untiered)]
        get { return HostDescription.Settings(); }
    }
}
