// What     Case 5: where nothing tiers, every wait is over at once, each with its own reason.
// Source   CASES.md case 5.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class NeverTiersTests
{
    /// <summary>Four fifths of the call-counting delay: less than a wait for it takes.</summary>
    private const long AtOnceNs = 80_000_000;

    /// <summary>A delay of 1 s, ten times the default: kinds are asked about by the data access library, and its few queries take 25 to 70 ms on 9.0.23, 280 on a busy machine.</summary>
    private static readonly Setting longDelay = new("kinds") { Environment = "DOTNET_TC_CallCountingDelayMs=3E8", Traced = false };

    public static IEnumerable<object[]> Rows =>
        from runtime in Runtimes.All
        from row in new (string Setting, string Subject, string Reason)[]
        {
            ("", "collectible load context", "Collectible"),
            ("", "dynamic method", "DynamicMethod"),
            ("TieredCompilation=0", "plain", "TieringDisabled"),
            ("TC_CallCounting=0", "plain", "CallCountingDisabled"),
        }
        select new object[] { runtime, row.Setting, row.Subject, row.Reason };

    [SkippableTheory]
    [MemberData(nameof(Rows))]
    public void schedule_ends_at_once_with_its_own_reason(string runtime, string setting, string subject, string reason)
    {
        Run run = Run.Get(runtime, setting.Length == 0 ? longDelay : Knobs.Named(setting).Setting);
        Line end = run.Of(subject).Single(line => line.Kind == "ask" && line.At == "end");
        Assert.InRange(end.End - end.Begin, 0, setting.Length == 0 ? 10 * AtOnceNs : AtOnceNs);
        Line last = run.Of(subject).Last(line => line.IsAnswer);
        Assert.Equal(("Final", reason), (last.Status, last.Reason));
    }
}
