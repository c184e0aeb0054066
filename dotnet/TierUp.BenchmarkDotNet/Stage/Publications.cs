// What     Tells whether anything was compiled since it was last asked: by the runtime's own events, or, where signals are off, by the runtime's count of compiled methods.
// What not No names, and no look at what is still to come.
// Threads  The engine's.
// Failure  Without signals delays can't be told; the waits have seen to them.

using System;
using System.Runtime;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class Publications : IDisposable
{
    private readonly TieringEventStream? _stream;
    private readonly TieringEvent[] _events = new TieringEvent[64];
    private long _compiledBefore;

    [MethodImpl(Untiered.Code)]
    internal Publications()
    {
        _compiledBefore = JitInfo.GetCompiledMethodCount(currentThread: false);
        _stream = Streams.TryOpen(null);
    }

    [MethodImpl(Untiered.Code)]
    public void Dispose()
    {
        _stream?.Dispose();
    }

    /// <summary>How many methods were published since, and whether a call-counting delay began: then calls may not have counted.</summary>
    [MethodImpl(Untiered.Code)]
    internal int Take(out bool delayBegan)
    {
        delayBegan = false;
        if (_stream is null)
        {
            long now = JitInfo.GetCompiledMethodCount(currentThread: false), before = _compiledBefore;
            _compiledBefore = now;
            return (int)(now - before);
        }

        int published = 0, count;
        while ((count = _stream.Read(_events)) > 0)
        {
            for (int i = 0; i < count; i++)
            {
                published += _events[i].Kind == TieringEventKind.Published ? 1 : 0;
                delayBegan |= _events[i].Kind == TieringEventKind.DelayBegan;
            }
        }

        return published;
    }
}
