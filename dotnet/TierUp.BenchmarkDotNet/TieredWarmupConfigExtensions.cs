// What     The config form: AddTieredWarmup, and AddTieredWarmupReport where jobs bring the stage themselves.
// What not Changes no job by itself: the mutator job does, when BenchmarkDotNet builds the cases.
// Failure  ArgumentNullException.

using System;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using TierUp.BenchmarkDotNet.Options;
using TierUp.BenchmarkDotNet.Reports;

namespace TierUp.BenchmarkDotNet;

/// <summary>The warm-up stage as a part of a config.</summary>
public static class TieredWarmupConfigExtensions
{
    /// <summary>Adds the warm-up stage to all jobs of the config, with its columns, its warnings and its validator.</summary>
    /// <param name="config">The config, which is changed.</param>
    /// <param name="options">What the stage may do; null for the defaults. A job's own options (WithTieredWarmup) go before these.</param>
    /// <returns>The same config.</returns>
    public static ManualConfig AddTieredWarmup(this ManualConfig config, TieredWarmupOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(config);
        config.AddJob(new Job("TieredWarmup").WithEngineFactory(new TieredWarmupEngineFactory()).AsMutator());
        return config.AddReport(options ?? new TieredWarmupOptions());
    }

    /// <summary>The same, as a new config.</summary>
    /// <param name="config">The config, which stays as it is.</param>
    /// <param name="options">What the stage may do; null for the defaults. A job's own options (WithTieredWarmup) go before these.</param>
    /// <returns>The new config.</returns>
    public static ManualConfig AddTieredWarmup(this IConfig config, TieredWarmupOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(config);
        return ManualConfig.Create(config).AddTieredWarmup(options);
    }

    /// <summary>Adds the columns, the warnings and the validator only: for configs in which some jobs have the stage (WithTieredWarmup) and others have not.</summary>
    /// <param name="config">The config, which is changed.</param>
    /// <returns>The same config.</returns>
    public static ManualConfig AddTieredWarmupReport(this ManualConfig config)
    {
        ArgumentNullException.ThrowIfNull(config);
        return config.AddReport(null);
    }

    private static ManualConfig AddReport(this ManualConfig config, TieredWarmupOptions? options)
    {
        TieredWarmupDiagnoser diagnoser = new TieredWarmupDiagnoser();
        return config
            .AddEventProcessor(new OptionsCarrier(options))
            .AddLogger(ReportListener.Instance)
            .AddDiagnoser(diagnoser)
            .AddColumnProvider(WarmupColumns.Provider)
            .AddValidator(new TieredWarmupValidator(options))
            .HideColumns("EngineFactory");
    }
}
