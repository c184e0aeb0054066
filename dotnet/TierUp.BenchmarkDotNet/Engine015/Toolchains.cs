// What     The toolchains that the stage knows of, in BenchmarkDotNet 0.15.
// What not NativeAOT, Mono and .NET Framework are known: they have no tiers to see, and the stage says so in one line.
// Threads  [any]

using System.Collections.Generic;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;

namespace TierUp.BenchmarkDotNet.Engine015;

internal static class Toolchains
{
    internal static bool IsKnown(IToolchain toolchain)
    {
        // BenchmarkDotNet's own ones all run the engine factory of the job; a foreign one may not.
        return toolchain is InProcessEmitToolchain or InProcessNoEmitToolchain || toolchain.GetType().Assembly == typeof(IToolchain).Assembly;
    }
}
