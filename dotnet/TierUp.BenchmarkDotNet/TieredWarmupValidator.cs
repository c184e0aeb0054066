// What     Says what is wrong with the options and the set-up before anything is built or run, in BenchmarkDotNet's usual lines.
// What not Nothing about the benchmark's process: that is a note of its report.
// Threads  BenchmarkDotNet's.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Validators;
using TierUp.BenchmarkDotNet.Engine015;
using TierUp.BenchmarkDotNet.Options;

namespace TierUp.BenchmarkDotNet;

/// <summary>Checks the options of the warm-up stage, the toolchain of the jobs that have it, and that the packages fit together.</summary>
public sealed class TieredWarmupValidator : IValidator
{
    private const string Name = "TieredWarmup: ";

    private readonly TieredWarmupOptions? _options;

    /// <summary>Creates a validator for jobs that bring their own options.</summary>
    public TieredWarmupValidator()
        : this(null)
    {
    }

    internal TieredWarmupValidator(TieredWarmupOptions? options)
    {
        _options = options;
    }

    /// <inheritdoc/>
    public bool TreatsWarningsAsErrors => true;

    /// <inheritdoc/>
    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters)
    {
        ArgumentNullException.ThrowIfNull(validationParameters);
        IEnumerable<string> general = (_options is null ? [] : Wrong(_options)).Concat(Mismatch());
        foreach (string message in general)
        {
            yield return new ValidationError(true, Name + message);
        }

        foreach (BenchmarkCase benchmark in validationParameters.Benchmarks.Where(HasStage))
        {
            string? text = benchmark.Job.Environment.EnvironmentVariables?.FirstOrDefault(variable => variable.Key == OptionsText.Variable)?.Value;
            foreach (string message in text is null ? [] : Wrong(OptionsText.Read(text)))
            {
                yield return new ValidationError(true, Name + message, benchmark);
            }

            if (UnknownToolchain(benchmark) is { } unknown)
            {
                yield return new ValidationError(true, Name + unknown, benchmark);
            }
        }
    }

    internal static IEnumerable<string> Wrong(TieredWarmupOptions options)
    {
        if (options.Budget is { } budget && budget <= TimeSpan.Zero)
        {
            yield return $"Budget is {budget.TotalMilliseconds} ms. It must be above 0; leave it away for the default, or use VerdictOnly to run without the stage.";
        }

        if (!(options.BudgetShare > 0 && options.BudgetShare <= 1))
        {
            yield return $"BudgetShare is {options.BudgetShare}. It must be above 0 and at most 1.";
        }

        if (options.MaximumBudget <= TimeSpan.Zero)
        {
            yield return $"MaximumBudget is {options.MaximumBudget.TotalMilliseconds} ms. It must be above 0.";
        }

        if (options.MaximumRounds <= 0)
        {
            yield return $"MaximumRounds is {options.MaximumRounds}. It must be above 0.";
        }

        if (options.VerdictOnly && options.ReplaceWarmup)
        {
            yield return "VerdictOnly and ReplaceWarmup exclude each other: a verdict changes nothing of the run.";
        }
    }

    private static bool HasStage(BenchmarkCase benchmark)
    {
        return benchmark.Job.Infrastructure.EngineFactory is TieredWarmupEngineFactory;
    }

    private static string? UnknownToolchain(BenchmarkCase benchmark)
    {
        IToolchain? toolchain = benchmark.Job.Infrastructure.Toolchain;
        return toolchain is null || Toolchains.IsKnown(toolchain)
            ? null
            : $"the toolchain {toolchain.Name} ({toolchain.GetType().Name}) is not known. "
            + "The stage works with BenchmarkDotNet's own toolchains: the default one, InProcessEmitToolchain and InProcessNoEmitToolchain. Give the job one of these, or leave the stage away.";
    }

    // Versions are compared, and the native library's: one package's files in another's folder is the usual accident.
    private static IEnumerable<string> Mismatch()
    {
        Version own = VersionOf(typeof(TieredWarmupValidator).Assembly), core = VersionOf(typeof(TieredCompilation).Assembly);
        if (own != core)
        {
            yield return $"TierUp.BenchmarkDotNet is version {own.ToString(3)} and TierUp is version {core.ToString(3)}. Use the same version of both packages.";
        }

        string native = TieredCompilation.Capabilities.NativeLibraryVersion;
        if (native.Length > 0 && Version.TryParse(native.Split('-', '+')[0], out Version? found) && (found.Major, found.Minor) != (core.Major, core.Minor))
        {
            string path = TieredCompilation.Capabilities.NativeLibraryPath;
            yield return $"the native library ({path}) is version {native} and TierUp is version {core.ToString(3)}. Delete the stray file, or use the one of the TierUp package.";
        }
    }

    private static Version VersionOf(Assembly assembly)
    {
        return assembly.GetName().Version ?? new Version(0, 0, 0);
    }
}
