// What     Takes fresh probes through one promotion: then everything that was pending before has been compiled and published, and every delay that was active
//          before is over, its counting stubs installed.
// What not The last resort: where the native library can tell, nobody comes here.
// Threads  [any]; the calling thread waits.
// Failure  false: the time ran out or the wait was taken back. TieringStateUnknownException where nothing in this process can be promoted.
// Source   One background worker takes one queue in the order in which methods reached their thresholds, and installs the stubs of a whole delay before it
//          goes on (dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, DoBackgroundWork, TryDeactivateTieringDelay; callcounting.cpp, CompleteCallCounting).

using System.Collections.Generic;
using System.Runtime.CompilerServices;
using TierUp.Native;
using TierUp.Runtime;
using TierUp.Waiting;

namespace TierUp.Signals;

internal static class PromotionBarrier
{
    /// <summary>
    /// Several at once give the worker a queue, which is how the native library finds it; one would do for the answer.
    /// </summary>
    private const int Probes = 3;

    /// <summary>Phases to call through until one promotes: without counting stubs a count is an upper bound and may be offered again.</summary>
    private const int MaxPhases = 64;

    [MethodImpl(Code.Untiered)]
    internal static bool Pass(FreshProbe[] probes, in WaitBudget budget, ThreadRound? round)
    {
        for (int i = 0; i < probes.Length; i++)
        {
            probes[i].Call(1);
        }

        for (int phase = 0; phase < MaxPhases; phase++)
        {
            for (int i = 0; i < probes.Length; i++)
            {
                if (!TryWait(probes[i], budget, round, out int calls))
                {
                    return false;
                }

                if (calls != 0 && !IsPromoted(probes[i], phase))
                {
                    probes[i].Call(calls);
                }
                else if (i == probes.Length - 1)
                {
                    // The last one reached its threshold last.
                    return true;
                }
            }
        }

        throw Errors.ProcessUndecided();
    }

    /// <summary>false: this process has no method left that was never called and would be promoted.</summary>
    [MethodImpl(Code.Untiered)]
    internal static bool TryTake(out FreshProbe[] probes)
    {
        FreshProbe[] taken = new FreshProbe[Probes];
        int count = 0;
        lock (TieringHost.Gate())
        {
            while (count < Probes && FreshProbes.TryTake(out FreshProbe probe))
            {
                taken[count++] = probe;
            }
        }

        probes = new FreshProbe[count];
        for (int i = 0; i < count; i++)
        {
            probes[i] = taken[i];
        }

        return count != 0;
    }

    /// <summary>Until the probe's calls count or none are needed. <paramref name="calls"/>: how many to the next promotion.</summary>
    [MethodImpl(Code.Untiered)]
    private static bool TryWait(in FreshProbe probe, in WaitBudget budget, ThreadRound? round, out int calls)
    {
        MethodTarget target = MethodTarget.Open(probe.Handle, null);
        calls = 0;
        while (round is null || !round.IsOver)
        {
            ulong left = budget.Left();
            WaitBudget slice = WaitBudget.AtMost(left, ThreadRound.SliceNanoseconds);
            if (BlockingWait.Until(NativeCondition.UntilFinalOrCounting, target, probe.Handle, slice, out NativeAnswer answer))
            {
                calls = answer.Compilation == NativeAnswer.Final ? 0 : answer.RemainingCalls;
                return true;
            }

            if (budget.Left() == 0)
            {
                return false;
            }
        }

        return false;
    }

    /// <summary>Whether calls enter another than the method's first code version. Where versions are not known, a phase called through is a promotion.</summary>
    [MethodImpl(Code.Untiered)]
    private static bool IsPromoted(in FreshProbe probe, int phase)
    {
        IReadOnlyList<CodeVersion> versions = MethodStateReader.Read(probe.Handle, null, null).CodeVersions;
        for (int i = 0; i < versions.Count; i++)
        {
            if (versions[i].IsActive)
            {
                return versions[i].Node != 0;
            }
        }

        return phase > 0;
    }
}
