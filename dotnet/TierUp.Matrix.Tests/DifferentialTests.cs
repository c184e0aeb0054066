// What     Random load against an independent oracle: no "idle" and no "active" that is not so, no lost wake-up, no hang.
// What not The full number of promotions is not part of CI: TIERUP_DIFFERENTIAL_PROMOTIONS=100000 makes it, for each runtime.
// Source   The oracle is the methods' own entry points while the load runs (EntryPoint, LoadCaller), and the runtime's own events afterwards.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.Matrix.Tests;

public sealed class DifferentialTests(ITestOutputHelper output)
{
    private const int DefaultPromotions = 16_000;

    /// <summary>Loads with signals: together they make the promotions that are asked for; the others come on top.</summary>
    private const int SignaledLoads = 4;

    /// <summary>A wait that ends so long after the worker's last event was not woken by it, on however busy a machine. That each is woken by its event is seen
    /// where nothing else goes on: ProcessWideTests, waits_are_woken_by_the_workers_event_and_not_by_the_backstop.</summary>
    private const long LostNs = 1_000_000_000;

    private static readonly (string Name, int Phases, string Environment)[] loads =
    [
        ("profiling, delay 0", 2, "DOTNET_TC_CallCountingDelayMs=0"),
        ("profiling, delay 7", 2, "DOTNET_TC_CallCountingDelayMs=7"),
        ("no profiling, delay 0", 1, "DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=0"),
        ("no profiling, delay 20", 1, "DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=14"),
        // Without events the answers come from memory alone.
        ("no signals, profiling, delay 0", 2, "TIERUP_SIGNALS=off DOTNET_TC_CallCountingDelayMs=0"),
        ("no diagnostics, no profiling, delay 7", 1, "DOTNET_EnableDiagnostics=0 DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=7"),
    ];

    public static IEnumerable<object[]> Rows => from runtime in Runtimes.All from load in loads select new object[] { runtime, load.Name };

    private static int Promotions =>
        int.TryParse(Environment.GetEnvironmentVariable("TIERUP_DIFFERENTIAL_PROMOTIONS"), CultureInfo.InvariantCulture, out int given) ? given : DefaultPromotions;

    private static Run Get(string runtime, string name)
    {
        (_, int phases, string environment) = loads.Single(load => load.Name == name);
        int each = Promotions / SignaledLoads;
        return Run.Get(runtime, new("differential")
        {
            Arguments = $"--phases {phases} --promotions {each} --seed {Array.FindIndex(loads, load => load.Name == name) + 1}",
            Environment = environment,
            BoundSeconds = 60 + each / 100,
        });
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void no_answer_is_given_before_it_is_true_and_none_is_missing(string runtime, string load)
    {
        Run run = Get(runtime, load);
        string[] wrong = [.. run.Lines.Where(line => line.Kind is "error" or "false" || line.At == "hang").Select(line => line.ToString())];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong));
        Assert.Equal(0, run.Lines.Where(line => line.At == "false answers").Sum(line => line.Number));
        Assert.Equal(0, run.Lines.Where(line => line.At == "hangs").Sum(line => line.Number));
        long items = run.Lines.Count(line => line.Kind == "item");
        Assert.True(items >= Promotions / SignaledLoads, $"{items} promotions");
        // Each was compared at least once, by the last question of all.
        Assert.Equal(0, run.Lines.Count(line => line.Kind == "item" && line.End == 0));
        foreach (Line line in run.Lines.Where(line => line.At is "answers" or "checks")) output.WriteLine($"{line.Row} {line.At} {line.Number}");
        output.WriteLine($"{items} promotions in {run.Single("", "load ms").Number} ms");
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void everything_was_published_by_the_runtimes_own_events_before_idle_was_said(string runtime, string load)
    {
        Run run = Get(runtime, load);
        Assert.Equal(0, run.Trace.Lost);
        List<string> wrong = [];
        foreach (Line item in run.Lines.Where(line => line.Kind == "item"))
        {
            IReadOnlyList<Load> ladder = run.Trace.Ladder(item.Handle);
            // The first code, then one for each promotion; the item's number is which.
            if (ladder.Count <= item.Number) wrong.Add($"promotion {item.Number} was never published: {string.Join(", ", ladder)}; {item}");
            else if (ladder[(int)item.Number].At > item.End) wrong.Add($"idle at {item.End}, but {ladder[(int)item.Number]}; {item}");
            else if (ladder[(int)item.Number].At < item.Begin - LostNs) wrong.Add($"published before it was called for: {ladder[(int)item.Number]}; {item}");
        }
        Assert.True(wrong.Count == 0, $"{wrong.Count} wrong:\n" + string.Join('\n', wrong.Take(20)));
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void no_wait_outlasts_the_workers_last_event(string runtime, string load)
    {
        Run run = Get(runtime, load);
        IReadOnlyList<long> late = Late.After(run.Trace.Batches.Select(batch => batch.At).Concat(run.Trace.Resumes), run.Lines);
        output.WriteLine(Late.Describe(late));
        if (late.Count > 0) Assert.True(late[^1] < LostNs, Late.Describe(late));
    }
}
