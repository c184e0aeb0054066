// What     The figures in the order in which they are printed: ratios, absolutes, extras.
// What not Measures nothing.

using System.Collections.Generic;
using TierUp.Bench.Core.Driver;

namespace TierUp.Bench.Bdn.Driver;

internal sealed class FiguresOfRun
{
    private readonly List<Figure> _ratios = [];
    private readonly List<Figure> _absolutes = [];
    private readonly List<Figure> _extras = [];

    internal IReadOnlyList<Figure> InOrder => [.. _ratios, .. _absolutes, .. _extras];

    internal void Ratio(string name, double value, Bound bound, double limit, string note)
    {
        _ratios.Add(new(name, value, bound, limit, note));
    }

    internal void Absolute(string name, double value, Bound bound, double limit, string note)
    {
        _absolutes.Add(new(name, value, bound, limit, note));
    }

    internal void Extra(string name, double value, string note)
    {
        _extras.Add(new(name, value, Note: note, IsExtra: true));
    }
}
