// What     The tier of a benchmark's code at an instant: of its methods that are called, the one that is furthest from final.
// What not No driving.
// Threads  The engine's.
// Failure  Where nothing can be told the text is "?" and it does not count as final.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal readonly struct WorkloadTier
{
    [MethodImpl(Untiered.Code)]
    private WorkloadTier(string text, bool isFinal, string reason, nint descriptor)
    {
        Text = text;
        IsFinal = isFinal;
        Reason = reason;
        Descriptor = descriptor;
    }

    internal string Text { [MethodImpl(Untiered.Code)] get; }

    internal bool IsFinal { [MethodImpl(Untiered.Code)] get; }

    internal string Reason { [MethodImpl(Untiered.Code)] get; }

    /// <summary>The method descriptor that <see cref="Text"/> is about.</summary>
    internal nint Descriptor { [MethodImpl(Untiered.Code)] get; }

    [MethodImpl(Untiered.Code)]
    internal static WorkloadTier Of(IReadOnlyList<MethodBase> workloads)
    {
        MethodState? chosen = null;
        bool areAllCold = workloads.Count > 0;
        for (int i = 0; i < workloads.Count; i++)
        {
            MethodState state;
            try
            {
                state = TieredCompilation.GetMethodState(workloads[i]);
            }
            catch (ArgumentException)
            {
                areAllCold = false;
                continue;
            }

            if (state.Status == MethodCompilationStatus.Cold)
            {
                continue;
            }

            areAllCold = false;
            if (chosen is null || (chosen.Status == MethodCompilationStatus.Final && state.Status != MethodCompilationStatus.Final))
            {
                chosen = state;
            }
        }

        if (chosen is null)
        {
            return areAllCold ? new WorkloadTier("inlined", true, "", 0) : new WorkloadTier("?", false, "The library can't tell.", 0);
        }

        bool isFinal = chosen.Status == MethodCompilationStatus.Final;
        return new WorkloadTier(TextOf(chosen), isFinal, isFinal ? "" : chosen.ReasonText, chosen.MethodDescriptor);
    }

    [MethodImpl(Untiered.Code)]
    private static string TextOf(MethodState state)
    {
        return state.Tier switch
        {
            CompilationTier.MinOpt => "MinOpt",
            CompilationTier.Optimized => "Optimized",
            CompilationTier.Tier0 => "Tier0",
            CompilationTier.Tier0Instrumented => "Tier0Instrumented",
            CompilationTier.ReadyToRun => "ReadyToRun",
            CompilationTier.Tier1Instrumented => "Tier1Instrumented",
            CompilationTier.Tier1 => "Tier1",
            CompilationTier.Tier1Osr => "Tier1Osr",
            // .NET 11 names no tier for code that is not tiered: [MethodImpl(NoOptimization)], [MethodImpl(AggressiveOptimization)].
            _ => state.Status == MethodCompilationStatus.Final ? "untiered" : "?",
        };
    }
}
