// What     One method under watch: its handle, how it is called, and what the log says of it.
// What not No expectations; those are the driver program's.
// Threads  One caller at a time, except Observe.
// Failure  A member of TierUp that throws becomes an "error" line and ends the subject's drive.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace TierUp.Matrix;

internal sealed class Subject
{
    private readonly string name;
    private readonly MethodBase? method;
    private readonly RuntimeMethodHandle handle;
    private readonly Action? call;
    private IEnumerator<int>? schedule;

    /// <summary>A method known by its MethodBase: the overloads for MethodBase are used.</summary>
    public Subject(string name, MethodBase method, Action? call)
    {
        this.name = name;
        this.method = method;
        this.call = call;
        handle = method.MethodHandle;
    }

    /// <summary>A method known by its handle alone.</summary>
    public Subject(string name, RuntimeMethodHandle handle, Action? call)
    {
        this.name = name;
        this.handle = handle;
        this.call = call;
    }

    public string Name => name;

    public RuntimeMethodHandle Handle => handle;

    /// <summary>False: the schedule is read but no call is made (class constructors, methods that can't be called).</summary>
    public bool IsCalled => call is not null;

    public long Calls { get; private set; }

    public bool HasEnded { get; private set; }

    /// <summary>What the schedule asked for last.</summary>
    public int Asked { get; private set; }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Call(int times)
    {
        Calls += times;
        for (int i = 0; i < times; i++) call!();
    }

    public MethodCompilationStatus Poll() =>
        method is null ? TieredCompilation.GetMethodCompilationStatus(handle) : TieredCompilation.GetMethodCompilationStatus(method);

    public int Remaining() =>
        method is null ? TieredCompilation.GetCallsToNextTierPromotion(handle) : TieredCompilation.GetCallsToNextTierPromotion(method);

    public MethodState State() => method is null ? TieredCompilation.GetMethodState(handle) : TieredCompilation.GetMethodState(method);

    public bool WaitReady(TimeSpan timeout) => method is null
        ? TieredCompilation.WaitForFinalCompilationOrCallCountingReady(handle, timeout)
        : TieredCompilation.WaitForFinalCompilationOrCallCountingReady(method, timeout);

    public bool WaitFinal(TimeSpan timeout) => method is null
        ? TieredCompilation.WaitForFinalCompilation(handle, timeout) : TieredCompilation.WaitForFinalCompilation(method, timeout);

    public IEnumerable<int> Schedule(TimeSpan perStep) => method is null
        ? TieredCompilation.EnumerateTierPromotionCallCounts(handle, perStep) : TieredCompilation.EnumerateTierPromotionCallCounts(method, perStep);

    /// <summary>Our whole answer and, right after it, the runtime's own list of versions.</summary>
    public void Observe(string at)
    {
        // Race: the runtime may list a new version between the answer and the reading of its list. Window: the query, 0.1 to several ms.
        // Harmless: the pair is taken once more if it differs, and versions come at most three times. Test: Rules.Versions.
        for (int take = 0; take < 2; take++)
        {
            Entry entry = Log.Add("check", name, at);
            entry.Handle = handle.Value;
            entry.Calls = Calls;
            try
            {
                entry.Begin = Stopwatch.GetTimestamp();
                entry.Poll = (int)Poll();
                entry.Number = Remaining();
                entry.State = State();
                entry.End = Stopwatch.GetTimestamp();
                entry.List = Dac.Read(entry.State.MethodDescriptor);
                if (IsSame(entry.State, entry.List)) return;
                if (take == 0) entry.Kind = "differs";
            }
            catch (Exception exception)
            {
                Log.Failed(name, at, exception);
                return;
            }
        }
    }

    /// <summary>Our short answer alone: no query reaches the data access library if nothing is new.</summary>
    public void Look(string at)
    {
        Entry entry = Log.Add("look", name, at);
        entry.Handle = handle.Value;
        entry.Calls = Calls;
        try
        {
            entry.Poll = (int)Poll();
            entry.Number = Remaining();
            entry.End = Stopwatch.GetTimestamp();
        }
        catch (Exception exception)
        {
            Log.Failed(name, at, exception);
        }
    }

    private static bool IsSame(MethodState state, DacVersion[] list)
    {
        if (state.CodeVersions.Count != list.Length) return false;
        for (int i = 0; i < list.Length; i++) if ((ulong)state.CodeVersions[i].Code != list[i].Code) return false;
        return true;
    }

    /// <summary>Asks the schedule for its next step, which may block; false when it has ended or threw.</summary>
    public bool NextStep(TimeSpan bound)
    {
        if (HasEnded) return false;
        try
        {
            schedule ??= Schedule(bound).GetEnumerator();
            Entry asked = Log.Add("ask", name, "");
            asked.Calls = Calls;
            asked.Handle = handle.Value;
            bool more = schedule.MoveNext();
            asked.End = Stopwatch.GetTimestamp();
            Asked = more ? schedule.Current : 0;
            asked.Number = Asked;
            asked.At = more ? "step" : "end";
            if (more) return true;
            schedule.Dispose();
        }
        catch (Exception exception)
        {
            Log.Failed(name, "schedule", exception);
        }
        HasEnded = true;
        return false;
    }

    /// <summary>Ends the drive from outside.</summary>
    public void Stop() => HasEnded = true;
}
