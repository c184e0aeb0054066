// What     One benchmark's way through BenchmarkDotNet 0.15's engine: the stage after the global set-up, the watch around the actual iterations, the report.
// What not No stage of its own: WarmupStage. No engine: the stock one.
// Threads  The engine's.
// Failure  A process that can't be seen runs as without the package, and the report says why.

using System;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;
using TierUp.BenchmarkDotNet.Options;
using TierUp.BenchmarkDotNet.Reports;
using TierUp.BenchmarkDotNet.Stage;

namespace TierUp.BenchmarkDotNet.Engine015;

internal sealed class WarmedRun
{
    private readonly EngineParameters _parameters;
    private readonly IHost _host;
    private readonly Action? _setup;
    private readonly Action _iterationSetup, _iterationCleanup;
    private readonly MeasurementWatch _watch = new MeasurementWatch();
    private readonly BenchmarkMethods _methods;
    private readonly TieredWarmupOptions _options;
    private WarmupStage? _stage;
    private WorkloadTier _tierAtBegin;
    private bool _isSetUp;
    private double _rehearsalMilliseconds;
    private string _note = "";

    internal WarmedRun(EngineParameters parameters)
    {
        _parameters = parameters;
        _host = parameters.Host;
        _setup = parameters.GlobalSetupAction;
        _iterationSetup = parameters.IterationSetupAction;
        _iterationCleanup = parameters.IterationCleanupAction;
        _methods = BenchmarkMethods.Find(parameters);
        _options = OptionsSource.Find(parameters.TargetJob, _methods.Type);
    }

    /// <summary>Puts itself between the parameters and the stock engine.</summary>
    internal void Attach()
    {
        _note = Sight.Blindness();
        if (_note.Length > 0)
        {
            _host.WriteLine("// TierUp: not watched, run as without the package: " + _note);
        }

        _parameters.Host = new WatchingHost(_host, MeasurementBegins, MeasurementEnded);
        _parameters.GlobalSetupAction = GlobalSetup;
        _parameters.IterationSetupAction = IterationSetup;
        _parameters.IterationCleanupAction = IterationCleanup;
    }

    private void GlobalSetup()
    {
        _setup?.Invoke();

        // Memory randomization runs the global set-up again between iterations.
        if (_isSetUp)
        {
            return;
        }

        _isSetUp = true;
        if (_note.Length == 0 && !_options.VerdictOnly && _parameters.NeedsJitting)
        {
            RunStage();
        }

        if (_note.Length == 0)
        {
            _watch.Open();
        }
    }

    // With an empty benchmark, so that the stage's and the library's own code is compiled before the clock runs.
    private static void Rehearse()
    {
        MethodBase empty = ((Action<long>)Nothing).Method;
        DrivenBenchmark benchmark = new DrivenBenchmark
        {
            Workload = Nothing,
            Overhead = Nothing,
            CallsPerIteration = long.MaxValue,
            Workloads = [empty],
            Overheads = [empty],
            ExpectedRun = static _ => TimeSpan.FromMilliseconds(1),
        };
        new WarmupStage(benchmark, new TieredWarmupOptions { MaximumRounds = 3 }, isRehearsal: true).Run();
    }

    [MethodImpl(Untiered.Code)]
    private static void Nothing(long calls)
    {
    }

    [MethodImpl(Untiered.Code)]
    private void IterationSetup()
    {
        _iterationSetup?.Invoke();
        if (_stage is not null)
        {
            _watch.LetQueueEmpty();
        }

        _watch.IterationBegins();
    }

    [MethodImpl(Untiered.Code)]
    private void IterationCleanup()
    {
        _watch.IterationEnded();
        _iterationCleanup?.Invoke();
    }

    private void RunStage()
    {
        DrivenBenchmark benchmark = new DrivenBenchmark
        {
            Workload = OneIteration,
            Overhead = _parameters.OverheadActionNoUnroll,
            CallsPerIteration = CallsPerIteration(),
            Workloads = _methods.Workloads,
            Overheads = _methods.Overheads,
            ExpectedRun = oneCall => JobLength.Expected(_parameters, oneCall),
        };
        long begin = Stopwatch.GetTimestamp();
        try
        {
            Rehearse();
            if (_options.DriveHarness || TieredCompilation.Settings.CallCountingDelay <= TimeSpan.Zero)
            {
                Rehearsal.Begin();
            }

            _stage = new WarmupStage(benchmark, _options);
            _stage.Run();
            if (_options.DriveHarness)
            {
                Rehearsal.Finish();
            }
        }
        catch (Exception e) when (e is TieringStateUnknownException or TierUpNativeLibraryException or PlatformNotSupportedException)
        {
            _note = e.Message;
        }

        _rehearsalMilliseconds = Clock.MillisecondsSince(begin) - (_stage?.ElapsedMilliseconds ?? 0);
        if (_options.ReplaceWarmup && _stage is { IsExhausted: false } && _note.Length == 0 && !_parameters.TargetJob.HasValue(RunMode.WarmupCountCharacteristic))
        {
            _parameters.TargetJob = _parameters.TargetJob.WithWarmupCount(1);
        }
    }

    private long CallsPerIteration()
    {
        return _parameters.HasInvocationCount ? _parameters.TargetJob.ResolveValue(RunMode.InvocationCountCharacteristic, EngineParameters.DefaultResolver, 1) : long.MaxValue;
    }

    [MethodImpl(Untiered.Code)]
    private void OneIteration(long calls)
    {
        _iterationSetup?.Invoke();
        _parameters.WorkloadActionNoUnroll(calls);
        _iterationCleanup?.Invoke();
    }

    private void MeasurementBegins()
    {
        if (_note.Length > 0)
        {
            return;
        }

        _tierAtBegin = WorkloadTier.Of(_methods.Workloads);
        _watch.Begin();
    }

    private void MeasurementEnded()
    {
        WorkloadTier tier = _tierAtBegin;
        if (_note.Length == 0)
        {
            tier = WorkloadTier.Of(_methods.Workloads);
            _watch.Close(_tierAtBegin.IsFinal, tier.IsFinal, tier.Descriptor);
        }

        _host.WriteLine(ReportLine.Write(Report(tier)));
    }

    private WarmupReport Report(WorkloadTier tier)
    {
        if (_note.Length > 0)
        {
            return new WarmupReport { Benchmark = _parameters.BenchmarkName ?? "", Mode = "blind", Note = _note };
        }

        return new WarmupReport
        {
            Benchmark = _parameters.BenchmarkName ?? "",
            Mode = _stage is null ? "verdict" : "stage",
            Tier = _tierAtBegin.Text,
            TierAtEnd = tier.Text,
            IsFinal = _tierAtBegin.IsFinal,
            IsFinalAtEnd = tier.IsFinal,
            Reason = tier.IsFinal ? _tierAtBegin.Reason : tier.Reason,
            Calls = _stage?.Calls ?? 0,
            OverheadCalls = _stage?.OverheadCalls ?? 0,
            Rounds = _stage?.Rounds ?? 0,
            ElapsedMilliseconds = _stage?.ElapsedMilliseconds ?? 0,
            RehearsalMilliseconds = _rehearsalMilliseconds,
            BudgetMilliseconds = _stage?.BudgetMilliseconds ?? 0,
            IsExhausted = _stage?.IsExhausted ?? false,
            PausedMilliseconds = _watch.PausedMilliseconds,
            Iterations = _watch.Iterations,
            UnfinishedIterations = _watch.Unfinished,
            CompiledInMeasurement = _watch.Compiled,
            HarnessInMeasurement = _watch.CompiledOfHarness,
            LibraryInMeasurement = _watch.CompiledOfLibraries,
            Names = _watch.Names,
        };
    }
}
