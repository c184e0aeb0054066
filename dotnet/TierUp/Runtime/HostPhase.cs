// What     How far the start of the native library came.
// What not An enum: volatile fields and comparisons of an int need no framework code.

namespace TierUp.Runtime;

internal static class HostPhase
{
    internal const int NotStarted = 0;
    internal const int Ready = 1;

    /// <summary>NativeAOT or Mono: there is nothing to watch.</summary>
    internal const int NoTiering = 2;

    internal const int Failed = 3;
}
