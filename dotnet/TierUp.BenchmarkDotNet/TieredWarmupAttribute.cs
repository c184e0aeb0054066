// What     The attribute form: [TieredWarmup] on a benchmark class or an assembly.
// What not No behaviour: it is a config source like every other of BenchmarkDotNet.
// Threads  Attribute instances belong to whoever asked for them.

using System;
using BenchmarkDotNet.Configs;

namespace TierUp.BenchmarkDotNet;

/// <summary>Drives the benchmarks of a class, or of an assembly, to their final code before they are measured, and adds the columns that tell about it.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Assembly)]
public sealed class TieredWarmupAttribute : Attribute, IConfigSource
{
    private IConfig? _config;

    /// <summary>Gets or sets the longest time that the stage may take; 0 for <see cref="TieredWarmupOptions.Budget"/>'s default.</summary>
    public int BudgetMilliseconds { get; set; }

    /// <summary>Gets or sets <see cref="TieredWarmupOptions.BudgetShare"/>.</summary>
    public double BudgetShare { get; set; } = TieredWarmupOptions.DefaultBudgetShare;

    /// <summary>Gets or sets <see cref="TieredWarmupOptions.MaximumBudget"/> in milliseconds.</summary>
    public int MaximumBudgetMilliseconds { get; set; } = (int)TieredWarmupOptions.DefaultMaximumBudget.TotalMilliseconds;

    /// <summary>Gets or sets <see cref="TieredWarmupOptions.MaximumRounds"/>.</summary>
    public int MaximumRounds { get; set; } = TieredWarmupOptions.DefaultMaximumRounds;

    /// <summary>Gets or sets a value indicating whether the run is left as it is, and only watched.</summary>
    public bool VerdictOnly { get; set; }

    /// <summary>Gets or sets a value indicating whether the stage goes on until what the benchmark calls is final too.</summary>
    public bool DriveCallees { get; set; } = true;

    /// <summary>Gets or sets a value indicating whether BenchmarkDotNet's own code around iterations is driven to its final tier as well.</summary>
    public bool DriveHarness { get; set; }

    /// <summary>Gets or sets a value indicating whether the stage takes the place of BenchmarkDotNet's workload warm-up.</summary>
    public bool ReplaceWarmup { get; set; }

    /// <inheritdoc/>
    public IConfig Config => _config ??= ManualConfig.CreateEmpty().AddTieredWarmup(ToOptions());

    internal TieredWarmupOptions ToOptions()
    {
        return new TieredWarmupOptions
        {
            Budget = BudgetMilliseconds == 0 ? null : TimeSpan.FromMilliseconds(BudgetMilliseconds),
            BudgetShare = BudgetShare,
            MaximumBudget = TimeSpan.FromMilliseconds(MaximumBudgetMilliseconds),
            MaximumRounds = MaximumRounds,
            VerdictOnly = VerdictOnly,
            DriveCallees = DriveCallees,
            DriveHarness = DriveHarness,
            ReplaceWarmup = ReplaceWarmup,
        };
    }
}
