// What     Whether this process can be watched at all, and the one line that says why not.
// What not Signals are not needed: without them the library polls.
// Threads  [any]
// Failure  None.

using System;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal static class Sight
{
    /// <summary>Starts the library, and asks for signals, which attach while the benchmark's own set-up runs.</summary>
    /// <returns>Empty, or why nothing can be seen.</returns>
    internal static string Blindness()
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
        {
            return "this runtime compiles ahead of time, so there are no tiers.";
        }

        TieringCapabilities capabilities = TieredCompilation.Capabilities;
        if (!capabilities.HasTiering)
        {
            return "this runtime has no tiered compilation.";
        }

        if (!capabilities.SupportsPolling)
        {
            return Why(capabilities.PollingReason);
        }

        TieredCompilation.RequestSignals();
        return "";
    }

    // The exception says more than the capability: where the library was looked for, and what to do.
    private static string Why(string reason)
    {
        try
        {
            _ = TieredCompilation.Settings;
            return reason;
        }
        catch (Exception e) when (e is TierUpNativeLibraryException or PlatformNotSupportedException)
        {
            return e.Message.ReplaceLineEndings(" ");
        }
    }
}
