// What     Why a method's compilation state is what it is.
// What not No text: MethodState.ReasonText and TieringStateUnknownException.Message carry it.
// Threads  Values only.
// Source   tierup_reason in tierup.h, by name and value. Test: HeaderMirrorTests.

namespace TierUp;

#pragma warning disable CA1027 // Not flags: the numbers are those of tierup_reason.
/// <summary>Why a method's compilation state is what it is. Values from 32 on mean that the state is not known.</summary>
public enum MethodStateReason
{
    /// <summary>No reason was given.</summary>
    None = 0,

    /// <summary>Cold: no native code yet.</summary>
    NeverCalled = 1,

    /// <summary>Optimizing: called, and held until the call-counting delay ends. Calls made now don't count.</summary>
    InDelay = 2,

    /// <summary>Optimizing: calls are being counted.</summary>
    Counting = 3,

    /// <summary>Optimizing: code exists; the next call goes through the runtime's prestub and is counted.</summary>
    CountingAtNextCall = 4,

    /// <summary>Optimizing: counted without stubs. The count can't be seen; the number given is its upper bound.</summary>
    CountingInPrestub = 5,

    /// <summary>Optimizing: counted out, and the runtime has not queued the promotion yet.</summary>
    ThresholdReached = 6,

    /// <summary>Optimizing: the next version is queued or being compiled.</summary>
    PromotionPending = 7,

    /// <summary>Optimizing: the next version has code, and the entry point has not been switched to it yet.</summary>
    Activating = 8,

    /// <summary>Optimizing: a static constructor, which runs once and is counted for ever. No promotion can be driven.</summary>
    ClassConstructor = 9,

    /// <summary>Final: calls run tier-1 code.</summary>
    Tier1 = 16,

    /// <summary>Final: jitted with optimization at the first call (AggressiveOptimization, loops without on-stack replacement, explicit tail calls…).</summary>
    OptimizedAtOnce = 17,

    /// <summary>Final: jitted without optimization for good (NoOptimization, a debug build).</summary>
    MinOpt = 18,

    /// <summary>Final: the runtime marked the method as never tiering.</summary>
    NotEligible = 19,

    /// <summary>Final: never jitted from IL (P/Invoke, internal call, delegate Invoke, array accessor).</summary>
    NotIL = 20,

    /// <summary>Final: code of a collectible load context never tiers.</summary>
    Collectible = 21,

    /// <summary>Final: a dynamic method is optimized at once.</summary>
    DynamicMethod = 22,

    /// <summary>Final: tiered compilation is off for this process, or this runtime has none.</summary>
    TieringDisabled = 23,

    /// <summary>Final: call counting is off (TC_CallCounting=0), so nothing is ever promoted.</summary>
    CallCountingDisabled = 24,

    /// <summary>Final: a tier-1 version was compiled and never activated (very large methods).</summary>
    PromotionAbandoned = 25,

    /// <summary>Not known: the runtime's data access library is missing, and memory alone can't tell.</summary>
    NoDac = 32,

    /// <summary>Not known: the data access library could not answer in any of the bounded tries.</summary>
    DacFailed = 33,

    /// <summary>Not known: calls run code that no version of this method has (a profiler's ReJIT, for one).</summary>
    CodeNotListed = 34,

    /// <summary>Not known: the entry point has bytes that no decoder row knows.</summary>
    ShapeUnknown = 35,

    /// <summary>Not known: the runtime's structures kept changing while they were read.</summary>
    MemoryChanged = 36,

    /// <summary>Not known: the handle is a runtime-async thunk, and the method that tiers could not be found.</summary>
    RuntimeAsync = 37,

    /// <summary>Not known: no CoreCLR of a supported version or architecture in this process.</summary>
    RuntimeUnsupported = 38,
}
