// What     Where the runtimes' own words differ from each other, and reading a run in the rows' terms.
// Source   The runtimes' events, as noted at each line.
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

internal static class Expected
{
    /// <summary>A ladder as this runtime spells it.</summary>
    public static string On(string runtime, string subject, string ladder)
    {
        int major = Runtimes.Major(runtime);
        // .NET 8 calls AggressiveOptimization code "OptimizedTier1" (its events and its data access library agree), later ones "Optimized".
        if (major == 8 && ladder == "Opt" && subject == "aggressive optimization") return "T1";
        // From .NET 11 on the marshalling code is compiled under the method's own descriptor (MethodLoad event), before it was a stub of its own.
        if (major >= 11 && subject == "P/Invoke that marshals") return "Opt";
        return ladder;
    }

    /// <summary>The reasons that fit on this runtime.</summary>
    public static string[] Reasons(string runtime, string subject, string reasons) =>
        Runtimes.Major(runtime) == 8 && subject == "aggressive optimization" ? ["Tier1"] : reasons.Split(' ');

    /// <summary>The runtime's ladder of a row's method: from its events, or from its version list where there are none.</summary>
    public static string LadderOf(this Run run, string row)
    {
        Line? last = run.Of(row).LastOrDefault(line => line.IsAnswer);
        if (last is null) return "no answer";
        IEnumerable<Load> loads = run.Trace.Ladder(last.Method);
        return string.Join(' ', loads.Select(load => load.Tier));
    }

    /// <summary>The calls that the schedule asked for, one number a step.</summary>
    public static string StepsOf(this Run run, string row) =>
        string.Join(' ', run.Of(row).Where(line => line.Kind == "ask" && line.At == "step").Select(line => line.Number));
}
