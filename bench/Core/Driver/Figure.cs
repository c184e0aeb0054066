// What     One figure of the bench with its bound, if it has one.
// What not Does not measure.

namespace TierUp.Bench.Core.Driver;

internal enum Bound
{
    None,
    AtMost,
    AtLeast,
}

/// <summary>`Name` is the key in the JSON line; extras are in the table only.</summary>
internal sealed record Figure(string Name, double Value, Bound Bound = Bound.None, double Limit = 0, string Note = "", bool IsExtra = false)
{
    /// <summary>Gets a value indicating whether the figure keeps its bound; not-a-number keeps none.</summary>
    internal bool IsKept => Bound switch
    {
        Bound.AtMost => Value <= Limit,
        Bound.AtLeast => Value >= Limit,
        _ => true,
    };
}
