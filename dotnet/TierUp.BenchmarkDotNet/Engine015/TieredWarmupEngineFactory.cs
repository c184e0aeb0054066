// What     The engine factory that jobs with the stage have: the stock one, with the stage put between the global set-up and the first iteration.
// What not No engine of its own.
// Threads  The engine's.
// Source   BenchmarkDotNet 0.15.8, EngineFactory.CreateReadyToRun: it runs GlobalSetupAction, then jits, then reads TargetJob.

using System;
using BenchmarkDotNet.Engines;
using TierUp.BenchmarkDotNet.Engine015;

namespace TierUp.BenchmarkDotNet;

/// <summary>The engine factory of jobs with the warm-up stage. BenchmarkDotNet creates it by name in the benchmark's process.</summary>
public sealed class TieredWarmupEngineFactory : IEngineFactory
{
    /// <inheritdoc/>
    public IEngine CreateReadyToRun(EngineParameters engineParameters)
    {
        ArgumentNullException.ThrowIfNull(engineParameters);
        new WarmedRun(engineParameters).Attach();
        return new EngineFactory().CreateReadyToRun(engineParameters);
    }

    /// <summary>What the job's description shows.</summary>
    /// <returns>"TieredWarmup".</returns>
    public override string ToString()
    {
        return "TieredWarmup";
    }
}
