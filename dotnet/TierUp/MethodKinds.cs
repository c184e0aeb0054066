// What     Facts about a method's kind, as bits.
// What not Nothing about its state.
// Threads  Values only.
// Source   tierup_kind in tierup.h, by name and value. Test: HeaderMirrorTests.

using System;

namespace TierUp;

/// <summary>Facts about a method that decide how (and whether) the runtime tiers it.</summary>
[Flags]
public enum MethodKinds
{
    /// <summary>An ordinary method.</summary>
    None = 0,

    /// <summary>A static constructor: it runs once, so no promotion can be driven.</summary>
    ClassConstructor = 1 << 0,

    /// <summary>Its code can be unloaded (a collectible load context): it never tiers.</summary>
    Collectible = 1 << 1,

    /// <summary>A <see cref="System.Reflection.Emit.DynamicMethod"/>: optimized at once.</summary>
    Dynamic = 1 << 2,

    /// <summary>Not jitted from IL: P/Invoke, internal call, delegate Invoke, array accessor.</summary>
    NotIL = 1 << 3,

    /// <summary>A runtime-async method (.NET 11): the handle is a thunk, the code that tiers is another method.</summary>
    RuntimeAsync = 1 << 4,

    /// <summary>The handle is an instantiating stub; the state is that of the shared method it calls.</summary>
    InstantiatingStub = 1 << 5,

    /// <summary>The handle is an unboxing stub; the state is that of the method it calls.</summary>
    UnboxingStub = 1 << 6,

    /// <summary>The runtime's data access library is missing, so the handle was checked by plausibility only.</summary>
    Unvalidated = 1 << 7,
}
