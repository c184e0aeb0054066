// What     The whole way, C# to runtime and back, on the runtime that the tests run on; the four others are the matrix tests' part.
// Source   RUNTIME facts, "The ladder": 61 calls with default settings, 1 + 30 + 30, or 30 where there is no instrumented phase.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using Xunit;

namespace TierUp.Tests;

public sealed class RealRuntimeTests
{
    private static int s_sum;

    [Fact]
    public async Task a_schedule_drives_a_cold_method_to_tier_1()
    {
        RuntimeMethodHandle method = ((Func<int, int>)Driven).Method.MethodHandle;
        Assert.Equal(MethodCompilationStatus.Cold, RuntimeHelpers.GetMethodCompilationStatus(method));
        Assert.Equal(1, RuntimeHelpers.GetCallsToNextTierPromotion(method));
        List<int> calls = [];
        await foreach (int count in RuntimeHelpers.EnumerateTierPromotionCallCountsAsync(method, Bounded.Token()))
        {
            calls.Add(count);
            for (int i = 0; i < count; i++)
            {
                s_sum += Driven(i);
            }
        }

        Assert.Equal([1, 30, 30], calls);
        Assert.True(RuntimeHelpers.IsMethodFullyOptimized(method));
        MethodState state = TieredCompilation.GetMethodState(method);
        Assert.Equal(CompilationTier.Tier1, state.Tier);
        Assert.Equal(MethodStateReason.Tier1, state.Reason);
        Assert.Single(state.CodeVersions, version => version.IsActive && version.Tier == CompilationTier.Tier1 && version.Code == state.ActiveCode);
        Assert.StartsWith("Final at Tier1: ", state.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void a_blocking_schedule_drives_a_delegate()
    {
        int total = 0;
        foreach (int count in TieredCompilation.EnumerateTierPromotionCallCounts(AlsoDriven, TimeSpan.FromSeconds(60)))
        {
            total += count;
            for (int i = 0; i < count; i++)
            {
                s_sum += AlsoDriven(i);
            }
        }

        Assert.Equal(61, total);
        Assert.True(TieredCompilation.WaitForFinalCompilation(AlsoDriven, TimeSpan.Zero));
    }

    [Fact]
    public void a_warm_poll_allocates_nothing()
    {
        RuntimeMethodHandle method = ((Func<int, int>)Polled).Method.MethodHandle;
        s_sum += Polled(1) + (int)RuntimeHelpers.GetMethodCompilationStatus(method);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            s_sum += (int)RuntimeHelpers.GetMethodCompilationStatus(method) + RuntimeHelpers.GetCallsToNextTierPromotion(method);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void a_dynamic_method_is_final_once_called()
    {
        DynamicMethod method = new("identity", typeof(int), [typeof(int)]);
        ILGenerator code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ret);
        Func<int, int> call = method.CreateDelegate<Func<int, int>>();
        Assert.Equal(MethodCompilationStatus.Cold, TieredCompilation.GetMethodCompilationStatus(call));
        s_sum += call(1);
        MethodState state = TieredCompilation.GetMethodState(method);
        Assert.Equal(MethodCompilationStatus.Final, state.Status);
        Assert.Equal(MethodStateReason.DynamicMethod, state.Reason);
        Assert.True(TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(call).IsCompletedSuccessfully);
    }

    [Fact]
    public void a_collectible_method_is_final_once_called()
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("collectible"), AssemblyBuilderAccess.RunAndCollect);
        TypeBuilder type = assembly.DefineDynamicModule("module").DefineType("Type", TypeAttributes.Public);
        MethodBuilder builder = type.DefineMethod("Identity", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
        ILGenerator code = builder.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ret);
        MethodInfo method = type.CreateType().GetMethod("Identity")!;
        Assert.Throws<ArgumentException>("method", () => TieredCompilation.GetMethodState(builder));
        Assert.False(TieredCompilation.WaitForFinalCompilation(method, TimeSpan.FromMilliseconds(5)));
        method.Invoke(null, [1]);
        Assert.Equal(MethodStateReason.Collectible, TieredCompilation.GetMethodState(method).Reason);
        Assert.True(TieredCompilation.WaitForFinalCompilation(method, TimeSpan.FromSeconds(60)));
        Assert.Equal(0, TieredCompilation.GetCallsToNextTierPromotion(method));
    }

    [Fact]
    public void capabilities_and_settings_describe_this_process()
    {
        TieringCapabilities capabilities = TieredCompilation.Capabilities;
        Assert.True(capabilities.HasTiering && capabilities.SupportsPolling && capabilities.SupportsTiers, capabilities.ToString());
        Assert.Equal(Environment.Version.Major, capabilities.RuntimeMajorVersion);
        Assert.EndsWith("libcoreclr.so", capabilities.RuntimePath, StringComparison.Ordinal);
        Assert.Equal(30, TieredCompilation.Settings.CallCountThreshold);
        Assert.True(TieredCompilation.Settings.TieredCompilation);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Driven(int value)
    {
        return value * 3;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int AlsoDriven(int value)
    {
        return value * 5;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Polled(int value)
    {
        return value * 7;
    }
}
