// What     How a job gets the package, or does not: the only file here that knows it, with Attributed.cs.
using System;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;

namespace TierUp.BenchmarkDotNet.Subjects;

internal static class Modes
{
    private static bool hasReport;

    public static void Add(ManualConfig config, string mode, Job job, Options options)
    {
        switch (mode)
        {
            case "stock":
                config.AddJob(job);
                break;
            case "warm":
                config.AddJob(job).AddTieredWarmup(Chosen(options));
                break;
            case "job":
                config.AddJob(job.WithTieredWarmup(Chosen(options)));
                if (!hasReport) config.AddTieredWarmupReport();
                hasReport = true;
                break;
            case "verdict":
                config.AddJob(job).AddTieredWarmup(new TieredWarmupOptions { VerdictOnly = true });
                break;
            case "negative":
                config.AddJob(job).AddTieredWarmup(new TieredWarmupOptions { Budget = TimeSpan.FromMilliseconds(-1) });
                break;
            case "foreign":
                config.AddJob(job.WithToolchain(new ForeignToolchain())).AddTieredWarmup();
                break;
            case "attribute":
                // In process the host's own runtimeconfig says the same.
                config.AddJob(options.Toolchain == "child" ? job.WithArguments([new MsBuildArgument("/p:EventSourceSupport=false")]) : job);
                break;
            default: throw new ArgumentException(mode);
        }
    }

    private static TieredWarmupOptions Chosen(Options options) =>
        options.BudgetMilliseconds == 0 ? new() : new() { Budget = TimeSpan.FromMilliseconds(options.BudgetMilliseconds) };
}
