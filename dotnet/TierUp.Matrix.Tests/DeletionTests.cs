// What     Stub deletion under fire: two callers, a poller and a waiter over thousands of methods; no crash, no wrong Final.
// Source   TC_DeleteCallCountingStubsAfter: callcounting.cpp deletes stubs in bulk once so many are complete.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class DeletionTests
{
    public static IEnumerable<object[]> Rows =>
        from runtime in Runtimes.All from after in new[] { "1", "40" } select new object[] { runtime, after };

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void polling_while_stubs_are_deleted_never_crashes_and_never_says_final_too_early(string runtime, string after)
    {
        Run run = Run.Get(runtime, new("deletion") { Environment = "DOTNET_TC_DeleteCallCountingStubsAfter=" + after });
        Assert.DoesNotContain(run.Lines, line => line.Kind == "error");
        Line[] methods = [.. run.Lines.Where(line => line.Kind == "final")];
        Assert.True(methods.Length >= 100, $"{methods.Length} methods");
        List<string> wrong = [.. run.Lines.Where(line => line.At == "went back").Select(line => line.Text)];
        foreach (Line method in methods)
        {
            IReadOnlyList<Load> ladder = run.Trace.Ladder(method.Handle);
            if (method.End != 0 && ladder.LastOrDefault() is { } last && last.At > method.End) wrong.Add($"final at {method.End}, but {last}");
            if (method.End != 0 && ladder.LastOrDefault()?.Tier != "T1") wrong.Add($"final, but the runtime made {string.Join(", ", ladder)}");
        }
        Assert.True(wrong.Count == 0, $"{wrong.Count} wrong:\n" + string.Join('\n', wrong.Take(20)));
        Assert.True(run.Single("", "polls").Number >= (Runtimes.Major(runtime) == 9 ? 1 : 2) * methods.Length, "too few polls: " + run.Single("", "polls"));
        Assert.True(methods.Count(method => method.End != 0) > methods.Length / 3, "too few methods became final in the time given: " + run.Single("", "not final"));
    }
}
