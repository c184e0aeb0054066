// What     A stream of the process's tiering events, opened by Open and read by one reader.
// What not Makes nothing of the events.
// Threads  One reader at a time; Dispose by any thread, also while the reader waits. A lock keeps reading and closing apart.
// Failure  NotSupportedException where there are no signals; ObjectDisposedException never: a closed stream has no events.
// Source   tierup_events_open, _read, _close in tierup.h.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Events;
using TierUp.Native;
using TierUp.Waiting;

namespace TierUp;

#pragma warning disable CA1711 // A stream of events, not of bytes.
/// <summary>
/// A stream of the process's tiering events: every one from when <see cref="Open"/> returned until <see cref="Dispose"/>, in order and without loss
/// (a bounded stream says where events found no room). Up to eight streams can be open in a process; the methods that are compiled while one is open cost a little more.
/// </summary>
public sealed class TieringEventStream : IDisposable, IAsyncDisposable
{
    private readonly object _gate = new object();
    private readonly EventBuffer _buffer = new EventBuffer();
    private readonly EventWait _wait;
    private bool _isClosed;

    [MethodImpl(Code.Untiered)]
    internal TieringEventStream(ulong number)
    {
        Number = number;
        _isClosed = number == 0;
        _wait = new EventWait(this);
    }

    /// <summary>Closes a stream that nobody reads any more.</summary>
    [MethodImpl(Code.Untiered)]
    ~TieringEventStream()
    {
        Close();
    }

    /// <summary>Gets the native library's number of the stream; 0 where there is no tiered compilation.</summary>
    internal ulong Number { [MethodImpl(Code.Untiered)] get; }

    /// <summary>
    /// Opens a stream. When it returns, every tiering event that happens afterwards will be in it; it blocks until the runtime delivers them, some 40 ms at most if signals are not
    /// attached yet (see <see cref="TieredCompilation.RequestSignals"/>), else some 50 µs.
    /// </summary>
    /// <param name="options">With names or without, bounded or not; null for neither.</param>
    /// <returns>The stream. Where there is no tiered compilation (NativeAOT, Mono) it is empty and closed.</returns>
    /// <exception cref="NotSupportedException">Signals are off or failed; the message says why and what to do.</exception>
    /// <exception cref="InvalidOperationException">Too many streams are open, or there is no memory for one more.</exception>
    /// <exception cref="TierUpNativeLibraryException">The native library was not found, or is too old; the message says what to do.</exception>
    /// <exception cref="PlatformNotSupportedException">There is no native library for this operating system and architecture.</exception>
    [MethodImpl(Code.Untiered)]
    public static TieringEventStream Open(TieringEventsOptions? options = null)
    {
        return EventStreamOpening.Open(options);
    }

    /// <summary>Takes the next event, if there is one. Never blocks.</summary>
    /// <param name="tieringEvent">The event.</param>
    /// <returns>False if there is none now; see <see cref="WaitToReadAsync(CancellationToken)"/>.</returns>
    [MethodImpl(Code.Untiered)]
    public bool TryRead(out TieringEvent tieringEvent)
    {
        lock (_gate)
        {
            if (FillLocked())
            {
                tieringEvent = _buffer.Take();
                return true;
            }
        }

        tieringEvent = default;
        return false;
    }

    /// <summary>Takes as many events as there are now and as fit. Never blocks.</summary>
    /// <param name="tieringEvents">Where they go.</param>
    /// <returns>How many were taken; 0 if there is none now.</returns>
    [MethodImpl(Code.Untiered)]
    public int Read(Span<TieringEvent> tieringEvents)
    {
        int count = 0;
        lock (_gate)
        {
            while (count < tieringEvents.Length && FillLocked())
            {
                tieringEvents[count++] = _buffer.Take();
            }
        }

        return count;
    }

    /// <summary>Waits until there is an event to read.</summary>
    /// <param name="cancellationToken">Ends the wait with an <see cref="OperationCanceledException"/>.</param>
    /// <returns>A task to await once: true when there is an event, false when the stream was disposed.</returns>
    /// <exception cref="InvalidOperationException">Another wait is pending.</exception>
    [MethodImpl(Code.Untiered)]
    public ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        return WaitToReadAsync(cancellationToken, default);
    }

    /// <summary>The same wait on the calling thread, which sleeps in native code.</summary>
    /// <param name="timeout">The longest time to wait; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</param>
    /// <returns>True when there is an event; false when the time ran out or the stream was disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not <see cref="Timeout.InfiniteTimeSpan"/>.</exception>
    [MethodImpl(Code.Untiered)]
    public bool WaitToRead(TimeSpan timeout)
    {
        WaitBudget budget = new WaitBudget(timeout, nameof(timeout));
        while (true)
        {
            if (HasEvent(out bool isClosed))
            {
                return true;
            }

            ulong left = budget.Left();
            if (isClosed || left == 0)
            {
                return false;
            }

            NativeStatus status = NativeFunctions.BlockOnWait((nint)Number, NativeCondition.UntilEvents, 0, left, out _);
            if (status is not (NativeStatus.Ok or NativeStatus.TimedOut or NativeStatus.Absent))
            {
                throw Runtime.Errors.Unexpected("wait for events", status);
            }
        }
    }

    /// <summary>The events from here on, until the stream is disposed. It takes them out of the stream: don't read by other members meanwhile.</summary>
    /// <param name="cancellationToken">Ends a pending step with an <see cref="OperationCanceledException"/>; the stream stays open.</param>
    /// <returns>The events.</returns>
    [MethodImpl(Code.Untiered)]
    public IAsyncEnumerable<TieringEvent> ReadAllAsync(CancellationToken cancellationToken = default)
    {
        return new TieringEventSequence(this, null, cancellationToken);
    }

    /// <summary>Ends the stream; events not read are dropped, and a reader that waits is told that there are none.</summary>
    [MethodImpl(Code.Untiered)]
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>As <see cref="Dispose"/>; it has nothing to wait for.</summary>
    /// <returns>A completed task.</returns>
    [MethodImpl(Code.Untiered)]
    public ValueTask DisposeAsync()
    {
        Close();
        GC.SuppressFinalize(this);
        return default;
    }

    [MethodImpl(Code.Untiered)]
    internal ValueTask<bool> WaitToReadAsync(CancellationToken firstToken, CancellationToken secondToken)
    {
        if (Number != 0)
        {
            Runtime.FirstUse.OfWaiting();
        }

        return _wait.Begin(firstToken, secondToken);
    }

    [MethodImpl(Code.Untiered)]
    internal bool HasEvent(out bool isClosed)
    {
        lock (_gate)
        {
            bool hasEvent = FillLocked();
            isClosed = _isClosed;
            return hasEvent;
        }
    }

    [MethodImpl(Code.Untiered)]
    private bool FillLocked()
    {
        if (_isClosed)
        {
            return false;
        }

        if (_buffer.HasEvent)
        {
            return true;
        }

        NativeStatus status = _buffer.Fill(Number);
        return status == NativeStatus.Ok ? _buffer.HasEvent : throw Runtime.Errors.Unexpected("read events", status);
    }

    [MethodImpl(Code.Untiered)]
    private void Close()
    {
        lock (_gate)
        {
            if (_isClosed)
            {
                return;
            }

            // Race:     the reader waits, or is about to, while the stream is closed.
            // Window:   from the reader's look into the stream to the native begin of its wait.
            // Harmless: closing ends a wait that has begun; one that begins later is told that there is no such stream, and looks again.
            // Test:     EventStreamTests.disposing_a_stream_ends_its_pending_wait
            _isClosed = true;
            SignalFunctions.CloseStream(Number);
            _buffer.Free();
        }
    }
}
