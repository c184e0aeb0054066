// What     With the package no iteration of any kind of benchmark runs unfinished code, in each toolchain and on each runtime; the runtime's events tell.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Nodes;
using Xunit;
using Xunit.Abstractions;

namespace TierUp.BenchmarkDotNet.Tests;

public sealed class WarmTests(ITestOutputHelper output)
{
    public static IEnumerable<object[]> Rows => Scope.Rows;

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void every_benchmark_has_final_code_before_its_first_iteration(string toolchain, string runtime) =>
        Check(toolchain, runtime, one => one.TiersBefore(one.Iterations[0]).All(Measured.IsFinal));

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void nothing_of_a_benchmark_is_compiled_in_its_iterations(string toolchain, string runtime) =>
        Check(toolchain, runtime, one => one.OwnInIterations.Count == 0);

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void nothing_of_a_benchmark_is_compiled_in_the_iterations_of_its_overhead_twin(string toolchain, string runtime)
    {
        Check(toolchain, runtime, one => one.OwnInOverhead.Count == 0, one => string.Join("; ", one.OwnInOverhead));
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        Assert.Contains(run.Of(job), one => one.OverheadIterations.Count > 0);
    }

    /// <summary>CalleeTiersLater calls Rare and Deep every eighth time: they need eight times its calls.</summary>
    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void a_callee_that_tiers_later_than_its_caller_is_final_too(string toolchain, string runtime)
    {
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        Measured late = run.Single(job, "CalleeTiersLater");
        foreach (string callee in new[] { "Rare", "Deep" })
        {
            IReadOnlyList<string> tiers = late.TiersAt(late.Iterations[0].Begin, callee);
            // Deep may be inlined into Rare only when it is not marked NoInlining; it is.
            Assert.True(tiers.Count == 1 && Measured.IsFinal(tiers[0]), $"{callee} has {string.Join(",", tiers)}: {late}");
        }
    }

    /// <summary>SetupKinds throws when a setup is used twice or the global one runs twice.</summary>
    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void all_benchmarks_ran_all_their_iterations(string toolchain, string runtime)
    {
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        string[] short_ = [.. run.Of(job).Where(one => one.Iterations.Count != 3).Select(one => one.ToString())];
        Assert.True(short_.Length == 0, string.Join('\n', short_));
        foreach (string name in Scope.Methods(toolchain)) Assert.Contains(run.Of(job), one => one.Method == name);
    }

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void the_summary_gives_each_benchmark_its_tier_calls_and_time(string toolchain, string runtime)
    {
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        IReadOnlyDictionary<string, string>[] rows = [.. Spoken.Table(run.Markdown).Where(row => row["Type"] != "ThrowingKinds").Where(row => !row.TryGetValue("Job", out string? of) || of == job)];
        Assert.Equal(run.Of(job).Count, rows.Length);
        Assert.All(rows, row => Assert.True(Tiers(row["Method"], runtime).Contains(row["Tier"]) && int.Parse(row["Warmup calls"]) >= 30 && row["Warmup time"].EndsWith(" ms") && row["JIT in measurement"] != "?", string.Join(" | ", row.Values)));
        output.WriteLine(run.Markdown);
    }

    /// <summary>Whoever's methods: what the column counts is what the events show. The package's spans are a little wider than BenchmarkDotNet's marks.</summary>
    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void jit_in_measurement_is_what_the_runtime_compiled_in_the_iterations(string toolchain, string runtime)
    {
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        List<string> wrong = [];
        foreach (Measured one in run.Of(job))
        {
            int[] said = [.. Spoken.Lines(run.Output).Where(line => (string?)line["benchmark"] == one.Name).Select(line => (int)line["compiledInMeasurement"]!)];
            if (!said.Any(number => number >= one.InIterations.Count && number <= one.AroundIterations))
            {
                wrong.Add($"{one.Name}: said {string.Join(",", said)}, seen {one.InIterations.Count} to {one.AroundIterations}: " + string.Join("; ", one.InIterations));
            }
        }
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    /// <summary>The column's first number. Without the stage, for there the benchmark's own code is compiled while iterations run.</summary>
    [SkippableTheory]
    [InlineData("8.0.34")]
    [InlineData("11.0.0")]
    public void a_verdict_tells_the_benchmarks_own_compilations_from_others(string runtime)
    {
        SubjectRun run = SubjectRun.Get(runtime, new(SubjectRun.Emit, "verdict", Scope.Classes(SubjectRun.Emit)));
        IReadOnlyList<JsonNode> lines = Spoken.Lines(run.Output);
        List<string> wrong = [];
        int all = 0;
        foreach (Measured one in run.Of("verdict"))
        {
            int[] own = [.. lines.Where(line => (string?)line["benchmark"] == one.Name).Select(OwnOf)];
            all += own.Sum();
            if (!own.Any(number => number >= one.OwnInIterations.Count && number <= one.OwnAroundIterations))
            {
                wrong.Add($"{one.Name}: said {string.Join(",", own)}, seen {one.OwnInIterations.Count} to {one.OwnAroundIterations}: " + string.Join("; ", one.OwnInIterations));
            }
        }
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
        Assert.True(all > 0, "nothing was compiled, so nothing was told apart");
        Assert.Contains(lines, line => OwnOf(line) < (int)line["compiledInMeasurement"]!);
        Assert.All(lines, line => Assert.Contains(Spoken.Table(run.Markdown), row => row["JIT in measurement"] == $"{OwnOf(line)} + {(int)line["compiledInMeasurement"]! - OwnOf(line)}"));
    }

    private static int OwnOf(JsonNode line) => (int)line["compiledInMeasurement"]! - (int)line["harnessInMeasurement"]! - (int)line["libraryInMeasurement"]!;

    /// <summary>The other exporter: one metric each per benchmark.</summary>
    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void the_json_report_carries_the_same_as_metrics(string toolchain, string runtime)
    {
        (SubjectRun run, _) = Scope.Warm(toolchain, runtime);
        JsonNode[] benchmarks = [.. JsonNode.Parse(run.Json)!["Benchmarks"]!.AsArray().Where(one => (string?)one!["Type"] != "ThrowingKinds").OfType<JsonNode>()];
        Assert.NotEmpty(benchmarks);
        foreach (string id in new[] { "TierUp.Tier", "TierUp.WarmupCalls", "TierUp.WarmupTime", "TierUp.JitInMeasurement" })
        {
            Assert.All(benchmarks, one => Assert.Contains(one["Metrics"]!.AsArray(), metric => (string?)metric!["Descriptor"]!["Id"] == id));
        }
    }

    /// <summary>.NET 11's data access library names no tier for code that is not tiered (docs/RUNTIME.md).</summary>
    private static string[] Tiers(string method, string runtime) => method switch
    {
        "NoOptimization" or "AggressiveOptimization" when runtime.StartsWith("11.", StringComparison.Ordinal) => ["untiered"],
        "NoOptimization" => ["MinOpt"],
        // .NET 8 calls it Tier1.
        "AggressiveOptimization" => ["Optimized", "Tier1"],
        _ => ["Tier1"],
    };

    private void Check(string toolchain, string runtime, Func<Measured, bool> good, Func<Measured, string>? detail = null)
    {
        (SubjectRun run, string job) = Scope.Warm(toolchain, runtime);
        string[] wrong = [.. run.Of(job).Where(one => !good(one)).Select(one => $"{one} {detail?.Invoke(one)}")];
        output.WriteLine(string.Join('\n', run.Of(job)));
        Assert.True(wrong.Length == 0, $"{wrong.Length} of {run.Of(job).Count}:\n" + string.Join('\n', wrong));
    }
}
