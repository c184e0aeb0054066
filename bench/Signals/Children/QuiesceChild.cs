// What     Bursts of 500 promotions: from the last call to the end of WaitForPendingCompilations, and to the end of the settling recipe,
//          for the same burst; and how many of the 500 still ran their old code then.
// What not The oracle is not the library: it reads the entry points itself.
// Failure  InvalidOperationException when a burst's methods don't count or the recipe never ends.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class QuiesceChild
{
    private const int Methods = 500;
    private const int Sets = 6;
    private const int WarmUpSets = 1;
    private const int Steps = 2;

    internal static async Task<Dictionary<string, double[]>> RunAsync()
    {
        using SettleRecipe recipe = new();
        List<double> oursMs = [];
        List<double> recipeMs = [];
        List<double> workMs = [];
        int ourEarly = 0;
        int recipeEarly = 0;
        for (int set = -WarmUpSets; set < Sets; set++)
        {
            Subject[] subjects = Prepare($"Burst{set + WarmUpSets}");
            Quiet.Wait();
            for (int promotion = 0; promotion < WakeSubjects.Promotions; promotion++)
            {
                BurstTimes times = await BurstAsync(subjects, recipe).ConfigureAwait(false);
                if (set < 0)
                {
                    continue;
                }

                oursMs.Add(times.OursMs);
                recipeMs.Add(times.RecipeMs);
                workMs.Add(times.WorkMs);
                ourEarly += times.OursLeft;
                recipeEarly += times.RecipeLeft;
            }
        }

        return new()
        {
            ["ours_ms"] = [.. oursMs],
            ["recipe_ms"] = [.. recipeMs],
            ["work_ms"] = [.. workMs],
            ["ours_early"] = [ourEarly],
            ["recipe_early"] = [recipeEarly],
        };
    }

    private static Subject[] Prepare(string prefix)
    {
        Subject[] subjects = GeneratedMethods.Emit(prefix, Methods, Steps);
        foreach (Subject subject in subjects)
        {
            Calls.Make(subject, 1);
        }

        if (!TieredCompilation.WaitForTieredCompilationActive(WakeSubjects.Limit) || CountLeft(subjects, new nint[Methods]) != 0)
        {
            throw new InvalidOperationException("the methods of a burst don't count");
        }

        return subjects;
    }

    private static async Task<BurstTimes> BurstAsync(Subject[] subjects, SettleRecipe recipe)
    {
        nint[] old = Array.ConvertAll(subjects, subject => MemoryOracle.CodeOf(subject.EntryPoint));
        int recipeLeft = -1;
        long recipeAt = 0;
        Thread settling = new(() =>
        {
            bool isOver = recipe.Wait(WakeSubjects.Limit);
            recipeAt = Stopwatch.GetTimestamp();
            recipeLeft = isOver ? CountLeft(subjects, old) : -1;
        });
        recipe.Begin();
        settling.Start();
        Call(subjects);
        DateTime calledAt = DateTime.UtcNow;
        long began = Stopwatch.GetTimestamp();
        await RuntimeHelpers.WaitForPendingCompilations().ConfigureAwait(false);
        long oursAt = Stopwatch.GetTimestamp();
        int oursLeft = CountLeft(subjects, old);
        settling.Join();
        return recipeLeft >= 0
            ? new(Milliseconds(oursAt - began), Milliseconds(recipeAt - began), WorkMs(recipe, calledAt), oursLeft, recipeLeft)
            : throw new InvalidOperationException("the settling recipe saw no end");
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Call(Subject[] subjects)
    {
        for (int i = 0; i < subjects.Length; i++)
        {
            Calls.Make(subjects[i], WakeSubjects.Threshold);
        }
    }

    /// <summary>How many still run the code that they ran before the burst, or none at all.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static int CountLeft(Subject[] subjects, nint[] old)
    {
        int left = 0;
        for (int i = 0; i < subjects.Length; i++)
        {
            nint code = MemoryOracle.CodeOf(subjects[i].EntryPoint);
            left += code == 0 || code == old[i] ? 1 : 0;
        }

        return left;
    }

    private static double WorkMs(SettleRecipe recipe, DateTime calledAt)
    {
        return (recipe.LastBatchEnd - calledAt).TotalMilliseconds;
    }

    private static double Milliseconds(long ticks)
    {
        return ticks * (1e3 / Stopwatch.Frequency);
    }

    private readonly record struct BurstTimes(double OursMs, double RecipeMs, double WorkMs, int OursLeft, int RecipeLeft);
}
