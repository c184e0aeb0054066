// What     Whether the runtime's own events reach the library.
// What not Not whether waits work: they do in every state.
// Threads  Values only.
// Source   tierup_signals_state in tierup.h, by name and value; Unavailable is ours. Test: HeaderMirrorTests.

namespace TierUp;

/// <summary>Whether the runtime's own tiering events reach the library. Without them waits look again and again instead, with the same answers.</summary>
public enum SignalsState
{
    /// <summary>Not needed yet: nobody has waited for the whole process, opened an event stream or called <see cref="TieredCompilation.RequestSignals"/>.</summary>
    None = 0,

    /// <summary>The library is attaching itself to its own process as a notification-only profiler; waits look again and again meanwhile.</summary>
    Attaching = 1,

    /// <summary>The runtime calls the library on the thread that fires an event.</summary>
    Attached = 2,

    /// <summary>Attaching failed, and <see cref="TieringCapabilities.SignalsReason"/> says why.</summary>
    Failed = 3,

    /// <summary>The application does not want them: TierUp.Signals is Off.</summary>
    Disabled = 4,

    /// <summary>This runtime has no tiered compilation, or the native library is missing or too old.</summary>
    Unavailable = 5,
}
