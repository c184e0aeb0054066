// What     The command line: what is measured, and how often.

using System;
using System.Globalization;

namespace TierUp.Bench.Bdn.Driver;

/// <summary>`Launches` of the small benchmarks, `Repeats` of the suffering ones; `TotalLaunches` above 0: the ten, nothing else.</summary>
internal sealed record BdnOptions(int Launches, int Repeats, int TotalLaunches, bool IsCheck, bool IsVerbose)
{
    internal const string Usage = "usage: [--quick] [--total [LAUNCHES]] [--check] [--verbose]";

    private const int DefaultTotalLaunches = 3;

    internal static BdnOptions Parse(string[] arguments)
    {
        BdnOptions options = new(3, 30, 0, false, false);
        for (int i = 0; i < arguments.Length; i++)
        {
            switch (arguments[i])
            {
                case "--quick":
                    options = options with { Launches = 1, Repeats = 6 };
                    break;
                case "--total":
                    bool hasCount = i + 1 < arguments.Length && !arguments[i + 1].StartsWith('-');
                    int count = hasCount ? int.Parse(arguments[++i], CultureInfo.InvariantCulture) : DefaultTotalLaunches;
                    options = options with { TotalLaunches = count };
                    break;
                case "--check":
                    options = options with { IsCheck = true };
                    break;
                case "--verbose":
                    options = options with { IsVerbose = true };
                    break;
                default:
                    throw new ArgumentException($"unknown argument: {arguments[i]}");
            }
        }

        return options;
    }
}
