// What     Drives methods from cold to final, the ways taking turns (A B C A B C …), and gives the times of each way in ns.
// What not Sets no knob: the driver starts this child with the delay that the plan's name says.
// Failure  InvalidOperationException when a way that claims the final tier left a method elsewhere.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

namespace TierUp.Bench.Core.Children;

/// <summary>How many methods a child drives, and which ways it takes.</summary>
internal sealed record DrivePlan(string Prefix, int WarmUps, int Drives, int Sleeps, bool HasFloor);

internal static class DriveChild
{
    /// <summary>200 methods a way is the figure. A bench's own code reaches its last tier well within 100 drives.</summary>
    internal static readonly DrivePlan Delay0 = new("Delay0", WarmUps: 100, Drives: 200, Sleeps: 5, HasFloor: true);

    /// <summary>A drive takes one delay (100 to 200 ms), so fewer; the driver reads the prefix in the trace.</summary>
    internal static readonly DrivePlan Default = new("Default", WarmUps: 2, Drives: 21, Sleeps: 7, HasFloor: false);

    private const double NanosecondsPerSecond = 1e9;
    private const int EmptyDrives = 200;

    internal static async Task<Dictionary<string, double[]>> RunAsync(DrivePlan plan)
    {
        Subject[] warmUps = Subjects.Emit(plan.Prefix + "WarmUp", plan.WarmUps * 3);
        Subject[] awaited = Subjects.Emit(plan.Prefix + "Awaited", plan.Drives);
        Subject[] blocked = Subjects.Emit(plan.Prefix + "Blocked", plan.Drives);
        Subject[] spun = Subjects.Emit(plan.Prefix + "Spun", plan.Drives);
        Subject[] slept = Subjects.Emit(plan.Prefix + "Slept", plan.Sleeps);

        for (int i = 0; i < plan.WarmUps; i++)
        {
            await Ways.AwaitAsync(warmUps[3 * i]).ConfigureAwait(false);
            Ways.Block(warmUps[(3 * i) + 1]);
            if (plan.HasFloor)
            {
                Ways.Spin(warmUps[(3 * i) + 2]);
            }
        }

        for (int i = 0; i < EmptyDrives; i++)
        {
            // A final method's schedule is empty: this takes the bench's own loops to their last tier without waiting for anything.
            await Ways.AwaitAsync(warmUps[0]).ConfigureAwait(false);
            Ways.Block(warmUps[0]);
        }

        Quiet.Wait();

        double[] awaitNs = new double[plan.Drives];
        double[] blockNs = new double[plan.Drives];
        double[] spinNs = new double[plan.HasFloor ? plan.Drives : 0];
        double[] sleepNs = new double[plan.Sleeps];
        int sleptToFinal = 0;
        for (int i = 0; i < plan.Drives; i++)
        {
            awaitNs[i] = Nanoseconds(await Ways.AwaitAsync(awaited[i]).ConfigureAwait(false));
            if (plan.HasFloor)
            {
                spinNs[i] = Nanoseconds(Ways.Spin(spun[i]));
            }

            blockNs[i] = Nanoseconds(Ways.Block(blocked[i]));
            if (i % (plan.Drives / plan.Sleeps) == 0 && i / (plan.Drives / plan.Sleeps) is int s && s < plan.Sleeps)
            {
                sleepNs[s] = Nanoseconds(Ways.Sleep(slept[s]));
                sleptToFinal += RuntimeHelpers.GetMethodCompilationStatus(slept[s].Handle) == MethodCompilationStatus.Final ? 1 : 0;
            }
        }

        RequireFinal(awaited);
        RequireFinal(blocked);
        if (plan.HasFloor)
        {
            RequireFinal(spun);
        }

        return new()
        {
            ["await_ns"] = awaitNs,
            ["block_ns"] = blockNs,
            ["spin_ns"] = spinNs,
            ["sleep_ns"] = sleepNs,
            ["slept_to_final"] = [sleptToFinal],
        };
    }

    private static void RequireFinal(Subject[] subjects)
    {
        foreach (Subject subject in subjects)
        {
            MethodState state = TieredCompilation.GetMethodState(subject.Handle);
            if (state.Status != MethodCompilationStatus.Final || state.Tier != CompilationTier.Tier1)
            {
                throw new InvalidOperationException($"{subject.Name} was driven and is not final at tier 1: {state}");
            }
        }
    }

    private static double Nanoseconds(long ticks)
    {
        return ticks * (NanosecondsPerSecond / Stopwatch.Frequency);
    }
}
