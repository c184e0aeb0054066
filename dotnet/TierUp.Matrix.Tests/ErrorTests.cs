// What     Handles that are none, methods that can't be called or are gone: a clear argument error from every member, and the process lives.
using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class ErrorTests
{
    private static readonly string[] bad =
    [
        "default handle", "small number", "odd number", "middle of a descriptor, +4", "middle of a descriptor, +8", "before a descriptor, -8",
        "unmapped memory", "not canonical", "all ones", "stack", "heap", "type handle", "code", "open generic method", "method of an open generic type",
        "abstract", "interface method", "static abstract", "null method", "open generic method by handle",
        "method of an open generic type by handle", "abstract by handle", "static abstract by handle", "unloaded",
    ];

    public static IEnumerable<object[]> Rows => from runtime in Runtimes.All from row in bad select new object[] { runtime, row };

    public static IEnumerable<object[]> EachRuntime => Runtimes.All.Select(runtime => new object[] { runtime });

    private static Run Get(string runtime) => Run.Get(runtime, new("errors"));

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void every_member_throws_an_argument_exception_that_says_why(string runtime, string row)
    {
        Line[] lines = [.. Get(runtime).Of(row).Where(line => line.At is not ("alive" or "gone"))];
        Assert.True(lines.Length >= 6, $"{lines.Length} answers");
        string[] wrong = [.. lines.Where(line => !IsClear(line)).Select(line => line.ToString())];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong));
    }

    [SkippableTheory]
    [MemberData(nameof(EachRuntime))]
    public void good_handle_still_works_after_all_bad_ones(string runtime)
    {
        Run run = Get(runtime);
        Assert.DoesNotContain(run.Of("good handle"), line => line.Kind == "error");
        Assert.Equal("Optimizing", run.Single("good handle", "poll").Text);
        Assert.Equal("True", run.Single("unloaded", "gone").Text);
    }

    private static bool IsClear(Line line) =>
        line.Kind == "error" && line.Text.StartsWith("System.Argument", StringComparison.Ordinal) && line.Text.Length > "System.ArgumentException: ".Length + 20;
}
