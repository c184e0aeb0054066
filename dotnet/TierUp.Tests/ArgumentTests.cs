// What     Arguments that can't be watched, against the real native library.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using Xunit;

namespace TierUp.Tests;

public sealed class ArgumentTests
{
    [Fact]
    public void an_empty_handle_is_refused_by_every_member()
    {
        Assert.Throws<ArgumentException>("method", () => RuntimeHelpers.GetMethodCompilationStatus(default));
        Assert.Throws<ArgumentException>("method", () => RuntimeHelpers.GetCallsToNextTierPromotion(default));
        Assert.Throws<ArgumentException>("method", () => RuntimeHelpers.IsMethodFullyOptimized(default));
        Assert.Throws<ArgumentException>("method", () => { _ = RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(default); });
        Assert.Throws<ArgumentException>("method", () => { _ = RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(default); });
        Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodState(default(RuntimeMethodHandle)));
        Assert.Throws<ArgumentException>(
            "method", () => TieredCompilation.WaitForFinalCompilation(default(RuntimeMethodHandle), TimeSpan.Zero));
        Assert.Throws<ArgumentException>(
            "method", () => TieredCompilation.EnumerateTierPromotionCallCounts(default(RuntimeMethodHandle), TimeSpan.Zero));
    }

    [Fact]
    public void null_is_refused()
    {
        Assert.Throws<ArgumentNullException>("method", () => TieredCompilation.GetMethodState((MethodBase)null!));
        Assert.Throws<ArgumentNullException>("method", () => TieredCompilation.GetMethodState((Delegate)null!));
    }

    [Fact]
    public void an_abstract_method_is_refused_with_advice()
    {
        MethodInfo method = typeof(Stream).GetMethod(nameof(Stream.Flush))!;
        ArgumentException error = Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodCompilationStatus(method));
        Assert.Contains("abstract", error.Message, StringComparison.Ordinal);
        Assert.Contains("System.IO.Stream.Flush", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>("method", () => RuntimeHelpers.GetMethodCompilationStatus(method.MethodHandle));
    }

    [Fact]
    public void an_open_generic_is_refused_with_advice()
    {
        MethodInfo method = typeof(ArgumentTests).GetMethod(nameof(Generic), BindingFlags.Static | BindingFlags.NonPublic)!;
        ArgumentException error = Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodState(method));
        Assert.Contains("MakeGenericMethod", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodState(typeof(List<>).GetMethod("Clear")!));
        Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodState(typeof(List<>).GetMethod("Clear")!.MethodHandle));
    }

    [Fact]
    public void a_closed_generic_is_not_refused_by_its_bare_handle()
    {
        RuntimeMethodHandle handle = RuntimeMethodHandle.FromIntPtr(typeof(List<string>).GetMethod("TrimExcess")!.MethodHandle.Value);
        Assert.NotNull(TieredCompilation.GetMethodState(handle).ReasonText);
    }

    [Fact]
    public void a_negative_time_out_is_refused()
    {
        Action subject = null_is_refused;
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => TieredCompilation.WaitForFinalCompilation(subject, TimeSpan.FromSeconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>(
            "timeoutPerStep", () => TieredCompilation.EnumerateTierPromotionCallCounts(subject, TimeSpan.FromTicks(-1)));
        Assert.NotNull(TieredCompilation.EnumerateTierPromotionCallCounts(subject, Timeout.InfiniteTimeSpan));
    }

    private static T Generic<T>(T value)
    {
        return value;
    }
}
