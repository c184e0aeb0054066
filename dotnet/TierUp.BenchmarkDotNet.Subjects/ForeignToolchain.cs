// What     A toolchain that nobody knows: the stock in-process one under another type.
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;

namespace TierUp.BenchmarkDotNet.Subjects;

internal sealed class ForeignToolchain() : Toolchain("Foreign", InProcessNoEmitToolchain.Instance.Generator, InProcessNoEmitToolchain.Instance.Builder, InProcessNoEmitToolchain.Instance.Executor)
{
}
