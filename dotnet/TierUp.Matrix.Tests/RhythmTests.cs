// What     Case 1: 100 calls with 16 ms pauses; what the runtime makes of them, and that the answers follow.
// Source   CASES.md case 1; the ladders are the runtimes' own events.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class RhythmTests
{
    public static IEnumerable<object[]> Rows =>
        from runtime in Runtimes.All from method in new[] { "loop", "auto-property" } select new object[] { runtime, method };

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void hundred_calls_in_rhythm_end_final_with_the_runtimes_own_versions(string runtime, string method)
    {
        Run run = Run.Get(runtime, new("rhythm"));
        Assert.Equal("T0 T0i T1", run.LadderOf(method));
        Assert.Equal("Final", run.Of(method).Last(line => line.At == "ended").Status);
        Assert.Empty(Rules.Check(run, method));
        // Each of the three states is passed once, in order.
        string[] states = [.. run.Of(method).Where(line => line.Polled.Length > 0).Select(line => line.Polled)];
        Assert.Equal(["Cold", "Optimizing", "Final"], states.Distinct());
        Assert.Equal(states.OrderBy(state => System.Array.IndexOf(["Cold", "Optimizing", "Final"], state)), states);
        // While a phase counts, each call takes one off.
        Line[] counting = [.. run.Of(method).Where(line => line.Kind == "look" && line.Polled == "Optimizing" && line.Number is > 0 and < Knob.DefaultThreshold)];
        Assert.NotEmpty(counting);
        for (int i = 1; i < counting.Length; i++)
        {
            if (counting[i].Number > counting[i - 1].Number) continue;
            Assert.Equal(counting[i - 1].Number - (counting[i].Calls - counting[i - 1].Calls), counting[i].Number);
        }
    }
}
