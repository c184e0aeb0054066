// What     How long a benchmark's warm-up and actual iterations will take, by what its job says: what the stage's default budget is a share of.
// What not Pilot and overhead: they are short, and the estimate is one of order.
// Threads  The engine's.
// Source   BenchmarkDotNet 0.15.8, EngineResolver: 6 to 50 warm-up and 15 to 100 actual iterations where the job says nothing.

using System;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;

namespace TierUp.BenchmarkDotNet.Engine015;

internal static class JobLength
{
    private const int UsualWarmups = 6, UsualIterations = 15;

    internal static TimeSpan Expected(EngineParameters parameters, TimeSpan oneCall)
    {
        Job job = parameters.TargetJob;
        int warmups = job.HasValue(RunMode.WarmupCountCharacteristic) ? Math.Max(job.Run.WarmupCount, 0) : UsualWarmups;
        int iterations = job.HasValue(RunMode.IterationCountCharacteristic) ? Math.Max(job.Run.IterationCount, 1) : UsualIterations;
        double oneIteration = parameters.HasInvocationCount
            ? oneCall.TotalMilliseconds * job.Run.InvocationCount
            : Math.Max(parameters.IterationTime.ToMilliseconds(), oneCall.TotalMilliseconds);
        return TimeSpan.FromMilliseconds((warmups + iterations) * oneIteration);
    }
}
