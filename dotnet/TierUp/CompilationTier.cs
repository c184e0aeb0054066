// What     What produced a piece of native code.
// What not Neither of the runtime's own two numberings (events, data access library), which differ from each other.
// Threads  Values only.
// Source   tierup_tier in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp;

/// <summary>What produced a piece of native code.</summary>
public enum CompilationTier
{
    /// <summary>Not known, or there is no code.</summary>
    Unknown = 0,

    /// <summary>Jitted without optimization, not to be replaced.</summary>
    MinOpt = 1,

    /// <summary>Jitted with optimization at once, not to be replaced.</summary>
    Optimized = 2,

    /// <summary>Quick jitted.</summary>
    Tier0 = 3,

    /// <summary>Quick jitted with profile probes.</summary>
    Tier0Instrumented = 4,

    /// <summary>Compiled ahead of time (ReadyToRun).</summary>
    ReadyToRun = 5,

    /// <summary>Optimized with profile probes.</summary>
    Tier1Instrumented = 6,

    /// <summary>Optimized again in the background.</summary>
    Tier1 = 7,

    /// <summary>On-stack replacement of a running loop: never what a call enters.</summary>
    Tier1Osr = 8,
}
