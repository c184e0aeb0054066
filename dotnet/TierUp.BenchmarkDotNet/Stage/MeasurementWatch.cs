// What     Sees what is compiled while actual iterations run: a stream with names, open while BenchmarkDotNet runs the benchmark, held against the
//          iterations' own spans of time.
// What not Touches no measured code and adds nothing within the measured span: the spans come from the iteration's set-up and clean-up.
// Threads  The engine's.
// Failure  No signals: the runtime's count of compiled methods at the spans' ends instead, without names.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime;
using System.Runtime.CompilerServices;

namespace TierUp.BenchmarkDotNet.Stage;

internal sealed class MeasurementWatch
{
    private const int MostSpans = 4096;
    private const int MostNames = 16;

    /// <summary>The longest that all pauses of a run take together.</summary>
    private const double AllPausesMilliseconds = 1000;

    private readonly long[] _begins = new long[MostSpans], _ends = new long[MostSpans];
    private readonly bool[] _isUnfinished = new bool[MostSpans];
    private TieringEventStream? _stream;
    private bool _isOpen, _canPause = true;
    private int _count, _ownNames;
    private long _compiledAtBegin;
    private int _compiledCounted;

    /// <summary>Every actual iteration so far; those beyond the table's end are seen as one.</summary>
    internal int Iterations { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal int Compiled { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal int CompiledOfHarness { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal int CompiledOfLibraries { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal int Unfinished { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    internal List<string> Names { [MethodImpl(Untiered.Code)] get; } = new List<string>();

    /// <summary>Opens the stream, long before the first span: that it wants names makes the runtime call code of its own for the first time.</summary>
    [MethodImpl(Untiered.Code)]
    internal void Open()
    {
        _stream = Streams.TryOpen(new TieringEventsOptions { IncludeNames = true });
    }

    /// <summary>From here on spans are noted; what was compiled before is forgotten.</summary>
    [MethodImpl(Untiered.Code)]
    internal void Begin()
    {
        while (_stream is not null && _stream.TryRead(out _))
        {
        }

        _isOpen = true;
    }

    /// <summary>The time of all pauses together.</summary>
    internal double PausedMilliseconds { [MethodImpl(Untiered.Code)] get; [MethodImpl(Untiered.Code)] private set; }

    /// <summary>
    /// What was called between two iterations may have been queued (BenchmarkDotNet's own code has its thirtieth call there): it is compiled
    /// before the next one begins, not in it. Returns at once where nothing is pending.
    /// </summary>
    [MethodImpl(Untiered.Code)]
    internal void LetQueueEmpty()
    {
        if (!_isOpen || !_canPause || PausedMilliseconds >= AllPausesMilliseconds)
        {
            return;
        }

        long begin = Stopwatch.GetTimestamp();
        try
        {
            _ = TieredCompilation.WaitForPendingCompilations(TimeSpan.FromMilliseconds(AllPausesMilliseconds - PausedMilliseconds));
        }
        catch (TieringStateUnknownException)
        {
            _canPause = false;
        }

        PausedMilliseconds += Clock.MillisecondsSince(begin);
    }

    [MethodImpl(Untiered.Code)]
    internal void IterationBegins()
    {
        if (!_isOpen)
        {
            return;
        }

        if (_count < MostSpans)
        {
            _begins[_count] = Stopwatch.GetTimestamp();
        }

        if (_stream is null)
        {
            _compiledAtBegin = JitInfo.GetCompiledMethodCount(currentThread: false);
        }
    }

    [MethodImpl(Untiered.Code)]
    internal void IterationEnded()
    {
        if (!_isOpen)
        {
            return;
        }

        long now = Stopwatch.GetTimestamp();
        if (_stream is null)
        {
            _compiledCounted += (int)(JitInfo.GetCompiledMethodCount(currentThread: false) - _compiledAtBegin);
        }

        Iterations++;
        _ends[Math.Min(_count, MostSpans - 1)] = now;
        _count = Math.Min(_count + 1, MostSpans);
    }

    /// <summary>Ends the watch and makes up its figures.</summary>
    /// <param name="wasFinal">Whether the benchmark's code was final when it began.</param>
    /// <param name="isFinal">Whether it is now.</param>
    /// <param name="descriptor">The method whose tier-1 code would end an unfinished time.</param>
    [MethodImpl(Untiered.Code)]
    internal void Close(bool wasFinal, bool isFinal, nint descriptor)
    {
        _isOpen = false;
        long finishedAt = wasFinal ? 0 : long.MaxValue;
        if (_stream is not null)
        {
            Harness harness = new();
            while (_stream.TryRead(out TieringEvent one))
            {
                if (one.Kind != TieringEventKind.Published)
                {
                    continue;
                }

                if (isFinal && !wasFinal && one.MethodDescriptor == descriptor && one.Tier is CompilationTier.Tier1 or CompilationTier.Optimized)
                {
                    finishedAt = one.Timestamp;
                }

                Count(one, harness);
            }
        }
        else
        {
            Compiled = _compiledCounted;
        }

        for (int i = 0; i < _count; i++)
        {
            Unfinished += _isUnfinished[i] || _begins[i] < finishedAt ? 1 : 0;
        }

        Unfinished = !isFinal ? Iterations : Unfinished;
        _stream?.Dispose();
        _stream = null;
    }

    [MethodImpl(Untiered.Code)]
    private void Count(in TieringEvent published, Harness harness)
    {
        long at = published.Timestamp;
        for (int i = 0; i < _count; i++)
        {
            if (at < _begins[i] || at > _ends[i])
            {
                continue;
            }

            Compiled++;
            Owner owner = harness.OwnerOf(published.MethodNamespace);
            if (owner == Owner.Harness)
            {
                CompiledOfHarness++;
                return;
            }

            string name = string.Concat(published.MethodNamespace ?? "?", ".", published.MethodName ?? "?");
            if (owner == Owner.Library)
            {
                CompiledOfLibraries++;
                Names.Add(name);
            }
            else
            {
                _isUnfinished[i] = true;
                Names.Insert(_ownNames++, name);
            }

            if (Names.Count > MostNames)
            {
                Names.RemoveAt(MostNames);
                _ownNames = Math.Min(_ownNames, MostNames);
            }

            return;
        }
    }
}
