// What     The driver's command line.
// Failure  ArgumentException with the argument's name.

using System;
using System.Globalization;

namespace TierUp.Bench.Core.Driver;

internal sealed record BenchOptions(string? RuntimesFolder, double NativeBytes, bool IsCheck)
{
    internal static BenchOptions Parse(string[] arguments)
    {
        BenchOptions options = new(null, double.NaN, false);
        for (int i = 0; i < arguments.Length; i++)
        {
            string argument = arguments[i];
            switch (argument)
            {
                case "--check":
                    options = options with { IsCheck = true };
                    break;
                case "--runtimes" when i + 1 < arguments.Length:
                    options = options with { RuntimesFolder = arguments[++i] };
                    break;
                case "--native-bytes" when i + 1 < arguments.Length:
                    options = options with { NativeBytes = double.Parse(arguments[++i], CultureInfo.InvariantCulture) };
                    break;
                default:
                    throw new ArgumentException($"unknown argument: {argument}");
            }
        }

        return options;
    }
}
