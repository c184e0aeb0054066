// What     The runtime's effective tiering settings.
// What not Not what was asked for: what the runtime made of environment and runtimeconfig.
// Threads  Immutable.
// Source   tierup_settings in tierup.h.

using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace TierUp;

/// <summary>The tiering settings in effect in this process, read from environment and runtimeconfig by the runtime's own rules.</summary>
public sealed class TieringSettings
{
    [MethodImpl(Code.Untiered)]
    internal TieringSettings()
    {
    }

    /// <summary>Gets a value indicating whether tiered compilation is on (DOTNET_TieredCompilation). False where the runtime has none.</summary>
    public bool TieredCompilation { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether methods are quick-jitted first (DOTNET_TC_QuickJit).</summary>
    public bool QuickJit { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether methods with loops are quick-jitted too (DOTNET_TC_QuickJitForLoops).</summary>
    public bool QuickJitForLoops { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether instrumented code collects a profile for tier 1 (DOTNET_TieredPGO).</summary>
    public bool TieredPgo { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether only hot tier-0 code is instrumented (DOTNET_TieredPGO_InstrumentOnlyHotCode).</summary>
    public bool InstrumentOnlyHotCode { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether calls are counted at all (DOTNET_TC_CallCounting).</summary>
    public bool CallCounting { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether stubs count the calls (DOTNET_TC_UseCallCountingStubs).</summary>
    public bool CallCountingStubs { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets a value indicating whether running loops can be replaced on the stack (DOTNET_TC_OnStackReplacement and its companions).</summary>
    public bool OnStackReplacement { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets the number of calls in a counting phase, 1 to 65535 (DOTNET_TC_CallCountThreshold). 0 where the runtime has no tiering.</summary>
    public int CallCountThreshold { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>
    /// Gets the call-counting delay (DOTNET_TC_CallCountingDelayMs), already multiplied on a single processor. Zero: there is no delay.
    /// Fresh activity extends a delay.
    /// </summary>
    public TimeSpan CallCountingDelay { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Gets how long the background worker stays without work (DOTNET_TC_BackgroundWorkerTimeoutMs).</summary>
    public TimeSpan BackgroundWorkerTimeout { [MethodImpl(Code.Untiered)] get; [MethodImpl(Code.Untiered)] internal init; }

    /// <summary>Describes the settings in one line for a log.</summary>
    /// <returns>The text.</returns>
    [MethodImpl(Code.Untiered)]
    public override string ToString()
    {
        if (!TieredCompilation)
        {
            return "tiered compilation off";
        }

        return string.Concat(
            string.Concat("threshold ", CallCountThreshold.ToString(CultureInfo.InvariantCulture), ", delay "),
            string.Concat(((long)CallCountingDelay.TotalMilliseconds).ToString(CultureInfo.InvariantCulture), " ms"),
            string.Concat(", quick jit ", OnOff(QuickJit), ", for loops ", OnOff(QuickJitForLoops)),
            string.Concat(", PGO ", OnOff(TieredPgo), ", call counting ", OnOff(CallCounting)));
    }

    [MethodImpl(Code.Untiered)]
    private static string OnOff(bool value)
    {
        return value ? "on" : "off";
    }
}
