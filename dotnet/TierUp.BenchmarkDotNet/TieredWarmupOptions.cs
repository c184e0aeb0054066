// What     What a user can choose about the warm-up stage.
// What not No defaults that depend on the benchmark: Stage/Budget.cs works those out.
// Threads  Immutable.
// Failure  Nothing is checked here: TieredWarmupValidator says what is wrong with it before anything runs.

using System;

namespace TierUp.BenchmarkDotNet;

/// <summary>What the warm-up stage may do before a benchmark is measured.</summary>
public sealed record TieredWarmupOptions
{
    /// <summary>The default of <see cref="BudgetShare"/>.</summary>
    internal const double DefaultBudgetShare = 0.10;

    /// <summary>The default of <see cref="MaximumRounds"/>.</summary>
    internal const int DefaultMaximumRounds = 30;

    /// <summary>The default of <see cref="MaximumBudget"/>.</summary>
    internal static readonly TimeSpan DefaultMaximumBudget = TimeSpan.FromSeconds(5);

    /// <summary>Gets the longest time that the stage may take. Null: <see cref="BudgetShare"/> of the run that the job asks for, at most <see cref="MaximumBudget"/>. Calls of the benchmark get that (one second at least); with the waits for the runtime in between the stage may take three seconds even where the share is less.</summary>
    public TimeSpan? Budget { get; init; }

    /// <summary>Gets the share of the expected run that the stage may take where <see cref="Budget"/> is null: above 0, at most 1.</summary>
    public double BudgetShare { get; init; } = DefaultBudgetShare;

    /// <summary>Gets the upper limit of the budget where <see cref="Budget"/> is null.</summary>
    public TimeSpan MaximumBudget { get; init; } = DefaultMaximumBudget;

    /// <summary>Gets how many rounds of calls the stage makes at most. Two take a method to its final code; every level of callees that are called rarely takes more.</summary>
    public int MaximumRounds { get; init; } = DefaultMaximumRounds;

    /// <summary>Gets a value indicating whether the run is left as it is, and only watched: which code was measured, and what was compiled meanwhile.</summary>
    public bool VerdictOnly { get; init; }

    /// <summary>Gets a value indicating whether the stage goes on until what the benchmark calls is final too; otherwise the benchmark method and its overhead twin are enough.</summary>
    public bool DriveCallees { get; init; } = true;

    /// <summary>
    /// Gets a value indicating whether BenchmarkDotNet's own code around iterations is driven to its final tier as well, after the stage: by its engine, run on an empty benchmark. It takes
    /// half a second to a second per process, so it is off by default; without it dozens of its methods are compiled in the background while iterations are measured.
    /// </summary>
    public bool DriveHarness { get; init; }

    /// <summary>
    /// Gets a value indicating whether the stage takes the place of BenchmarkDotNet's workload warm-up: one warm-up iteration is left of it, if the stage reached the final tier and the job
    /// does not say how many it wants. False by default: the warm-up stage also lets caches and clocks settle, and says when it has not.
    /// </summary>
    public bool ReplaceWarmup { get; init; }
}
