// What     The runtime's own words about one run: method loads, delay, batches, on one clock with the workload's lines.
// What not No use of TierUp.
// Threads  Immutable after Read.
// Failure  A trace that can't be read is an exception: without an oracle there is no test.
// Source   Event names and payloads: Microsoft-Windows-DotNETRuntime, ClrEtwAll.man; parsed by Microsoft.Diagnostics.Tracing.TraceEvent.
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace TierUp.Matrix.Tests;

/// <summary>A piece of code came to be: <c>Tier</c> in the short words of the tests (T0, T0i, R2R, T1i, T1, OSR, Opt, MinOpt).</summary>
internal sealed record Load(long At, int Thread, long Method, long Module, string Tier, string Namespace, string Name)
{
    public override string ToString() => $"{At} {Tier} {Namespace}.{Name}";
}

internal sealed class Trace
{
    private readonly Dictionary<long, List<Load>> byMethod = [];
    private readonly Dictionary<long, string> modules = [];
    private readonly List<Load> loads = [];
    private readonly List<long> resumes = [];
    private readonly List<(long At, int Thread)> pauses = [], compilations = [];
    private readonly List<(long At, int Thread, long Method)> jitStarts = [];
    private readonly List<(long At, bool Began)> batches = [];

    public IReadOnlyList<Load> Loads => loads;

    /// <summary>Sent by the thread whose first call armed the delay.</summary>
    public IReadOnlyList<(long At, int Thread)> Pauses => pauses;

    public IReadOnlyList<long> Resumes => resumes;

    /// <summary>When any method's compilation began.</summary>
    public IReadOnlyList<(long At, int Thread)> Compilations => compilations;

    /// <summary>The same with the method's descriptor.</summary>
    public IReadOnlyList<(long At, int Thread, long Method)> JitStarts => jitStarts;

    /// <summary>When the background worker began and ended to take methods out of its queue.</summary>
    public IReadOnlyList<(long At, bool Began)> Batches => batches;

    /// <summary>Events that the trace itself lost; then it is no oracle for what happened.</summary>
    public int Lost { get; private set; }

    public static Trace Read(string path)
    {
        Trace trace = new();
        using EventPipeEventSource source = new(path);
        // The only clock that both sides share: CLOCK_MONOTONIC in ns, as Stopwatch.
#pragma warning disable CS0618
        source.Clr.MethodLoadVerbose += e => trace.Add(new(e.TimeStampQPC, e.ThreadID, e.MethodID, e.ModuleID, Word(e.OptimizationTier), e.MethodNamespace, e.MethodName));
        // Also sent, with no entry point, when a look-up finds nothing.
        source.Clr.MethodR2RGetEntryPoint += e => trace.AddReadyToRun(e.EntryPoint, new(e.TimeStampQPC, e.ThreadID, e.MethodID, 0, "R2R", e.MethodNamespace, e.MethodName));
        source.Clr.MethodJittingStarted += e =>
        {
            trace.compilations.Add((e.TimeStampQPC, e.ThreadID));
            trace.jitStarts.Add((e.TimeStampQPC, e.ThreadID, e.MethodID));
        };
        source.Clr.TieredCompilationBackgroundJitStart += e => trace.batches.Add((e.TimeStampQPC, true));
        source.Clr.TieredCompilationBackgroundJitStop += e => trace.batches.Add((e.TimeStampQPC, false));
        source.Clr.TieredCompilationPause += e => trace.pauses.Add((e.TimeStampQPC, e.ThreadID));
        source.Clr.TieredCompilationResume += e => trace.resumes.Add(e.TimeStampQPC);
        source.Clr.LoaderModuleLoad += e => trace.modules[e.ModuleID] = e.ModuleILPath;
#pragma warning restore CS0618
        source.Process();
        trace.Lost = source.EventsLost;
        foreach (List<Load> of in trace.byMethod.Values) of.Sort((a, b) => a.At.CompareTo(b.At));
        trace.loads.Sort((a, b) => a.At.CompareTo(b.At));
        trace.pauses.Sort();
        trace.resumes.Sort();
        trace.compilations.Sort();
        trace.jitStarts.Sort();
        trace.batches.Sort();
        return trace;
    }

    /// <summary>Every piece of code of a method, on-stack replacements too, oldest first.</summary>
    public IReadOnlyList<Load> Of(long method) => byMethod.TryGetValue(method, out List<Load>? found) ? found : [];

    /// <summary>The same without on-stack replacements, which are never an entry point.</summary>
    public IReadOnlyList<Load> Ladder(long method) => [.. Of(method).Where(load => load.Tier != "OSR")];

    /// <summary>Loads of methods that a module with this file name defines.</summary>
    public IEnumerable<Load> OfModule(string file) =>
        loads.Where(load => modules.TryGetValue(load.Module, out string? path) && path.EndsWith("/" + file, StringComparison.Ordinal));

    public bool Knows(string file) => modules.Values.Any(path => path.EndsWith("/" + file, StringComparison.Ordinal));

    private void Add(Load load)
    {
        if (!byMethod.TryGetValue(load.Method, out List<Load>? of)) byMethod[load.Method] = of = [];
        of.Add(load);
        loads.Add(load);
    }

    /// <summary>The runtime may look precompiled code up more than once; the first time is when the method got it.</summary>
    private void AddReadyToRun(long entryPoint, Load load)
    {
        if (entryPoint != 0 && Of(load.Method).All(known => known.Tier != load.Tier)) Add(load);
    }

    private static string Word(OptimizationTier tier) => tier switch
    {
        OptimizationTier.MinOptJitted => "MinOpt",
        OptimizationTier.Optimized => "Opt",
        OptimizationTier.QuickJitted => "T0",
        OptimizationTier.OptimizedTier1 => "T1",
        OptimizationTier.OptimizedTier1OSR => "OSR",
        OptimizationTier.QuickJittedInstrumented => "T0i",
        OptimizationTier.OptimizedTier1Instrumented => "T1i",
        OptimizationTier.ReadyToRun => "R2R",
        _ => tier.ToString(),
    };
}
