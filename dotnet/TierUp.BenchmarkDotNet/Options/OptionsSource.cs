// What     Finds the options in the benchmark process: the job's own, else the environment's, else the attribute on the benchmark's type or assembly.
// What not No validation.
// Threads  The engine's.
// Failure  Nothing found is the defaults.

using System;
using System.Linq;
using System.Reflection;
using BenchmarkDotNet.Jobs;

namespace TierUp.BenchmarkDotNet.Options;

internal static class OptionsSource
{
    internal static TieredWarmupOptions Find(Job job, Type? benchmarkType)
    {
        // In process the job is the host's own; in a child its variables are the process's.
        string? text = job.Environment.EnvironmentVariables?.FirstOrDefault(variable => variable.Key == OptionsText.Variable)?.Value
            ?? Environment.GetEnvironmentVariable(OptionsText.Variable);
        if (!string.IsNullOrEmpty(text))
        {
            return OptionsText.Read(text);
        }

        TieredWarmupAttribute? attribute = benchmarkType?.GetCustomAttribute<TieredWarmupAttribute>(inherit: true)
            ?? benchmarkType?.Assembly.GetCustomAttribute<TieredWarmupAttribute>();
        return attribute?.ToOptions() ?? new TieredWarmupOptions();
    }
}
