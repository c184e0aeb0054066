// What     The time that the stage may take, and what is left of it.
// What not No clock but Stopwatch.
// Threads  The engine's.

using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class Budget
{
    /// <summary>The default is not less: the runtime's own delays (100 ms a tick, and more on a busy machine) have to pass even for the shortest job.</summary>
    private const double LeastMilliseconds = 3000;

    /// <summary>And calls may always take this long: a busy machine makes short calls long ones.</summary>
    private const double LeastCallMilliseconds = 1000;

    private readonly TieredWarmupOptions _options;
    private readonly Func<TimeSpan, TimeSpan> _expectedRun;
    private readonly long _begin = Stopwatch.GetTimestamp();

    [MethodImpl(Untiered.Code)]
    internal Budget(TieredWarmupOptions options, Func<TimeSpan, TimeSpan> expectedRun)
    {
        _options = options;
        _expectedRun = expectedRun;
        OneCallTakes(TimeSpan.Zero);
    }

    internal double Milliseconds { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    /// <summary>Gets the part that calls of the benchmark may take; the rest is for waits.</summary>
    internal double CallMilliseconds { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal double ElapsedMilliseconds
    {
        [MethodImpl(Untiered.Code)]
        get { return Clock.MillisecondsSince(_begin); }
    }

    internal bool IsUsedUp
    {
        [MethodImpl(Untiered.Code)]
        get { return ElapsedMilliseconds >= Milliseconds; }
    }

    internal TimeSpan Left
    {
        [MethodImpl(Untiered.Code)]
        get
        {
            double left = Milliseconds - ElapsedMilliseconds;
            return left <= 0 ? TimeSpan.Zero : new TimeSpan((long)(left * TimeSpan.TicksPerMillisecond));
        }
    }

    /// <summary>Tells how long a call takes, on which the length of the run and so the default budget depend.</summary>
    [MethodImpl(Untiered.Code)]
    internal void OneCallTakes(TimeSpan time)
    {
        if (_options.Budget.HasValue)
        {
            Milliseconds = CallMilliseconds = _options.Budget.GetValueOrDefault().TotalMilliseconds;
            return;
        }

        double most = _options.MaximumBudget.TotalMilliseconds, share = _expectedRun(time).TotalMilliseconds * _options.BudgetShare;
        Milliseconds = Within(share, LeastMilliseconds, most);
        CallMilliseconds = Within(share, LeastCallMilliseconds, most);
    }

    [MethodImpl(Untiered.Code)]
    private static double Within(double value, double least, double most)
    {
        double atLeast = value < least ? least : value;
        return atLeast > most ? most : atLeast;
    }
}
