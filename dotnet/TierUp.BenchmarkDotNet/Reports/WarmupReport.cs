// What     What the stage did and what was seen while iterations ran: the contents of the line from the benchmark process to the host.
// What not No text: ReportLine writes and reads it, WarmupColumns and WarmupAnalyser word it.
// Threads  Filled by the engine's thread, then read by others.

using System.Collections.Generic;

namespace TierUp.BenchmarkDotNet.Reports;

internal sealed record WarmupReport
{
    /// <summary>BenchmarkDotNet's full name of the benchmark.</summary>
    public string Benchmark { get; init; } = "";

    /// <summary>stage, verdict, or blind (nothing could be seen: Note says why).</summary>
    public string Mode { get; init; } = "stage";

    /// <summary>The workload's tier when the first actual iteration began.</summary>
    public string Tier { get; init; } = "";

    /// <summary>The same after the last one.</summary>
    public string TierAtEnd { get; init; } = "";

    /// <summary>Whether that tier was final at the beginning, and at the end.</summary>
    public bool IsFinal { get; init; }

    public bool IsFinalAtEnd { get; init; }

    /// <summary>Why, in one sentence, where it was not final.</summary>
    public string Reason { get; init; } = "";

    public long Calls { get; init; }

    public long OverheadCalls { get; init; }

    public int Rounds { get; init; }

    public double ElapsedMilliseconds { get; init; }

    /// <summary>What the package took beside the stage: before it for its own code, after it for BenchmarkDotNet's (DriveHarness).</summary>
    public double RehearsalMilliseconds { get; init; }

    /// <summary>All that the package added between the global set-up and BenchmarkDotNet's own first call.</summary>
    public double AddedMilliseconds => ElapsedMilliseconds + RehearsalMilliseconds;

    /// <summary>Pauses before actual iterations, until nothing was pending: not part of any measured time.</summary>
    public double PausedMilliseconds { get; init; }

    public double BudgetMilliseconds { get; init; }

    /// <summary>The stage ended because its budget or its rounds were used up.</summary>
    public bool IsExhausted { get; init; }

    /// <summary>Actual iterations, and those of them that began before the workload was final or within which a method of the benchmark's own was compiled.</summary>
    public int Iterations { get; init; }

    public int UnfinishedIterations { get; init; }

    /// <summary>Methods published while actual iterations ran; -1 where it could not be seen.</summary>
    public int CompiledInMeasurement { get; init; } = -1;

    /// <summary>Those of them that are BenchmarkDotNet's own or ours.</summary>
    public int HarnessInMeasurement { get; init; }

    /// <summary>Those that belong to the runtime's libraries: called by the benchmark or by BenchmarkDotNet, nobody can tell.</summary>
    public int LibraryInMeasurement { get; init; }

    /// <summary>The rest: the benchmark's own.</summary>
    public int OwnInMeasurement => CompiledInMeasurement - HarnessInMeasurement - LibraryInMeasurement;

    /// <summary>The others first: the benchmark's own.</summary>
    public IReadOnlyList<string> Names { get; init; } = [];

    public string Note { get; init; } = "";
}
