// What     Every row of "Method kinds" on every runtime.
// Threads  All rows of a runtime read one process.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class KindTests
{
    private static readonly Setting setting = new("kinds");

    public static IEnumerable<object[]> Rows => from runtime in Runtimes.All from kind in AllKinds.All select new object[] { runtime, kind.Name };

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void answers_and_schedule_fit_what_the_runtime_does_with_the_kind(string runtime, string kind)
    {
        Kind row = AllKinds.Named(kind);
        Run run = Get(runtime, kind);
        List<string> wrong = [];
        string expected = Expected.On(runtime, kind, row.Ladder), seen = run.LadderOf(kind);
        if (seen != expected) wrong.Add($"expected {expected}, the runtime says {seen}");
        if (run.StepsOf(kind) != row.Steps) wrong.Add($"the runtime needs {row.Steps}, the schedule asked for {run.StepsOf(kind)}");
        wrong.AddRange(Rules.Check(run, kind, row.Exempt));
        Line? last = run.Of(kind).LastOrDefault(line => line.IsAnswer);
        if (last?.Status != row.Status || !Expected.Reasons(runtime, kind, row.Reasons).Contains(last.Reason)) wrong.Add($"expected {row.Status} because {row.Reasons}: {last}");
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    /// <summary>The handle is a thunk of the runtime's: either the real method is found and tiers, or the answer says that it was not.</summary>
    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void runtime_async_method_is_found_or_said_to_be_unknown(string runtime)
    {
        Run run = Get(runtime, "runtime-async");
        List<string> wrong = [];
        foreach (Line line in run.Of("runtime-async"))
        {
            if (line.Kind == "error" && !line.Text.StartsWith("TierUp.TieringStateUnknownException: ", System.StringComparison.Ordinal)) wrong.Add(line.ToString());
            if (line.IsAnswer && line.Calls > 0 && line.Status == "Cold") wrong.Add("called, and said to be cold: " + line);
            if (line.IsAnswer && line.Status == "Final" && line.Method == line.Handle) wrong.Add("the thunk never tiers, the method behind it does: " + line);
            if (line.IsAnswer && line.Status is null && line.Reason != "RuntimeAsync") wrong.Add(line.ToString());
        }
        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void sibling_instantiations_share_one_method(string runtime)
    {
        Run run = Get(runtime, "method over value");
        long value = Last(run, "method over value").Method, other = Last(run, "method over other value").Method;
        Assert.NotEqual(value, other);
        Assert.NotEqual(Last(run, "overload int").Method, Last(run, "overload long").Method);
        Assert.NotEqual(Last(run, "virtual").Method, Last(run, "override").Method);
        // A stub's handle is not the method that tiers.
        Line stub = Last(run, "static of generic over reference");
        Assert.NotEqual(stub.Handle, stub.Method);
        Assert.Contains("InstantiatingStub", stub.Kinds);
        Assert.Contains("UnboxingStub", Last(run, "struct interface").Kinds);
    }

    private static Line Last(Run run, string row) => run.Of(row).Last(line => line.IsAnswer);

    private static Run Get(string runtime, string row)
    {
        Run run = Run.Get(runtime, setting);
        Line? absent = run.Of(row).FirstOrDefault(line => line.At == "absent");
        Skip.If(absent is not null, absent?.Text);
        return run;
    }
}
