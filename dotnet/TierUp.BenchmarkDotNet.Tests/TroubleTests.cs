// What     Benchmarks that throw, settings in which the library sees less or nothing, and options that can't be.
using System;
using System.Linq;
using TierUp.Matrix.Tests;
using Xunit;

namespace TierUp.BenchmarkDotNet.Tests;

public sealed class TroubleTests
{
    private const string Runtime = "9.0.23";

    private static readonly string[] thrown = ["thrown by the benchmark itself", "thrown by the twentieth call"];

    /// <summary>Not with NoEmit: there BenchmarkDotNet 0.15.8 itself dies of a null reference when a benchmark throws.</summary>
    [SkippableFact]
    public void an_exception_of_a_benchmark_reaches_the_user_as_without_the_package()
    {
        SubjectRun stock = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "stock", "ThrowingKinds")), warm = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "warm", "ThrowingKinds"));
        Assert.Empty(warm.Of("warm").SelectMany(one => one.Iterations));
        Assert.All(thrown, told => Assert.Contains(told, stock.Output));
        Assert.All(thrown, told => Assert.Contains(told, warm.Output));
        Assert.All(Spoken.Table(stock.Markdown), row => Assert.Equal("NA", row["Mean"]));
        Assert.All(Spoken.Table(warm.Markdown), row => Assert.Equal("NA", row["Mean"]));
    }

    [SkippableFact]
    public void an_exception_in_a_child_process_reaches_the_user_too()
    {
        (SubjectRun run, _) = Scope.Warm(SubjectRun.Child, "net8.0");
        Assert.All(thrown, told => Assert.Contains(told, run.Output));
        Assert.All(Spoken.Table(run.Markdown).Where(row => row["Type"] == "ThrowingKinds"), row => Assert.Equal("NA", row["Mean"]));
    }

    [SkippableFact]
    public void without_the_native_library_one_line_says_so_and_the_benchmark_runs_as_before()
    {
        Ask ask = new(SubjectRun.Emit, "warm", "PlainKinds") { Environment = "TIERUP_NATIVE_LIBRARY=/nowhere/libtierup.so" };
        SubjectRun run = SubjectRun.Get(Runtime, ask);
        Assert.All(run.Of("warm"), one => Assert.Equal(3, one.Iterations.Count));
        Assert.Single(run.Output.Split('\n').Where(line => line.StartsWith("// TierUp: ", StringComparison.Ordinal) && line.Contains("native library")).Distinct());
    }

    [SkippableTheory]
    [InlineData("DOTNET_EnableDiagnostics_IPC=0")]
    [InlineData("DOTNET_TC_CallCountingDelayMs=0")]
    [InlineData("DOTNET_TieredPGO=0")]
    [InlineData("DOTNET_TieredCompilation=0")]
    public void with_this_setting_no_iteration_is_unfinished_either(string setting)
    {
        SubjectRun run = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "warm", "PlainKinds,LateKinds") { Environment = setting });
        string[] wrong = [.. run.Of("warm").Where(one => one.Iterations.Count != 3 || one.Unfinished > 0).Select(one => one.ToString())];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong));
    }

    /// <summary>No event source, so no marks of BenchmarkDotNet either: the runtime's last load and the package's own words. In a child it is EventSourceSupport of the built project.</summary>
    [SkippableTheory]
    [InlineData(SubjectRun.Emit, "8.0.34", "attribute")]
    [InlineData(SubjectRun.Child, "net10.0", "attribute-net10.0")]
    public void attribute_alone_works_in_a_project_without_eventsource(string toolchain, string runtime, string job)
    {
        bool isChild = toolchain == SubjectRun.Child;
        Ask ask = new(toolchain, "attribute", "AttributedKinds") { EventSource = isChild, Arguments = isChild ? "runtimes=" + runtime : "" };
        SubjectRun run = SubjectRun.Get(isChild ? Runtimes.Installed : runtime, ask);
        Assert.Empty(run.Of(job));
        System.Text.Json.Nodes.JsonNode said = Assert.Single(Spoken.Lines(run.Output));
        Assert.Equal("Tier1", (string?)said["tier"]);
        Assert.Equal("T1", run.Last(job, "ByAttribute"));
        Assert.Equal("T1", run.Last(job, "Mix"));
        Assert.Contains(Spoken.Table(run.Markdown), row => row["Method"] == "ByAttribute" && row["Tier"] == "Tier1");
    }

    [SkippableTheory]
    [InlineData("negative", "budget")]
    [InlineData("foreign", "toolchain")]
    public void what_cannot_be_is_told_by_a_validator(string mode, string about)
    {
        SubjectRun run = SubjectRun.Get(Runtime, new(SubjectRun.Emit, mode, "PlainKinds") { ExitCode = 2 });
        Assert.Contains(run.Output.Split('\n'), line => line.StartsWith("//    * ", StringComparison.Ordinal) && line.Contains(about, StringComparison.OrdinalIgnoreCase));
    }

    [SkippableTheory]
    [InlineData("TierUp.BenchmarkDotNet.dll", "TierUp.BenchmarkDotNet is version 7.1.0 and TierUp is version ")]
    [InlineData("libtierup.so", "is version 7.1.0 and TierUp is version ")]
    public void versions_that_do_not_match_are_told_by_a_validator(string file, string told)
    {
        SubjectRun run = SubjectRun.Get(Runtime, new(SubjectRun.Emit, "warm", "PlainKinds") { OfOtherVersion = file, ExitCode = 2 });
        Assert.Contains(run.Output.Split('\n'), line => line.StartsWith("//    * TieredWarmup: ", StringComparison.Ordinal) && line.Contains(told));
        Assert.Empty(Spoken.Lines(run.Output));
    }
}
