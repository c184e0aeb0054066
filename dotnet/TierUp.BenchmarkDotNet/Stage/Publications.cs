// What     Tells whether anything was compiled since it was last asked, and whether some of it is not final yet: by the runtime's own events, or, where
//          signals are off, by the runtime's count of compiled methods.
// What not No look at how many calls are still to come.
// Threads  The engine's.
// Failure  Without signals delays can't be told; the waits have seen to them.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class Publications : IDisposable
{
    private readonly TieringEventStream? _stream;
    private readonly HashSet<nint> _unfinished = new HashSet<nint>(), _ofBenchmark = new HashSet<nint>();
    private nint _module;
    private long _compiledBefore;

    [MethodImpl(Untiered.Code)]
    internal Publications(IReadOnlyList<MethodBase> ofBenchmark)
    {
        foreach (MethodBase method in ofBenchmark)
        {
            _ofBenchmark.Add(method.MethodHandle.Value);
        }

        _compiledBefore = JitInfo.GetCompiledMethodCount(currentThread: false);
        _stream = Streams.TryOpen(null);
    }

    /// <summary>Something of the benchmark's own module that was called for the first time is at a lower tier still. False where that can't be told.</summary>
    internal bool HasUnfinished
    {
        [MethodImpl(Untiered.Code)]
        get { return _unfinished.Count > 0; }
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

        int published = 0;
        while (_stream.TryRead(out TieringEvent one))
        {
            delayBegan |= one.Kind == TieringEventKind.DelayBegan;
            if (one.Kind == TieringEventKind.Published)
            {
                published++;
                Note(one);
            }
        }

        return published;
    }

    [MethodImpl(Untiered.Code)]
    private void Note(in TieringEvent published)
    {
        if (_ofBenchmark.Contains(published.MethodDescriptor))
        {
            _module = published.Module;
        }

        if (published.Tier is CompilationTier.Tier0 or CompilationTier.Tier0Instrumented)
        {
            if (published.Module == _module)
            {
                _unfinished.Add(published.MethodDescriptor);
            }
        }
        else if (published.Tier != CompilationTier.Tier1Osr)
        {
            // On-stack replacement is of one running call; the method's own code stays what it was.
            _unfinished.Remove(published.MethodDescriptor);
        }
    }
}
