// What     The rows of "Method kinds": what the runtime makes of the kind, and the answer that fits.
// What not No handle arithmetic; the ladder is read from the runtime's events by the method descriptor that the answer names,
//          so a wrong unwrap shows as a missing ladder.
// Source   RUNTIME_FACTS.md, "Method kinds"; ladders as the runtimes' own events give them.
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

/// <summary>A kind. <c>Ladder</c>: the runtime's loads; <c>Steps</c>: the schedule; <c>Reasons</c>: the words that may explain the last answer.</summary>
internal sealed record Kind(string Name, string Ladder, string Steps, string Status, string Reasons)
{
    public Exempt Exempt { get; init; }

    public override string ToString() => Name;
}

internal static class AllKinds
{
    private const string Tiers = "T0 T0i T1", Full = "1 30 30";

    private static Kind Usual(string name) => new(name, Tiers, Full, "Final", "Tier1");

    private static Kind NotJitted(string name) => new(name, "", "", "Final", "NotIL");

    public static IReadOnlyList<Kind> All { get; } =
    [
        .. new[]
        {
            "static", "instance", "virtual", "override", "interface implementation", "interface default", "property get", "property set",
            "struct instance", "struct interface", "struct override", "constructor", "lambda", "closure", "local function", "iterator MoveNext",
            "synchronized", "try", "loop", "by reflection", "by delegate", "by function pointer", "overload int", "overload long", "known by handle",
            "static of generic over value", "static of generic over reference", "static of generic over mixed", "instance of generic over value",
            "instance of generic over reference", "virtual of generic over reference", "method over value", "method over other value",
            "method over reference", "method over mixed", "generic method of generic over value", "generic method of generic over reference",
            "method of generic struct over value", "method of generic struct over reference", "static abstract implementation",
            "generic known by handle", "async stub", "async MoveNext", "emitted",
        }.Select(Usual),

        // PrepareMethod is the first call; the enumeration begins with the first counting phase.
        new("prepared", Tiers, "30 30", "Final", "Tier1"),
        new("aggressive optimization", "Opt", "1", "Final", "NotEligible OptimizedAtOnce"),
        new("no optimization", "MinOpt", "1", "Final", "NotEligible MinOpt"),
        new("debug build", "MinOpt", "1", "Final", "NotEligible MinOpt"),
        new("debug build loop", "MinOpt", "1", "Final", "NotEligible MinOpt"),
        new("loop with localloc", "Opt", "1", "Final", "OptimizedAtOnce"),
        new("explicit tail call", "Opt", "1", "Final", "OptimizedAtOnce"),
        // Called by the tail call too, so the moments of its calls are not the schedule's alone.
        Usual("tail call target") with { Exempt = Exempt.OtherCallers },
        new("unmanaged callers only", "Opt", "1", "Final", "OptimizedAtOnce NotEligible"),
        new("never called", "", "1", "Cold", "NeverCalled"),
        // It ran once and counts for ever: Optimizing without an end that anybody could drive to.
        new("class constructor", "T0", "", "Optimizing", "ClassConstructor") { Exempt = Exempt.NotDriven },
        // The JIT gives up on optimizing 2,500 blocks; what it made instead is never activated.
        new("huge", "T0 T0i MinOpt", Full, "Final", "PromotionAbandoned") { Exempt = Exempt.LastNotActivated },
        new("dynamic method", "Opt", "1", "Final", "DynamicMethod"),
        new("collectible load context", "Opt", "1", "Final", "Collectible"),
        new("run and collect", "Opt", "1", "Final", "Collectible"),
        NotJitted("P/Invoke"),
        // What may be compiled is a marshalling stub: no promotion, and no code that the method itself had or will have.
        NotJitted("P/Invoke that marshals") with { Exempt = Exempt.Stub },
        NotJitted("delegate Invoke"),
        NotJitted("array Get"),
        NotJitted("internal call"),
    ];

    public static Kind Named(string name) => All.Single(kind => kind.Name == name);
}
