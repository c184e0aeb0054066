// What     The samples of one way of waiting: methods, pending ones, the floor; and what lies between publication and activation.
// What not Computes no figure.

using System.Collections.Generic;
using System.Diagnostics;

namespace TierUp.Bench.Signals.Children;

internal sealed class WakeFigures
{
    /// <summary>A blocking wait spins up to 0.3 ms before it sleeps, and can't say when it does.</summary>
    internal static readonly long MostSpinning = Stopwatch.Frequency * 3 / 10_000;

    private readonly WakeSamples _methods = new();
    private readonly WakeSamples _pending = new();
    private readonly WakeSamples _floor = new();
    private readonly WakeSamples _activations = new();

    /// <summary>The event is the load; the runtime switches the entry point after it, and ends a batch of one method after that.</summary>
    internal void AddMethod(in Wake wake, long batchEndedAt)
    {
        _methods.Add(wake);
        if (wake.IsUsable && batchEndedAt > wake.EventAt)
        {
            _activations.AddTicks(batchEndedAt - wake.EventAt);
        }
    }

    internal void AddPending(in Wake wake)
    {
        _pending.Add(wake);
    }

    internal void AddFloor(long ticks)
    {
        _floor.AddTicks(ticks);
    }

    internal Dictionary<string, double[]> Take()
    {
        return new()
        {
            ["method_us"] = _methods.Take("waits for a method"),
            ["pending_us"] = _pending.Take("waits for pending compilations"),
            ["floor_us"] = _floor.Take("floor"),
            ["activation_us"] = _activations.Take("activations"),
        };
    }
}
