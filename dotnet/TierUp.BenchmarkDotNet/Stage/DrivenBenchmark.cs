// What     A benchmark as the stage sees it: the seam between the stage and a version of BenchmarkDotNet. Engine015 makes one of 0.15's engine parameters;
//          0.16's (Func<long, IClock, ValueTask<ClockSpan>> actions, EngineParameters.WorkloadMethods) would be made by one more folder.
// What not No behaviour.
// Threads  The engine's.

using System;
using System.Collections.Generic;
using System.Reflection;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class DrivenBenchmark
{
    /// <summary>Runs one iteration as the engine does: its set-up, so many calls, its clean-up.</summary>
    internal required Action<long> Workload { get; init; }

    /// <summary>So many calls of the overhead twin.</summary>
    internal required Action<long> Overhead { get; init; }

    /// <summary>How many calls one iteration may have: what IterationSetup prepares for.</summary>
    internal required long CallsPerIteration { get; init; }

    /// <summary>The benchmark method first, then what BenchmarkDotNet or the compiler put around it: state machine, lambda.</summary>
    internal required IReadOnlyList<MethodBase> Workloads { get; init; }

    internal required IReadOnlyList<MethodBase> Overheads { get; init; }

    /// <summary>How long warm-up and actual iterations will take, given the time of one call.</summary>
    internal required Func<TimeSpan, TimeSpan> ExpectedRun { get; init; }
}
