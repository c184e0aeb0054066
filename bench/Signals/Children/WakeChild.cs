// What     From an event to the waiter running: for one method's promotion (its load event) and for the end of all pending ones (the
//          batch's end), awaited or blocking, each in turn with the floor's hops.
// What not The spinning that ends short waits: these compiles are long.
// Threads  The awaiting way goes on on pool threads; the blocking one stays on the thread that runs the child.

using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using TierUp.Bench.Core.Children;

namespace TierUp.Bench.Signals.Children;

internal static class WakeChild
{
    /// <summary>Two samples each. The bench's own state machines reach their last tier within the warm-ups.</summary>
    private const int Subjects = 110;
    private const int WarmUps = 45;

    internal static async Task<Dictionary<string, double[]>> RunAsyncWaitsAsync()
    {
        using Recorder recorder = new();
        FloorHops floor = new(WakeSubjects.CompileSeconds);
        Subject[] methods = WakeSubjects.Prepare("WarmUp", WarmUps);
        Subject[] pending = WakeSubjects.Prepare("WarmUpPending", WarmUps);
        await AwaitAllAsync(methods, pending, recorder, floor).ConfigureAwait(false);
        methods = WakeSubjects.Prepare("Awaited", Subjects);
        pending = WakeSubjects.Prepare("AwaitedPending", Subjects);
        Quiet.Wait();
        return await AwaitAllAsync(methods, pending, recorder, floor).ConfigureAwait(false);
    }

    internal static Dictionary<string, double[]> RunBlockingWaits()
    {
        using Recorder recorder = new();
        FloorHops floor = new(WakeSubjects.CompileSeconds);
        BlockOnAll(WakeSubjects.Prepare("WarmUp", WarmUps), WakeSubjects.Prepare("WarmUpPending", WarmUps), recorder, floor);
        Subject[] methods = WakeSubjects.Prepare("Blocked", Subjects);
        Subject[] pending = WakeSubjects.Prepare("BlockedPending", Subjects);
        Quiet.Wait();
        return BlockOnAll(methods, pending, recorder, floor);
    }

    private static async Task<Dictionary<string, double[]>> AwaitAllAsync(
        Subject[] methods, Subject[] pending, Recorder recorder, FloorHops floor)
    {
        WakeFigures figures = new();
        for (int i = 0; i < methods.Length; i++)
        {
            for (int promotion = 0; promotion < WakeSubjects.Promotions; promotion++)
            {
                figures.AddMethod(await AwaitMethodAsync(methods[i], recorder).ConfigureAwait(false), recorder.LastBatchEnd);
                figures.AddFloor(await floor.HopAsync().ConfigureAwait(false));
                figures.AddPending(await AwaitPendingAsync(pending[i], recorder).ConfigureAwait(false));
                figures.AddFloor(await floor.HopAsync().ConfigureAwait(false));
            }
        }

        return figures.Take();
    }

    private static async Task<Wake> AwaitMethodAsync(Subject subject, Recorder recorder)
    {
        recorder.Forget();
        Calls.Make(subject, WakeSubjects.Threshold);
        ValueTask wait = RuntimeHelpers.WaitForFinalCompilationOrCallCountingReadyAsync(subject.Handle);
        long asleepAt = wait.IsCompleted ? 0 : Stopwatch.GetTimestamp();
        await wait.ConfigureAwait(false);
        long ranAt = Stopwatch.GetTimestamp();
        return new Wake(asleepAt, recorder.LastPublication(subject.Handle.Value), ranAt);
    }

    private static async Task<Wake> AwaitPendingAsync(Subject subject, Recorder recorder)
    {
        recorder.Forget();
        Calls.Make(subject, WakeSubjects.Threshold);
        ValueTask wait = RuntimeHelpers.WaitForPendingCompilations();
        long asleepAt = wait.IsCompleted ? 0 : Stopwatch.GetTimestamp();
        await wait.ConfigureAwait(false);
        long ranAt = Stopwatch.GetTimestamp();
        recorder.LastPublication(0);
        return new Wake(asleepAt, recorder.LastBatchEnd, ranAt);
    }

    private static Dictionary<string, double[]> BlockOnAll(Subject[] methods, Subject[] pending, Recorder recorder, FloorHops floor)
    {
        WakeFigures figures = new();
        for (int i = 0; i < methods.Length; i++)
        {
            for (int promotion = 0; promotion < WakeSubjects.Promotions; promotion++)
            {
                figures.AddMethod(BlockOnMethod(methods[i], recorder), recorder.LastBatchEnd);
                figures.AddFloor(floor.Block());
                figures.AddPending(BlockOnPending(pending[i], recorder));
                figures.AddFloor(floor.Block());
            }
        }

        return figures.Take();
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static Wake BlockOnMethod(Subject subject, Recorder recorder)
    {
        recorder.Forget();
        Calls.Make(subject, WakeSubjects.Threshold);
        long beganAt = Stopwatch.GetTimestamp();
        bool isDone = TieredCompilation.WaitForFinalCompilationOrCallCountingReady(subject.Handle, WakeSubjects.Limit);
        long ranAt = Stopwatch.GetTimestamp();
        return new Wake(isDone ? beganAt + WakeFigures.MostSpinning : 0, recorder.LastPublication(subject.Handle.Value), ranAt);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static Wake BlockOnPending(Subject subject, Recorder recorder)
    {
        recorder.Forget();
        Calls.Make(subject, WakeSubjects.Threshold);
        long beganAt = Stopwatch.GetTimestamp();
        bool isDone = TieredCompilation.WaitForPendingCompilations(WakeSubjects.Limit);
        long ranAt = Stopwatch.GetTimestamp();
        recorder.LastPublication(0);
        return new Wake(isDone ? beganAt + WakeFigures.MostSpinning : 0, recorder.LastBatchEnd, ranAt);
    }
}
