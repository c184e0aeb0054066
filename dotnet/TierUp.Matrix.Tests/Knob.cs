// What     One row of "Knobs": the setting and what the runtime does with it, subject by subject.
// What not Nothing of TierUp's: the ladders are what the runtime's events say; the steps follow from them and from the threshold.
// Threads  Immutable.
// Source   RUNTIME_FACTS.md, "Knobs"; clrconfignames.h and eeconfig.cpp of dotnet/runtime for names and defaults.
using System;
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

internal sealed record Knob(string Name)
{
    /// <summary>The runtime's default call count threshold (TC_CallCountThreshold, 0x1E).</summary>
    public const int DefaultThreshold = 30;

    public string Environment { get; init; } = "";

    public string Properties { get; init; } = "";

    public bool OneProcessor { get; init; }

    /// <summary>False: EventPipe is off too, the runtime's version lists are the oracle.</summary>
    public bool Traced { get; init; } = true;

    /// <summary>Calls per counting phase.</summary>
    public int Threshold { get; init; } = DefaultThreshold;

    /// <summary>What becomes of a jitted method without loops, of one with a loop, of a ready-to-run one, of an AggressiveOptimization one.</summary>
    public string Plain { get; init; } = "T0 T0i T1";

    public string Loop { get; init; } = "T0 T0i T1";

    public string Osr { get; init; } = "T0 T0i T1";

    public string ReadyToRun { get; init; } = "R2R T1i T1";

    public string Aggressive { get; init; } = "Opt";

    /// <summary>.NET 8 calls AggressiveOptimization code of an eligible method "OptimizedTier1" (its events and its data access library agree).</summary>
    public string Aggressive8 { get; init; } = "T1";

    public string NoOptimization { get; init; } = "MinOpt";

    /// <summary>False: nothing in this process is ever promoted, a canary would wait for ever.</summary>
    public bool Promotes { get; init; } = true;

    /// <summary>False: while counting, the number of calls left can't be seen.</summary>
    public bool CountIsVisible { get; init; } = true;

    /// <summary>True: the runtime deletes the counting stubs again and again.</summary>
    public bool DeletesStubs { get; init; }

    /// <summary>False: the runtime has no delay, no Pause and no Resume.</summary>
    public bool HasDelay { get; init; } = true;

    /// <summary>At least this long lies between a Pause and its Resume, in ms.</summary>
    public int DelayMs { get; init; } = 100;

    public Exempt Exempt { get; init; }

    public Setting Setting => new("knobs")
    {
        Environment = Environment,
        Properties = Properties,
        OneProcessor = OneProcessor,
        Traced = Traced,
        Arguments = $"--threshold {Threshold}" + (Promotes ? "" : " --no-promotion"),
    };

    public IEnumerable<(string Subject, string Ladder)> Ladders(string runtime) =>
    [
        ("plain", Plain), ("loop", Loop), ("osr", Osr), ("ready to run", ReadyToRun),
        ("aggressive", Runtimes.Major(runtime) == 8 ? Aggressive8 : Aggressive), ("no optimization", NoOptimization),
    ];

    /// <summary>The schedule that a ladder means: one call for the first code, the threshold for each further one.</summary>
    public string Steps(string ladder) => string.Join(' ', ladder.Split(' ').Select((_, index) => index == 0 ? 1 : Threshold));
}
