// What     The process-wide members, one after the other, each answer held against the methods' own entry points. What must be the same whatever wakes
//          the waits (signals, polling, start-up load, no diagnostics) is a "verdict" line; the driver program compares them line by line.
// What not Load: that is in Differential and Flood.
// Threads  The caller's; the awaited ones go on on pool threads.
// Failure  A member that throws is a verdict with the exception's name, which differs.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class ProcessWide
{
    private const int Held = 120, Burst = 300, Silent = 3000;
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(20);
    private static FreshMethods methods = null!;

    public static void Run()
    {
        using RuntimeListener? listener = Options.Listens ? new() : null;
        methods = new("process", 2 * Held + 2 * Burst + Silent + 1000 + (Options.Wakes ? Wakes.Methods : 0));
        Verdict("active, first of all", () => TieredCompilation.WaitForTieredCompilationActive(bound).ToString());
        Verdict("idle, first of all", () => TieredCompilation.WaitForPendingCompilations(bound).ToString());
        Verdict("count comes to 0", () => SpinWait.SpinUntil(static () => TieredCompilation.PendingTieredCompilationCount == 0, bound).ToString());
        Again();
        Calibrated.Run(methods);
        Verdict("held methods count when active", () => Active(Held, () => TieredCompilation.WaitForTieredCompilationActive(bound)));
        Verdict("held methods count when active, awaited", () => Active(Held, static () => TieredCompilation.WaitForTieredCompilationActive().AsTask().Wait(bound)));
        Verdict("burst is promoted when idle", () => Promote(Burst, () => TieredCompilation.WaitForPendingCompilations(bound), "burst"));
        Verdict("burst is promoted when idle, awaited", () => Promote(Burst, static () => TieredCompilation.WaitForPendingCompilations().AsTask().Wait(bound), ""));
        Verdict("time-out of zero", TimeOut);
        Verdict("cancelled", Cancelled);
        Verdict("cancelled before", CancelledBefore);
        Verdict("schedule", Schedule);
        Verdict("nobody waits, no method events", Silence);
        Verdict("list is empty when idle", () => SpinWait.SpinUntil(static () => TieredCompilation.WaitForPendingCompilations(bound) && TieredCompilation.GetPendingCompilations().Count == 0, bound).ToString());
        Streams.Run(methods);
        if (Options.Wakes) Wakes.Run(methods);
        if (listener is not null) Log.Say("listener", "loads", "", listener.Loads);
    }

    /// <summary>Nothing is new to TierUp any more: what is over at once shows.</summary>
    private static void Again()
    {
        long start = Stopwatch.GetTimestamp();
        bool active = TieredCompilation.WaitForTieredCompilationActive().IsCompletedSuccessfully, idle = TieredCompilation.WaitForPendingCompilations().IsCompletedSuccessfully;
        Log.Say("again", "completed", $"{active} {idle}", (long)Stopwatch.GetElapsedTime(start).TotalMicroseconds);
    }

    private static void Verdict(string at, Func<string> ask)
    {
        string text;
        long start = Stopwatch.GetTimestamp();
        try { text = ask(); }
        catch (Exception exception) { text = (exception is AggregateException { InnerException: { } inner } ? inner : exception).ToString(); }
        Log.Say("verdict", at, text, (long)Stopwatch.GetElapsedTime(start).TotalMicroseconds);
    }

    /// <summary>How many of fresh methods that were called once count their calls (or need no delay) when the wait has ended.</summary>
    private static string Active(int count, Func<bool> wait)
    {
        int from = methods.Take(count), ready = 0;
        for (int i = from; i < from + count; i++) FreshMethods.Call(methods.Entries[i], 1);
        if (!wait()) return "no end";
        for (int i = from; i < from + count; i++) if (EntryPoint.Read(methods.Entries[i]) is { Kind: EntryKind.Counting, Stage: 1 } or { Kind: EntryKind.Prestub }) ready++;
        return Of(ready, count);
    }

    /// <summary>Takes fresh methods over their first threshold together; how many run other code when the wait has ended.</summary>
    private static string Promote(int count, Func<bool> wait, string told)
    {
        int from = methods.Take(count), promoted = 0;
        for (int i = from; i < from + count; i++) FreshMethods.Call(methods.Entries[i], 1);
        if (Options.IsFlat)
        {
            if (told.Length > 0) Pending.Tell(told, static () => { });
            return wait().ToString();
        }
        nint heavy = told.Length > 0 ? HeavyMethod.Make() : 0;
        if (heavy != 0) FreshMethods.Call(heavy, 1);
        // Own look: until the stubs are in, or the next call installs them.
        if (!SpinWait.SpinUntil(() => !IsHeld(methods.Entries[from + count - 1]) && !IsHeld(methods.Entries[from]), bound)) return "never counted";
        // A delay that is active holds the worker back, not the counting: what is listed then is all of the burst. Without one it has the heavy method first.
        int slot = methods.Take(1);
        if (told.Length > 0) FreshMethods.Call(methods.Entries[slot], 1);
        if (heavy != 0) Exhaust(heavy);
        nint[] codes = new nint[count];
        for (int i = 0; i < count; i++) codes[i] = Exhaust(methods.Entries[from + i]);
        if (told.Length > 0)
        {
            Pending.Tell(told, () => Log.Mark(told, "still held", IsHeld(methods.Entries[slot]) ? count : 0));
        }
        if (!wait()) return "no end";
        for (int i = 0; i < count; i++) if (EntryPoint.Read(methods.Entries[from + i]).Code != codes[i]) promoted++;
        return Of(promoted, count);
    }

    private static bool IsHeld(nint entry) => EntryPoint.Read(entry) is { Kind: EntryKind.Code };

    /// <summary>Calls a method until its threshold is reached; the code it had.</summary>
    internal static nint Exhaust(nint entry)
    {
        EntryPoint now = EntryPoint.Read(entry);
        // With a delay of 0 the first call leaves the prestub in place, the second installs the counting stub.
        for (int call = 0; call < 2 && now.Kind == EntryKind.Prestub; call++)
        {
            FreshMethods.Call(entry, 1);
            now = EntryPoint.Read(entry);
        }
        if (now is { Kind: EntryKind.Counting, Stage: 1 }) FreshMethods.Call(entry, now.Remaining);
        return now.Code;
    }

    /// <summary>A time of zero can't outlast a delay that is active: it is, if a method is still held when the wait is over.</summary>
    private static string TimeOut()
    {
        int slot = methods.Take(1);
        FreshMethods.Call(methods.Entries[slot], 1);
        bool ended = TieredCompilation.WaitForTieredCompilationActive(TimeSpan.Zero);
        return ended && IsHeld(methods.Entries[slot]) ? "ended in the delay" : "right";
    }

    private static string Cancelled()
    {
        using CancellationTokenSource source = new();
        int slot = methods.Take(1);
        FreshMethods.Call(methods.Entries[slot], 1);
        Task wait = TieredCompilation.WaitForTieredCompilationActive(source.Token).AsTask();
        bool wasOver = wait.IsCompleted;
        source.Cancel();
        try
        {
            wait.WaitAsync(bound).GetAwaiter().GetResult();
            // Over before it was cancelled: right if the delay is over, or there is none.
            return wasOver || !IsHeld(methods.Entries[slot]) ? "right" : "ended in the delay";
        }
        catch (OperationCanceledException exception)
        {
            return exception.CancellationToken == source.Token ? "right" : "cancelled by another token";
        }
    }

    private static string CancelledBefore()
    {
        using CancellationTokenSource source = new();
        source.Cancel();
        return TieredCompilation.WaitForPendingCompilations(source.Token).IsCanceled ? "cancelled" : "not cancelled";
    }

    private static string Schedule()
    {
        int slot = methods.Take(1);
        List<int> steps = [];
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(methods.Handles[slot], bound))
        {
            steps.Add(calls);
            FreshMethods.Call(methods.Entries[slot], calls);
        }
        return string.Join(' ', steps) + " " + TieredCompilation.GetMethodCompilationStatus(methods.Handles[slot]);
    }

    /// <summary>Thousands of compilations while nobody waits: the marks let the driver program see in the trace that they happened.</summary>
    private static string Silence()
    {
        TieredCompilation.WaitForPendingCompilations(bound);
        // The library's thread serves the last wait a little longer, and switches the events on for it if it was late.
        if (!SpinWait.SpinUntil(static () => NativeFigures.ReadStatistics().DispatcherRunning == 0 && NativeFigures.ReadSignals().MethodEventsOn == 0, bound)) return "method events stay on";
        // The session is off when a compilation does not show; one that was under way may still have been told.
        if (!SpinWait.SpinUntil(static () => IsUnseen(methods.Entries[methods.Take(1)]), bound)) return "method events stay on";
        NativeFigures.Signals before = NativeFigures.ReadSignals();
        int from = methods.Take(Silent);
        Log.Mark("silence", "begins");
        for (int i = from; i < from + Silent; i++) FreshMethods.Call(methods.Entries[i], 1);
        Log.Mark("silence", "ends");
        NativeFigures.Signals after = NativeFigures.ReadSignals();
        ulong received = after.MethodEventsReceived - before.MethodEventsReceived, sessions = after.SessionsStarted - before.SessionsStarted;
        return received == 0 && sessions == 0 ? "none" : $"{received} received, {sessions} sessions";
    }

    private static bool IsUnseen(nint entry)
    {
        ulong before = NativeFigures.ReadSignals().MethodEventsReceived;
        FreshMethods.Call(entry, 1);
        return NativeFigures.ReadSignals().MethodEventsReceived == before;
    }

    private static string Of(int some, int all) => some == all ? "all" : $"{some} of {all}";

    /// <summary>The framework's own listener to the runtime's method and tiering events.</summary>
    private sealed class RuntimeListener : EventListener
    {
        private long loads;

        public long Loads => Volatile.Read(ref loads);

        protected override void OnEventSourceCreated(EventSource source)
        {
            // Jit and Compilation (ClrEtwAll.man).
            if (source.Name == "Microsoft-Windows-DotNETRuntime") EnableEvents(source, EventLevel.Verbose, (EventKeywords)0x1000000010);
        }

        protected override void OnEventWritten(EventWrittenEventArgs e)
        {
            // 143 is MethodLoadVerbose.
            if (e.EventId == 143) Interlocked.Increment(ref loads);
        }
    }
}
