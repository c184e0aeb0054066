// What     The bench's entry: "child NAME" runs one child and prints its samples as one JSON line; anything else goes to the driver.
// What not Measures nothing itself.
// Failure  Exit code 2 for a wrong argument, 1 for a failed child or, with --check, a missed bound.

using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading.Tasks;
using TierUp.Bench.Signals.Children;

namespace TierUp.Bench.Signals;

internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        if (arguments.Length != 2 || arguments[0] != "child")
        {
            return Driver.SignalsRun.Run(arguments);
        }

        Dictionary<string, double[]>? samples = arguments[1] switch
        {
            "wake-async" => await WakeChild.RunAsyncWaitsAsync().ConfigureAwait(false),
            "wake-sync" => WakeChild.RunBlockingWaits(),
            "listener" => await ListenerChild.RunAsync().ConfigureAwait(false),
            "compile-alone" => CompileChild.Run(CompileMode.Alone),
            "compile-idle" => CompileChild.Run(CompileMode.AttachedIdle),
            "compile-waiting" => CompileChild.Run(CompileMode.AttachedWaiting),
            "attach" => AttachChild.Run(isManifestBuilt: false),
            "attach-after-manifest" => AttachChild.Run(isManifestBuilt: true),
            "count" => CountChild.Run(),
            "idle" => IdleChild.Run(isAttached: true),
            "idle-alone" => IdleChild.Run(isAttached: false),
            "quiesce" => await QuiesceChild.RunAsync().ConfigureAwait(false),
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
}
