// What     Options as the text of one environment variable, and back: name=value;name=value, without what is as usual.
// What not No check of the values: a validator's job in the host; here a value that can't be read is as if it weren't there.
// Threads  [any]
// Failure  Unknown names are skipped, so that an older package in the benchmark process understands what it can.

using System;
using System.Collections.Generic;
using System.Globalization;

namespace TierUp.BenchmarkDotNet.Options;

internal static class OptionsText
{
    /// <summary>The environment variable that carries options into the benchmark process.</summary>
    internal const string Variable = "TIERUP_WARMUP";

    /// <summary>All defaults: still a text, for it says that somebody chose them.</summary>
    private const string Usual = "default";

    private const NumberStyles Number = NumberStyles.Float;

    internal static string Write(TieredWarmupOptions options)
    {
        TieredWarmupOptions usual = new TieredWarmupOptions();
        List<string> parts = new List<string>();
        Add(parts, "budget", options.Budget?.TotalMilliseconds, null);
        Add(parts, "share", options.BudgetShare, usual.BudgetShare);
        Add(parts, "maximum", options.MaximumBudget.TotalMilliseconds, usual.MaximumBudget.TotalMilliseconds);
        Add(parts, "rounds", options.MaximumRounds, usual.MaximumRounds);
        Add(parts, "verdict", Flag(options.VerdictOnly), Flag(usual.VerdictOnly));
        Add(parts, "callees", Flag(options.DriveCallees), Flag(usual.DriveCallees));
        Add(parts, "harness", Flag(options.DriveHarness), Flag(usual.DriveHarness));
        Add(parts, "replace", Flag(options.ReplaceWarmup), Flag(usual.ReplaceWarmup));
        return parts.Count == 0 ? Usual : string.Join(';', parts);
    }

    internal static TieredWarmupOptions Read(string text)
    {
        TieredWarmupOptions options = new TieredWarmupOptions();
        foreach (string part in text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            int sign = part.IndexOf('=', StringComparison.Ordinal);
            if (sign > 0)
            {
                options = With(options, part[..sign], part[(sign + 1)..]);
            }
        }

        return options;
    }

    private static TieredWarmupOptions With(TieredWarmupOptions options, string name, string value)
    {
        bool isNumber = double.TryParse(value, Number, CultureInfo.InvariantCulture, out double number);
        return name switch
        {
            "budget" when isNumber => options with { Budget = TimeSpan.FromMilliseconds(number) },
            "share" when isNumber => options with { BudgetShare = number },
            "maximum" when isNumber => options with { MaximumBudget = TimeSpan.FromMilliseconds(number) },
            "rounds" when isNumber => options with { MaximumRounds = (int)number },
            "verdict" => options with { VerdictOnly = value == "1" },
            "callees" => options with { DriveCallees = value == "1" },
            "harness" => options with { DriveHarness = value == "1" },
            "replace" => options with { ReplaceWarmup = value == "1" },
            _ => options,
        };
    }

    private static void Add(List<string> parts, string name, double? value, double? usual)
    {
        if (value != usual)
        {
            parts.Add(string.Create(CultureInfo.InvariantCulture, $"{name}={value:R}"));
        }
    }

    private static double Flag(bool value)
    {
        return value ? 1 : 0;
    }
}
