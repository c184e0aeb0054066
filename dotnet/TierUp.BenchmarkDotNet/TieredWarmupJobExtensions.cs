// What     The job form: Job.WithTieredWarmup.
// What not No columns and no validator: those belong to a config (AddTieredWarmup, AddTieredWarmupReport).
// Failure  ArgumentNullException.

using System;
using BenchmarkDotNet.Jobs;
using TierUp.BenchmarkDotNet.Options;

namespace TierUp.BenchmarkDotNet;

/// <summary>The warm-up stage as a property of a job.</summary>
public static class TieredWarmupJobExtensions
{
    /// <summary>Creates a job like the given one whose benchmarks are driven to their final code before they are measured.</summary>
    /// <param name="job">The job.</param>
    /// <param name="options">What the stage may do; null for the defaults, or for what AddTieredWarmup and [TieredWarmup] say.</param>
    /// <returns>The new job. Options travel in the environment variable TIERUP_WARMUP of the job: add your own variables by WithEnvironmentVariable, or before.</returns>
    public static Job WithTieredWarmup(this Job job, TieredWarmupOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(job);
        Job warmed = job.WithEngineFactory(new TieredWarmupEngineFactory());
        return options is null ? warmed : warmed.WithEnvironmentVariable(OptionsText.Variable, OptionsText.Write(options));
    }
}
