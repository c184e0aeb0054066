// What     Case 5: where nothing tiers, every wait is over at once, each with its own reason.
// Source   CASES.md case 5.
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace TierUp.Matrix.Tests;

public sealed class NeverTiersTests
{
    /// <summary>Far below the call-counting delay (100 ms), far above a query of the data access library on a loaded machine.</summary>
    private const long AtOnceNs = 80_000_000;

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
        Run run = Run.Get(runtime, setting.Length == 0 ? new("kinds") : Knobs.Named(setting).Setting);
        Line end = run.Of(subject).Single(line => line.Kind == "ask" && line.At == "end");
        Assert.InRange(end.End - end.Begin, 0, AtOnceNs);
        Line last = run.Of(subject).Last(line => line.IsAnswer);
        Assert.Equal(("Final", reason), (last.Status, last.Reason));
    }
}
