// What     Drives a benchmark, its overhead twin and what they call to their final code: rounds of as many calls as the runtime asks for, each
//          followed by a wait for what the calls had compiled, until a round compiles nothing and the targets are final, or the budget ends.
// What not Measures nothing. Sleeps nowhere: the waits are the library's.
// Threads  The engine's.
// Failure  What the benchmark throws goes to the caller as it is. What the library throws ends the stage and is its Note.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class WarmupStage
{
    /// <summary>Calls per round where nobody knows better: callees are counted as the benchmark is. TieringSettings.CallCountThreshold is 30 unless somebody set it.</summary>
    private const int UsualThreshold = 30;

    /// <summary>The last round is as long as this, where the calls are short: it reaches what is called by every few thousandth call only.</summary>
    private const double LastRoundMilliseconds = 1.0;
    private const long LastRoundMostCalls = 262_144;

    /// <summary>And as long as this, where something was called that is not final yet: thirty calls of what every 2,048th call reaches take 61,440.</summary>
    private const double LongestRoundMilliseconds = 8.0;

    /// <summary>A round that only makes sure is left out where it would take longer.</summary>
    private const double SureRoundMostMilliseconds = 100;

    private const long SliceMilliseconds = 500;

    private readonly DrivenBenchmark _benchmark;
    private readonly TieredWarmupOptions _options;
    private readonly Target[] _workloads, _overheads;
    private readonly Budget _budget;
    private readonly bool _isRehearsal;
    private double _callMilliseconds, _calledMilliseconds, _lastRoundMilliseconds = LastRoundMilliseconds;

    [MethodImpl(Untiered.Code)]
    internal WarmupStage(DrivenBenchmark benchmark, TieredWarmupOptions options, bool isRehearsal = false)
    {
        _isRehearsal = isRehearsal;
        _benchmark = benchmark;
        _options = options;
        _budget = new Budget(options, benchmark.ExpectedRun);
        _workloads = TargetsOf(benchmark.Workloads);
        _overheads = TargetsOf(benchmark.Overheads);
    }

    internal long Calls { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal long OverheadCalls { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal int Rounds { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal double ElapsedMilliseconds { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal double BudgetMilliseconds
    {
        [MethodImpl(Untiered.Code)]
        get { return _budget.Milliseconds; }
    }

    internal bool IsExhausted { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    /// <summary>Drives. It ends in any case: with everything final, or by the budget, or by MaximumRounds.</summary>
    [MethodImpl(Untiered.Code)]
    internal void Run()
    {
        using Publications publications = new Publications(_benchmark.Workloads);
        IsExhausted = !Drive(publications);
        ElapsedMilliseconds = _budget.ElapsedMilliseconds;
    }

    [MethodImpl(Untiered.Code)]
    private bool Drive(Publications publications)
    {
        int threshold = Threshold();
        bool isLong = false;
        if (!Call(1, 1))
        {
            return false;
        }

        Look(false);
        while (true)
        {
            TieredCompilation.WaitForTieredCompilationActive(Patience());
            publications.Take(out _);
            long calls = isLong ? LongRound(threshold) : Wanted(threshold);
            if (!Call(calls, isLong ? calls : 1))
            {
                return false;
            }

            bool isIdle = TieredCompilation.WaitForPendingCompilations(Patience()) || _isRehearsal;
            Rounds++;
            int published = publications.Take(out bool delayBegan);
            Look(isIdle && !delayBegan);
            if (isIdle && AreDone() && IsEnough(published == 0 && !delayBegan && calls >= threshold, calls, threshold, ref isLong)
                && !IsWorthLonger(publications.HasUnfinished, ref isLong))
            {
                return true;
            }

            if (Rounds >= _options.MaximumRounds || _budget.IsUsedUp)
            {
                return false;
            }
        }
    }

    // A quiet round is proof for all that every call reaches; then one long round for what only some calls reach.
    [MethodImpl(Untiered.Code)]
    private bool IsEnough(bool isQuiet, long calls, int threshold, ref bool isLong)
    {
        if (!_options.DriveCallees || threshold * _callMilliseconds > SureRoundMostMilliseconds)
        {
            return true;
        }

        // Calls that were timed one by one look longer than they are: the first long round may turn out to have been a short one.
        if (isQuiet && (isLong ? 2 * calls >= LongRound(threshold) : LongRound(threshold) <= threshold))
        {
            return true;
        }

        isLong = isQuiet || isLong;
        return false;
    }

    // Once: what an even longer round leaves as it is was called once and never again, or too seldom for any stage.
    [MethodImpl(Untiered.Code)]
    private bool IsWorthLonger(bool hasUnfinished, ref bool isLong)
    {
        if (!hasUnfinished || !_options.DriveCallees || _isRehearsal || _callMilliseconds > LastRoundMilliseconds || _lastRoundMilliseconds > LastRoundMilliseconds)
        {
            return false;
        }

        _lastRoundMilliseconds = LongestRoundMilliseconds;
        isLong = true;
        return true;
    }

    // A rehearsal only walks through the code. A wait that takes longer than a slice is left: without signals only further calls may bring a promotion on.
    [MethodImpl(Untiered.Code)]
    private TimeSpan Patience()
    {
        TimeSpan left = _isRehearsal ? TimeSpan.Zero : _budget.Left;
        return left.Ticks > SliceMilliseconds * TimeSpan.TicksPerMillisecond ? new TimeSpan(SliceMilliseconds * TimeSpan.TicksPerMillisecond) : left;
    }

    [MethodImpl(Untiered.Code)]
    private long LongRound(int threshold)
    {
        double calls = _lastRoundMilliseconds / (_callMilliseconds > 0 ? _callMilliseconds : 1e-6);
        long most = calls > LastRoundMostCalls ? LastRoundMostCalls : (long)calls;
        return most > threshold ? most : threshold;
    }

    [MethodImpl(Untiered.Code)]
    private long Wanted(int threshold)
    {
        int most = _options.DriveCallees && AreDone() ? threshold : 0;
        foreach (Target target in _workloads)
        {
            most = Math.Max(most, target.CallsWanted);
        }

        foreach (Target target in _overheads)
        {
            most = Math.Max(most, target.CallsWanted);
        }

        return most > 0 ? most : 1;
    }

    // In batches of one for the short rounds: what BenchmarkDotNet calls once per iteration is then driven as well.
    [MethodImpl(Untiered.Code)]
    private bool Call(long calls, long batch)
    {
        if (batch > _benchmark.CallsPerIteration)
        {
            batch = _benchmark.CallsPerIteration;
        }

        for (long made = 0; made < calls;)
        {
            long count = Math.Min(batch, calls - made);
            long begin = Stopwatch.GetTimestamp();
            _benchmark.Workload(count);
            double elapsed = Clock.MillisecondsSince(begin);
            _benchmark.Overhead(count);
            made += count;
            Calls += count;
            OverheadCalls += count;
            _calledMilliseconds += Calls == count ? 0 : elapsed; // the first call is its compiler's
            _callMilliseconds = Calls == 1 || elapsed / count < _callMilliseconds ? elapsed / count : _callMilliseconds;
            if (_callMilliseconds >= 1 || Calls == 1)
            {
                _budget.OneCallTakes(TimeSpan.FromMilliseconds(Calls == 1 ? 0 : _callMilliseconds));
            }

            if (made < calls && (_budget.IsUsedUp || _calledMilliseconds + _callMilliseconds > _budget.CallMilliseconds))
            {
                return false;
            }
        }

        return true;
    }

    [MethodImpl(Untiered.Code)]
    private void Look(bool afterCountedRound)
    {
        foreach (Target target in _workloads)
        {
            target.Look(afterCountedRound);
        }

        foreach (Target target in _overheads)
        {
            target.Look(afterCountedRound);
        }
    }

    [MethodImpl(Untiered.Code)]
    private bool AreDone()
    {
        foreach (Target target in _workloads)
        {
            if (!target.IsDone)
            {
                return false;
            }
        }

        foreach (Target target in _overheads)
        {
            if (!target.IsDone)
            {
                return false;
            }
        }

        return true;
    }

    [MethodImpl(Untiered.Code)]
    private static int Threshold()
    {
        int threshold = TieredCompilation.Settings.CallCountThreshold;
        return threshold > 0 ? threshold : UsualThreshold;
    }

    [MethodImpl(Untiered.Code)]
    private static Target[] TargetsOf(IReadOnlyList<MethodBase> methods)
    {
        Target[] targets = new Target[methods.Count];
        for (int i = 0; i < targets.Length; i++)
        {
            targets[i] = new Target(methods[i]);
        }

        return targets;
    }
}
