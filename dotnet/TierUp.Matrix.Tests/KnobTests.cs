// What     Every row of "Knobs" on every runtime.
// Threads  Rows of one setting share one process; see Run.Get.
using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class KnobTests
{
    public static IEnumerable<object[]> Rows => from runtime in Runtimes.All from knob in Knobs.All select new object[] { runtime, knob.Name };

    private static Run Get(string runtime, Knob row) => Run.Get(runtime, row.Setting, Knobs.All.Select(knob => knob.Setting));

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void runtime_does_with_the_knob_what_the_row_says(string runtime, string knob)
    {
        Knob row = Knobs.Named(knob);
        Run run = Get(runtime, row);
        List<string> wrong = [];
        foreach ((string subject, string ladder) in row.Ladders(runtime))
        {
            string seen = run.LadderOf(subject);
            if (seen != ladder) wrong.Add($"{subject}: expected {ladder}, the runtime says {seen}");
        }
        if (run.HasTrace && row.HasDelay != run.Trace.Pauses.Count > 0) wrong.Add($"{run.Trace.Pauses.Count} Pause events");
        if (run.HasTrace) wrong.AddRange(ShortDelays(run.Trace, row.DelayMs));
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void every_answer_agrees_with_the_runtime(string runtime, string knob)
    {
        Run run = Get(runtime, Knobs.Named(knob));
        List<string> wrong = [];
        foreach ((string subject, _) in Knobs.Named(knob).Ladders(runtime)) wrong.AddRange(Rules.Check(run, subject, Knobs.Named(knob).Exempt));
        wrong.AddRange(run.Of("").Where(line => line.Kind == "error").Select(line => line.ToString()));
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void schedule_asks_for_what_the_runtime_needs(string runtime, string knob)
    {
        Knob row = Knobs.Named(knob);
        Run run = Get(runtime, row);
        List<string> wrong = [];
        foreach ((string subject, string ladder) in row.Ladders(runtime))
        {
            string expected = row.Steps(ladder), asked = run.StepsOf(subject);
            bool isWhatIsNeeded = row.CountIsVisible ? asked == expected || (row.DeletesStubs && IsCountedOtherwise(asked, expected, row.Threshold)) : IsUpperBound(asked, expected, row.Threshold);
            if (!isWhatIsNeeded) wrong.Add($"{subject}: the runtime needs {expected}, the schedule asked for {asked}");
            Line? end = run.Of(subject).LastOrDefault(line => line.IsAnswer);
            if (end?.Status != "Final") wrong.Add($"{subject}: at the end {end}");
            foreach (Line line in run.Of(subject).Where(line => line.At.StartsWith("before last call", StringComparison.Ordinal) && line.Polled == "Optimizing"))
            {
                if (row.Exempt.HasFlag(Exempt.StepIsUpperBound)) continue;
                // Exactly one call to go, where the count can be seen; where it can't, an upper bound.
                if (row.CountIsVisible ? line.Number != 1 : line.Number < 1) wrong.Add($"one call to go, but {line}");
            }
        }
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void settings_are_read_as_the_runtime_reads_them(string runtime, string knob)
    {
        Knob row = Knobs.Named(knob);
        Run run = Get(runtime, row);
        bool tiers = !row.Environment.Contains("TieredCompilation=0") && !row.Properties.Contains("TieredCompilation=false");
        Assert.Equal(tiers.ToString(), run.Single("TieredCompilation", "setting").Text);
        // Without tiering the runtime reads no threshold.
        if (tiers) Assert.Equal(row.Threshold.ToString(), run.Single("CallCountThreshold", "setting").Text);
    }

    /// <summary>The steps that are needed, each phase offered at most once more.</summary>
    private static bool IsUpperBound(string asked, string expected, int threshold)
    {
        string[] needed = expected.Split(' '), offered = asked.Split(' ');
        int phases = needed.Count(step => step == threshold.ToString(System.Globalization.CultureInfo.InvariantCulture));
        return offered.Length <= needed.Length + phases && offered.Take(needed.Length).SequenceEqual(needed) && offered.Skip(needed.Length).All(step => step == needed[^1]);
    }

    /// <summary>The call after a deletion is counted twice, so a phase whose stub was deleted before its step was given needs one call less. And a call behind the
    /// prestub that comes during a re-armed delay is not counted (RUNTIME.md, "Without counting stubs"), so a phase whose stub was deleted meanwhile needs that
    /// call again: seen as a further step of 1, 29 or 30. Which of it happens is a matter of time; that code came with the calls, and that the last answer is final, is
    /// checked by the runtime's events. Each phase is offered again at most once, and no phase ends with fewer calls than one less than the threshold.</summary>
    private static bool IsCountedOtherwise(string asked, string expected, int threshold)
    {
        int[] needed = [.. expected.Split(' ').Select(int.Parse)], offered = [.. asked.Split(' ').Select(int.Parse)];
        int phases = needed.Count(step => step == threshold);
        return offered.Length >= needed.Length && offered.Length <= needed.Length + phases && offered[0] == needed[0]
            && offered.Skip(1).All(step => phases != 0 && step >= 1 && step <= threshold) && offered.Sum() >= 1 + (phases * (threshold - 1));
    }

    /// <summary>Pauses whose Resume came sooner than the setting says. With delays of a few ms the two events may overtake each other.</summary>
    private static IEnumerable<string> ShortDelays(Trace trace, int delayMs)
    {
        if (delayMs < 10) yield break;
        foreach ((long at, _) in trace.Pauses)
        {
            long resume = trace.Resumes.FirstOrDefault(candidate => candidate > at);
            // Timers may fire a tick early; a tenth is far from any other row's delay.
            if (resume != 0 && (resume - at) / 1_000_000 < delayMs * 9 / 10) yield return $"a delay of {(resume - at) / 1_000_000} ms, expected {delayMs}";
        }
    }
}
