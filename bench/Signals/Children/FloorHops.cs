// What     The floor: a thread that has worked as long as a compile takes wakes a sleeping one (a futex hop); that one queues a work item
//          (a pool hop).
// What not Nothing of the library, no event, no look at memory.
// Threads  The worker and the messenger are threads of its own; a hop is asked for by one thread at a time.
// Failure  None.

using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace TierUp.Bench.Signals.Children;

internal sealed class FloorHops : IThreadPoolWorkItem
{
    /// <summary>The runtime's worker doesn't sleep at once behind an event either: it switches the entry point, 4 to 12 µs.</summary>
    private static readonly long s_afterwards = Stopwatch.Frequency / 125_000;

    private readonly Futex _request = new();
    private readonly Futex _messenger = new();
    private readonly Futex _caller = new();
    private readonly long _workTicks;
    private volatile Futex? _sleeper;
    private long _wokeAt;
    private TaskCompletionSource _hop = new();

    /// <summary>As long as a compile of the subjects beside it: a processor that has just been working wakes others faster.</summary>
    internal FloorHops(double workSeconds)
    {
        _workTicks = (long)(workSeconds * Stopwatch.Frequency);
        new Thread(Work) { IsBackground = true, Name = "floor worker" }.Start();
        new Thread(CarryOn) { IsBackground = true, Name = "floor messenger" }.Start();
    }

    /// <summary>A futex hop: from the wake to this thread running again, in ticks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    internal long Block()
    {
        int seen = _caller.Wakes;
        _sleeper = _caller;
        _request.Wake();
        _caller.Wait(seen);
        return Stopwatch.GetTimestamp() - Volatile.Read(ref _wokeAt);
    }

    /// <summary>A futex hop and a pool hop: from the wake to the continuation running, in ticks.</summary>
    internal async Task<long> HopAsync()
    {
        _hop = new TaskCompletionSource();
        _sleeper = _messenger;
        _request.Wake();
        await _hop.Task.ConfigureAwait(false);
        return Stopwatch.GetTimestamp() - Volatile.Read(ref _wokeAt);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    void IThreadPoolWorkItem.Execute()
    {
        _hop.SetResult(); // runs the continuation here
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Work()
    {
        int seen = 0;
        while (true)
        {
            _request.Wait(seen);
            seen = _request.Wakes;
            long began = Stopwatch.GetTimestamp();
            while (Stopwatch.GetTimestamp() - began < _workTicks)
            {
            }

            Futex sleeper = _sleeper!;
            Volatile.Write(ref _wokeAt, Stopwatch.GetTimestamp());
            sleeper.Wake();
            began = Stopwatch.GetTimestamp();
            while (Stopwatch.GetTimestamp() - began < s_afterwards)
            {
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void CarryOn()
    {
        int seen = 0;
        while (true)
        {
            _messenger.Wait(seen);
            seen = _messenger.Wakes;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
