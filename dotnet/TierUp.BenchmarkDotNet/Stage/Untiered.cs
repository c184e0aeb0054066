// What     The implementation flag of every method that runs while the stage drives or watches.
// What not Not for what runs in the host.
// Why      A method without it would be called for the first time in the stage, hold the call-counting delay up and be promoted itself: see Code.cs of TierUp.

using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal static class Untiered
{
    internal const MethodImplOptions Code = MethodImplOptions.AggressiveOptimization;
}
