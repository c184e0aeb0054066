// What     The rules that every answer must obey whatever the row is, held against the runtime's own events and version lists.
// What not No row's own expectation.
// Threads  Pure.
// Failure  Returns sentences, one per violation; empty is good.
using System;
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

/// <summary>Where a row's runtime behaviour is known to differ from the common rule. Each use names its reason at the row.</summary>
[Flags]
internal enum Exempt
{
    None = 0,

    /// <summary>Optimizing, but nobody drives it on: no later code is expected.</summary>
    NotDriven = 1,

    /// <summary>The last code that was compiled is never activated (huge methods).</summary>
    LastNotActivated = 2,

    /// <summary>Other threads call too: the moments of the schedule's calls are not known.</summary>
    OtherCallers = 4,

    /// <summary>Fewer calls may do than the schedule asked for.</summary>
    StepIsUpperBound = 8,

    /// <summary>The runtime compiles a stub under the method's descriptor; the method itself has no code.</summary>
    Stub = 16,
}

internal static class Rules
{
    /// <summary>Generous bound for the time between the load event and the switch of the entry point, on a loaded machine.</summary>
    private const long ActivationNs = 20_000_000;

    public static IReadOnlyList<string> Check(Run run, string row, Exempt exempt = Exempt.None)
    {
        List<string> wrong = [];
        IReadOnlyList<Line> lines = run.Of(row);
        long method = lines.LastOrDefault(line => line.IsAnswer)?.Method ?? 0;
        IReadOnlyList<Load> ladder = run.HasTrace ? run.Trace.Ladder(method) : [];
        foreach (Line line in lines)
        {
            if (line.Kind == "error") wrong.Add("threw: " + line);
            if (line.IsAnswer) Answer(line, wrong);
            if (line.IsAnswer && line.Status == "Final") LastTier(line, ladder, exempt, wrong);
            if (run.HasTrace && line.Polled.Length > 0) Moment(line, ladder, exempt, wrong);
        }
        if (method != 0 && run.HasTrace) Schedule(run.Trace, lines, ladder, exempt, wrong);
        return wrong;
    }

    /// <summary>What an answer must be in itself, and against the runtime's list of versions.</summary>
    private static void Answer(Line line, List<string> wrong)
    {
        if (line.Status is null) { wrong.Add("undecided: " + line); return; }
        string runtime = string.Join(' ', line.List.Select(version => $"{version.Code:x}@{DacWord(version.Dac)}"));
        string ours = string.Join(' ', line.Versions.Select(version => $"{version.Code:x}@{version.Tier}"));
        if (line.List.Count > 0 && runtime != ours) wrong.Add($"versions: the runtime lists [{runtime}], the answer [{ours}]: {line}");
        if (line.Status == "Final" && line.Remaining != 0) wrong.Add("final with calls left: " + line);
        if (line.Status == "Cold" && line.Remaining != 1) wrong.Add("cold, but not one call to go: " + line);
        if (line.Status == "Cold" && line.List.Count > 0 && line.List[0].Code != 0) wrong.Add("cold, but the runtime lists code: " + line);
        // Where the method stands still, poll and state agree; it does at these marks.
        if (line.At is "start" or "ended" or "settled" && line.Polled != line.Status) wrong.Add($"the poll says {line.Polled}, the state {line.Status}: {line}");
    }

    private static void LastTier(Line line, IReadOnlyList<Load> ladder, Exempt exempt, List<string> wrong)
    {
        Load? before = ladder.LastOrDefault(load => load.At <= line.End);
        if (before is null || (exempt & (Exempt.LastNotActivated | Exempt.Stub)) != 0 || Agree(before.Tier, line.Tier!)) return;
        // The runtime's own list names no tier for a method that never tiers (.NET 11, all of them): then the answer can name none either.
        if (line.Tier == "Unknown" && line.List.Count == 1 && line.List[0].Dac == 0) return;
        wrong.Add($"the last code is {before.Tier}, the answer {line.Tier}: {line}");
    }

    /// <summary>A poll against what the runtime did before and after it.</summary>
    private static void Moment(Line line, IReadOnlyList<Load> ladder, Exempt exempt, List<string> wrong)
    {
        Load? before = ladder.LastOrDefault(load => load.At <= line.End), after = ladder.FirstOrDefault(load => load.At > line.End);
        switch (line.Polled)
        {
            case "Cold":
                if (before is not null && before.At < line.Begin) wrong.Add($"cold, but the runtime made code before: {before}; {line}");
                break;
            case "Optimizing":
                // The load event comes before the entry point is switched, so code made within this answer or just before may not show yet.
                if (after is null && before is not null && before.At < line.Begin - ActivationNs && !exempt.HasFlag(Exempt.NotDriven)) wrong.Add("optimizing, but no code came after: " + line);
                break;
            case "Final":
                if (after is not null && !exempt.HasFlag(Exempt.Stub)) wrong.Add($"final, but the runtime made code after: {after}; {line}");
                break;
        }
    }

    /// <summary>Each step asked for is what the runtime needed: the k-th piece of code came after the last call of step k and before step k+1.</summary>
    private static void Schedule(Trace trace, IReadOnlyList<Line> lines, IReadOnlyList<Load> ladder, Exempt exempt, List<string> wrong)
    {
        List<Line> asks = [.. lines.Where(line => line.Kind == "ask")];
        List<Line> calls = [.. lines.Where(line => line.Kind == "mark" && line.At == "last call")];
        if (asks.Count == 0) return;
        int steps = asks.Count(ask => ask.At == "step");
        if (!exempt.HasFlag(Exempt.OtherCallers) && calls.Count == steps)
        {
            int known = ladder.Count - steps;  // code made before the schedule began (a method that was called before)
            for (int step = 0; step < steps && known >= 0; step++)
            {
                Load made = ladder[known + step];
                if (made.At < calls[step].Begin && !exempt.HasFlag(Exempt.StepIsUpperBound)) wrong.Add($"step {step} asked for {asks[step].Number}, but the runtime had enough before the last call: {made}");
                if (step + 1 < asks.Count && made.At > asks[step + 1].End) wrong.Add($"step {step + 1} was given before {made}");
            }
            if (known < 0 && ladder.Count > 0 && !exempt.HasFlag(Exempt.StepIsUpperBound)) wrong.Add($"{steps} steps were asked for, the runtime made {ladder.Count} pieces of code: {string.Join(", ", ladder)}");
        }
        Load? first = ladder.FirstOrDefault();
        if (first is null || first.Tier is "Opt" or "MinOpt") return;
        long resume = trace.Resumes.FirstOrDefault(at => at > first.At);
        foreach (Line ask in asks.Where(ask => ask.At == "step" && ask.Begin > first.At))
        {
            // Race: the delay may end between the load event and the method's entry into the delay's list; then a later Resume is
            // the real one. Window: microseconds. Harmless: the bound is then too low, never too high. Test: this rule in every row.
            if (resume != 0 && ask.End < resume) wrong.Add($"ready at {ask.End}, but the delay that held the method ended at {resume}");
        }
    }

    /// <summary>The tests' words for event tiers against TierUp's.</summary>
    public static bool Agree(string load, string tier) => tier == load switch
    {
        "T0" => "Tier0",
        "T0i" => "Tier0Instrumented",
        "T1" => "Tier1",
        "T1i" => "Tier1Instrumented",
        "R2R" => "ReadyToRun",
        "Opt" => "Optimized",
        "MinOpt" => "MinOpt",
        _ => "?",
    };

    /// <summary>The runtime's number for a version (sospriv.idl, OptimizationTier of DacpTieredVersionData) in TierUp's words.</summary>
    private static string DacWord(int dac) => dac switch
    {
        1 => "MinOpt",
        2 => "Optimized",
        3 => "Tier0",
        4 => "Tier1",
        5 => "ReadyToRun",
        6 => "Tier1Osr",
        7 => "Tier0Instrumented",
        8 => "Tier1Instrumented",
        _ => "Unknown",
    };
}
