// What     Which rows there are: toolchain × runtime, and the benchmark classes that each toolchain takes.
using System.Collections.Generic;
using System.Linq;
using TierUp.Matrix.Tests;

namespace TierUp.BenchmarkDotNet.Tests;

internal static class Scope
{
    /// <summary>What is asked here is whether code is final, not how long it took: on a busy machine the default budget may end before. A wait that hangs still shows as "(budget)".</summary>
    private const string AmpleBudget = "budget=20000";

    private const string Everywhere = "PlainKinds,ParameterKinds,GenericKinds,GenericMethodKinds,AsyncKinds,StructKinds,SetupKinds,AllocatingKinds,LateKinds";

    /// <summary>Static benchmarks are refused by BenchmarkDotNet in child processes, arguments in InProcessNoEmit.</summary>
    public static string Classes(string toolchain) => toolchain switch
    {
        SubjectRun.Child => Everywhere + ",ArgumentKinds,ThrowingKinds",
        SubjectRun.Emit => Everywhere + ",ArgumentKinds,StaticKinds,GenericStaticKinds,CaseKinds",
        _ => Everywhere + ",StaticKinds,GenericStaticKinds",
    };

    /// <summary>Each must have been measured: a benchmark that BenchmarkDotNet dropped would prove nothing.</summary>
    public static IEnumerable<string> Methods(string toolchain) => new[]
    {
        "Instance", "InlinedCallee", "WithParameter", "OnGenericClass", "CallsStaticOnGenericClass", "OverValue", "OverReference", "AsyncTask", "AsyncTaskOfInt",
        "AsyncValueTask", "ThroughInterface", "OnGenericStruct", "WithIterationSetup", "Allocating", "CalleeTiersLater",
    }.Concat(toolchain == SubjectRun.NoEmit ? [] : ["WithArguments"]).Concat(toolchain == SubjectRun.Child ? [] : ["Static", "StaticOnGenericClass"])
        .Concat(toolchain == SubjectRun.Emit ? ["AlreadyCounting", "AlreadyHot", "NoOptimization", "AggressiveOptimization", "ReplacedOnStack", "CalleeReplacedOnStack", "Overloaded"] : []);

    /// <summary>All kinds once with the package; in child processes one run builds for all runtimes.</summary>
    public static (SubjectRun Run, string Job) Warm(string toolchain, string runtime) => toolchain == SubjectRun.Child
        ? (ChildRun("job"), "job-" + runtime)
        : (SubjectRun.Get(runtime, new(toolchain, "warm", Classes(toolchain)) { Arguments = AmpleBudget }), "warm");

    public static (SubjectRun Run, string Job) Stock(string toolchain, string runtime) => toolchain == SubjectRun.Child
        ? (ChildRun("stock"), "stock-" + runtime)
        : (SubjectRun.Get(runtime, new(toolchain, "stock", Classes(toolchain))), "stock");

    public static IEnumerable<object[]> Rows =>
        Runtimes.All.Where(runtime => runtime != Runtimes.Installed).SelectMany(runtime => new[] { SubjectRun.Emit, SubjectRun.NoEmit }.Select(toolchain => new object[] { toolchain, runtime }))
            .Concat(SdkRoot.Monikers.Select(moniker => new object[] { SubjectRun.Child, moniker }));

    private static SubjectRun ChildRun(string mode) =>
        SubjectRun.Get(Runtimes.Installed, new(SubjectRun.Child, mode, Classes(SubjectRun.Child)) { Arguments = $"{AmpleBudget} runtimes={string.Join(',', SdkRoot.Monikers)}" });
}
