// What     Thousands of asynchronous waits at once, on distinct methods as far as the data access library is quick enough, half of them cancelled at
//          random, while a thread collects garbage all the time; then the same for a promotion of each. Each end is held against the entry point.
// What not DOTNET_GCStress does not exist in release builds of the runtime: the collecting thread stands in for it.
// Threads  Pool threads, one that collects, two that cancel.
// Failure  A wait that ends too early, with another result, or not at all is counted and told.
using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Crowd
{
    /// <summary>Between two fresh calls that keep the delay going; short against the delay that the driver program sets.</summary>
    private const long KeepEveryMs = 20;

    private const int Keepers = 5000;

    private static readonly TimeSpan bound = TimeSpan.FromSeconds(40);
    private static FreshMethods methods = null!, keepers = null!;
    private static nint[] codes = null!;
    private static volatile bool isOver;
    private static long collections, keptAt;

    public static void Run()
    {
        int count = Options.Methods;
        methods = new("crowd", count);
        keepers = new("keepers", Keepers);
        codes = new nint[count];
        // Known to TierUp before: each takes a query.
        for (int i = 0; i < count; i++) TieredCompilation.GetMethodCompilationStatus(methods.Handles[i]);
        Thread collector = new(Collect);
        collector.Start();

        for (int i = 0; i < count; i++) FreshMethods.Call(methods.Entries[i], 1);
        Known();
        Round("delay", static (now, _) => now is { Kind: EntryKind.Counting, Stage: 1 });

        // The delay is kept going again: counting goes on in it, promotions wait for its end.
        Keep();
        for (int i = 0; i < count; i++)
        {
            EntryPoint now = EntryPoint.Read(methods.Entries[i]);
            codes[i] = now.Code;
            FreshMethods.Call(methods.Entries[i], now.Remaining);
            Keep();
        }
        Known();
        Round("promotion", static (now, before) => now.Code != before);

        isOver = true;
        collector.Join();
        Log.Say("", "collections", "", collections);
        // The last to end leave their places behind their callbacks.
        SpinWait.SpinUntil(static () => NativeFigures.ReadStatistics().WaitsPending == 0, bound);
        Log.Say("", "waits pending", "", (long)NativeFigures.ReadStatistics().WaitsPending);
    }

    /// <summary>What TierUp has to ask the data access library for is asked now, so that the waits begin fast.</summary>
    private static void Known()
    {
        for (int i = 0; i < methods.Entries.Length; i++)
        {
            TieredCompilation.GetMethodCompilationStatus(methods.Handles[i]);
            Keep();
        }
    }

    private static void Keep()
    {
        if (Stopwatch.GetElapsedTime(keptAt).TotalMilliseconds < KeepEveryMs) return;
        keptAt = Stopwatch.GetTimestamp();
        FreshMethods.Call(keepers.Entries[keepers.Take(1)], 1);
    }

    private static void Round(string row, Func<EntryPoint, nint, bool> isDone)
    {
        CancellationTokenSource?[] sources = new CancellationTokenSource?[Options.Waits];
        Task<string>[] waits = new Task<string>[Options.Waits];
        Random random = new(7);
        int pending = 0, cancellable = 0;
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Options.Waits; i++)
        {
            if (random.Next(2) == 0)
            {
                sources[i] = new();
                cancellable++;
            }
            waits[i] = Watch(i % methods.Entries.Length, sources[i]?.Token ?? default, isDone);
            Keep();
        }
        foreach (Task<string> wait in waits) if (!wait.IsCompleted) pending++;
        Log.Say(row, "begun ms", "", (long)Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        Log.Say(row, "pending", "", pending);
        Thread[] cancellers = [new(() => Cancel(sources, 0)), new(() => Cancel(sources, 1))];
        foreach (Thread thread in cancellers) thread.Start();
        foreach (Thread thread in cancellers) thread.Join();
        bool ended = Task.WhenAll(waits).Wait(bound);
        Log.Say(row, "ended", ended.ToString(), (long)Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        int done = 0, cancelled = 0, other = 0;
        for (int i = 0; i < Options.Waits; i++)
        {
            string result = waits[i].IsCompleted ? waits[i].Result : "never ended";
            if (result == "done") done++;
            else if (result == "cancelled" && sources[i] is not null) cancelled++;
            else if (other++ < 10) Log.Say(row, "wrong", $"wait {i}: {result}");
        }
        Log.Say(row, "done", "", done);
        Log.Say(row, "cancelled", "", cancelled);
        Log.Say(row, "wrong count", "", other);
        Log.Say(row, "cancellable", "", cancellable);
    }

    private static async Task<string> Watch(int index, CancellationToken token, Func<EntryPoint, nint, bool> isDone)
    {
        try
        {
            await TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(methods.Handles[index], token).ConfigureAwait(false);
            EntryPoint now = EntryPoint.Read(methods.Entries[index]);
            return isDone(now, codes[index]) ? "done" : $"ended at {now.Kind} {now.Code:x} remaining {now.Remaining} stage {now.Stage}";
        }
        catch (OperationCanceledException exception)
        {
            return exception.CancellationToken == token ? "cancelled" : "cancelled by another token";
        }
        catch (Exception exception)
        {
            return exception.ToString();
        }
    }

    private static void Cancel(CancellationTokenSource?[] sources, int odd)
    {
        // Not in the order in which they began.
        for (int i = 0; i < sources.Length; i++)
        {
            int index = (int)((long)i * 7919 % sources.Length);
            if (index % 2 == odd) sources[index]?.Cancel();
        }
    }

    private static void Collect()
    {
        object?[] garbage = new object?[1000];
        while (!isOver)
        {
            for (int i = 0; i < garbage.Length; i++) garbage[i] = new byte[i % 200];
            GC.Collect(collections % 16 == 0 ? 2 : 0, GCCollectionMode.Forced, blocking: true);
            collections++;
            Thread.Sleep(1);
        }
    }
}
