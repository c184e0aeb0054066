// What     How far the native library's knowledge of the background worker came.
// What not An enum: fields and comparisons of an int need no framework code.

namespace TierUp.Signals;

internal static class CalibrationPhase
{
    /// <summary>Whether anything is pending is known: native waits end by themselves.</summary>
    internal const int Known = 0;

    /// <summary>Not yet, but the nudge given shows what is missing within a delay.</summary>
    internal const int Settling = 1;

    /// <summary>Nothing will come of waiting: pass a barrier instead.</summary>
    internal const int Stuck = 2;
}
