// What     The bench's entry: "child NAME" runs one child and prints its figures as one JSON line; anything else goes to the driver.
// What not Measures nothing itself.
// Failure  Exit code 2 for a wrong argument, 1 for a failed child or, with --check, a missed bound.

using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading.Tasks;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Core;

internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        if (arguments.Length == 2 && arguments[0] == "child")
        {
            Dictionary<string, double[]>? samples = arguments[1] switch
            {
                "poll" => PollChild.Run(),
                "drive-delay0" => await DriveChild.RunAsync(DriveChild.Delay0).ConfigureAwait(false),
                "drive-default" => await DriveChild.RunAsync(DriveChild.Default).ConfigureAwait(false),
                "dac" => DacChild.Run(),
                _ => null,
            };
            if (samples is null)
            {
                await Console.Error.WriteLineAsync($"no child \"{arguments[1]}\"").ConfigureAwait(false);
                return 2;
            }

            Console.WriteLine(JsonSerializer.Serialize(samples));
            return 0;
        }

#if TIERUP_BENCH_DRIVER
        return Driver.BenchRun.Run(arguments);
#else
        await Console.Error.WriteLineAsync("the driver is in the net10.0 build; this one has children only").ConfigureAwait(false);
        return 2;
#endif
    }
}
