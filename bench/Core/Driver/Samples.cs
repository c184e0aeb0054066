// What     Medians and quantiles of samples.
// What not No means: one preemption would spoil them.

using System;

namespace TierUp.Bench.Core.Driver;

internal static class Samples
{
    private const double Middle = 0.5;

    internal static double Median(double[] samples)
    {
        return Quantile(samples, Middle);
    }

    /// <summary>The sample at that share of the sorted ones; not a number without samples.</summary>
    internal static double Quantile(double[] samples, double share)
    {
        if (samples.Length == 0)
        {
            return double.NaN;
        }

        double[] sorted = (double[])samples.Clone();
        Array.Sort(sorted);
        double at = share * (sorted.Length - 1);
        int low = (int)at;
        int high = Math.Min(low + 1, sorted.Length - 1);
        return sorted[low] + ((at - low) * (sorted[high] - sorted[low]));
    }
}
