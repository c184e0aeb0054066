// What     The rows of "Knobs".
// Source   RUNTIME_FACTS.md, "Knobs".
using System.Collections.Generic;
using System.Linq;

namespace TierUp.Matrix.Tests;

internal static class Knobs
{
    private const string Classic =
        "CORECLR_ENABLE_PROFILING=1 CORECLR_PROFILER={b5a4a3c2-7d0e-4a53-9f0c-6f2b7c1d9e01} CORECLR_PROFILER_PATH=" + Profiler.Placeholder;

    private static readonly Knob withoutTiering = new("")
    {
        Aggressive8 = "Opt",
        Plain = "Opt", Loop = "Opt", Osr = "Opt", ReadyToRun = "R2R", Promotes = false, HasDelay = false,
    };

    /// <summary>Profiling needs quick-jitted code, so precompiled code goes to tier 1 without it.</summary>
    private static readonly Knob withoutQuickJit = new("") { Aggressive8 = "Opt", Plain = "Opt", Loop = "Opt", Osr = "Opt", ReadyToRun = "R2R T1", Promotes = false };

    private static readonly Knob withoutProfile = new("") { Plain = "T0 T1", Loop = "T0 T1", Osr = "T0 T1", ReadyToRun = "R2R T1" };

    private static readonly Knob withoutDelay = new("") { HasDelay = false };

    public static IReadOnlyList<Knob> All { get; } =
    [
        new("defaults"),

        withoutTiering with { Name = "TieredCompilation=0", Environment = "DOTNET_TieredCompilation=0" },
        withoutQuickJit with { Name = "TC_QuickJit=0", Environment = "DOTNET_TC_QuickJit=0" },
        new("TC_QuickJitForLoops=0") { Environment = "DOTNET_TC_QuickJitForLoops=0", Loop = "Opt", Osr = "Opt" },
        withoutProfile with { Name = "TieredPGO=0", Environment = "DOTNET_TieredPGO=0" },
        new("TieredPGO_InstrumentOnlyHotCode=0")
        {
            Environment = "DOTNET_TieredPGO_InstrumentOnlyHotCode=0", Plain = "T0i T1", Loop = "T0i T1", Osr = "T0i T1", ReadyToRun = "R2R T1",
        },

        new("TC_CallCountThreshold=0") { Environment = "DOTNET_TC_CallCountThreshold=0", Threshold = 1 },
        new("TC_CallCountThreshold=1") { Environment = "DOTNET_TC_CallCountThreshold=1", Threshold = 1 },
        new("TC_CallCountThreshold=2") { Environment = "DOTNET_TC_CallCountThreshold=2", Threshold = 2 },
        new("TC_CallCountThreshold=64") { Environment = "DOTNET_TC_CallCountThreshold=64", Threshold = 0x64 },
        new("TC_CallCountThreshold=FFFF") { Environment = "DOTNET_TC_CallCountThreshold=FFFF", Threshold = 0xFFFF },
        new("TC_CallCountThreshold=10000") { Environment = "DOTNET_TC_CallCountThreshold=10000", Threshold = 0xFFFF },

        withoutDelay with { Name = "TC_CallCountingDelayMs=0", Environment = "DOTNET_TC_CallCountingDelayMs=0" },
        new("TC_CallCountingDelayMs=1") { Environment = "DOTNET_TC_CallCountingDelayMs=1", DelayMs = 1 },
        new("TC_CallCountingDelayMs=3E8") { Environment = "DOTNET_TC_CallCountingDelayMs=3E8", DelayMs = 1000 },

        new("TC_CallCounting=0") { Environment = "DOTNET_TC_CallCounting=0", Plain = "T0", Loop = "T0", Osr = "T0", ReadyToRun = "R2R", Promotes = false },
        // A call during a delay that was re-armed is not counted, and without stubs nothing shows how many were: the runtime then needs the rest of
        // the phase, and a schedule can only offer the whole one again (docs/RUNTIME.md, "Without counting stubs").
        new("TC_UseCallCountingStubs=0") { Environment = "DOTNET_TC_UseCallCountingStubs=0", CountIsVisible = false, Exempt = Exempt.StepIsUpperBound },
        new("TC_BackgroundWorkerTimeoutMs=0") { Environment = "DOTNET_TC_BackgroundWorkerTimeoutMs=0" },
        withoutDelay with { Name = "TC_AggressiveTiering=1", Environment = "DOTNET_TC_AggressiveTiering=1", Threshold = 1 },
        // The call after a deletion is counted twice, so a step that was right when it was given may be one too many, and one given after it asks for one less.
        new("TC_DeleteCallCountingStubsAfter=1") { Environment = "DOTNET_TC_DeleteCallCountingStubsAfter=1", DeletesStubs = true, Exempt = Exempt.StepIsUpperBound },
        new("one processor") { OneProcessor = true, DelayMs = 1000 },
        new("one processor, TC_DelaySingleProcMultiplier=1") { OneProcessor = true, Environment = "DOTNET_TC_DelaySingleProcMultiplier=1" },
        new("ReadyToRun=0") { Environment = "DOTNET_ReadyToRun=0", ReadyToRun = "T0 T0i T1" },
        new("JITMinOpts=1")
        {
            Environment = "DOTNET_JITMinOpts=1",
            Plain = "MinOpt", Loop = "MinOpt", Osr = "MinOpt", ReadyToRun = "R2R", Aggressive = "MinOpt", Aggressive8 = "MinOpt", Promotes = false, HasDelay = false,
        },

        new("EnableDiagnostics=0") { Environment = "DOTNET_EnableDiagnostics=0" },
        new("EnableDiagnostics_IPC=0") { Environment = "DOTNET_EnableDiagnostics_IPC=0" },
        new("EnableDiagnostics_Profiler=0") { Environment = "DOTNET_EnableDiagnostics_Profiler=0" },

        // 0x20 is COR_PRF_MONITOR_JIT_COMPILATION, 0x400000 COR_PRF_DISABLE_OPTIMIZATIONS, high 0x8 COR_PRF_HIGH_DISABLE_TIERED_COMPILATION (corprof.idl).
        new("classic startup profiler") { Environment = Classic + " TIERUP_PROFILER_LOW=20" },
        withoutTiering with { Name = "profiler disables tiering", Environment = Classic + " TIERUP_PROFILER_HIGH=8" },
        withoutTiering with
        {
            Name = "profiler disables optimizations", Environment = Classic + " TIERUP_PROFILER_LOW=400000",
            Plain = "MinOpt", Loop = "MinOpt", Osr = "MinOpt", Aggressive = "MinOpt", Aggressive8 = "MinOpt",
        },

        withoutTiering with { Name = "property TieredCompilation", Properties = "System.Runtime.TieredCompilation=false" },
        withoutQuickJit with { Name = "property QuickJit", Properties = "System.Runtime.TieredCompilation.QuickJit=false" },
        new("property QuickJitForLoops") { Properties = "System.Runtime.TieredCompilation.QuickJitForLoops=false", Loop = "Opt", Osr = "Opt" },
        new("property CallCountThreshold, decimal") { Properties = "System.Runtime.TieredCompilation.CallCountThreshold=12", Threshold = 12 },
        new("property CallCountThreshold, 0x") { Properties = "System.Runtime.TieredCompilation.CallCountThreshold=\"0x12\"", Threshold = 0x12 },
        withoutDelay with { Name = "property CallCountingDelayMs", Properties = "System.Runtime.TieredCompilation.CallCountingDelayMs=0" },
        withoutProfile with { Name = "property TieredPGO", Properties = "System.Runtime.TieredPGO=false" },

        new("environment beats property")
        {
            Properties = "System.Runtime.TieredCompilation.CallCountThreshold=12", Environment = "DOTNET_TC_CallCountThreshold=5", Threshold = 5,
        },
        new("COMPlus_ alone") { Environment = "COMPlus_TC_CallCountThreshold=7", Threshold = 7 },
        new("DOTNET_ beats COMPlus_") { Environment = "COMPlus_TC_CallCountThreshold=7 DOTNET_TC_CallCountThreshold=5", Threshold = 5 },
        new("number with a tail") { Environment = "DOTNET_TC_CallCountThreshold=5z", Threshold = 5 },
        new("number with 0x") { Environment = "DOTNET_TC_CallCountThreshold=0x5", Threshold = 5 },
        new("garbage") { Environment = "DOTNET_TC_CallCountThreshold=zz" },
        new("TieredCompilation=false is a number") { Environment = "DOTNET_TieredCompilation=false" },
    ];

    public static Knob Named(string name) => All.Single(knob => knob.Name == name);
}
