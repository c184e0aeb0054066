// What     The process ends while waits of every kind are pending: the main program returns, or another thread ends it, or an exception does.
// What not Nothing is waited for; the log says that the waits were pending.
// Threads  Background threads that block, pool threads, one that ends the process.
// Failure  A wrong exit code or a hang: the driver program sees both.
using System;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Matrix;

internal static class Ending
{
    private const int Waits = 50;
    private static readonly Task[] pending = new Task[Waits + 4];
    private static int blocked;

    /// <summary>What Main returns.</summary>
    public static int ExitCode { get; private set; }

    public static void Run()
    {
        FreshMethods methods = new("ending", Waits + 2);
        TieringEventStream stream = TieringEventStream.Open();
        foreach (int i in new[] { 0, 1 }) Block(() => TieredCompilation.WaitForFinalCompilation(methods.Handles[Waits + i], Timeout.InfiniteTimeSpan));
        // The long delay that the driver program sets holds all of these.
        for (int i = 0; i < Waits + 2; i++) FreshMethods.Call(methods.Entries[i], 1);
        Block(() => TieredCompilation.WaitForTieredCompilationActive(Timeout.InfiniteTimeSpan));
        for (int i = 0; i < Waits; i++) pending[i] = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(methods.Handles[i], CancellationToken.None).AsTask();
        pending[Waits] = TieredCompilation.WaitForTieredCompilationActive().AsTask();
        pending[Waits + 1] = TieredCompilation.WaitForPendingCompilations().AsTask();
        pending[Waits + 2] = Follow(stream);
        pending[Waits + 3] = stream.WaitToReadAsync().AsTask().ContinueWith(static _ => Thread.Sleep(Timeout.Infinite), TaskScheduler.Default);
        SpinWait.SpinUntil(static () => Volatile.Read(ref blocked) == 3);
        int alive = 0;
        foreach (Task task in pending) if (!task.IsCompleted) alive++;
        Log.Say("", "pending", "", alive);
        switch (Options.Exit)
        {
            case "return":
                ExitCode = 41;
                return;
            case "environment":
                Log.Print(Console.Out);
                new Thread(static () => Environment.Exit(42)) { IsBackground = true }.Start();
                // The main thread waits in native code while the process ends.
                TieredCompilation.WaitForFinalCompilation(methods.Handles[Waits], Timeout.InfiniteTimeSpan);
                Thread.Sleep(Timeout.Infinite);
                return;
            default:
                Log.Print(Console.Out);
                Thread thread = new(static () => throw new InvalidOperationException("on purpose"));
                thread.Start();
                thread.Join();
                return;
        }
    }

    private static void Block(Action wait)
    {
        new Thread(() =>
        {
            Interlocked.Increment(ref blocked);
            wait();
        }) { IsBackground = true }.Start();
    }

    private static async Task Follow(TieringEventStream stream)
    {
        TieringEventStream other = TieringEventStream.Open(new() { IncludeNames = true });
        await foreach (TieringEvent told in other.ReadAllAsync()) _ = told.ToString();
        GC.KeepAlive(stream);
    }
}
