// What     Event streams against fake ones: order, names, waiting, closing.
// Source   tierup.h, "Event streams".

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using Xunit;

namespace TierUp.Tests;

public sealed class EventStreamTests : IDisposable
{
    private readonly FakeSignals _signals = new();
    private readonly FakeLibrary _library = new(() => Answers.Cold);
    private readonly FakeStreams _streams;

    public EventStreamTests()
    {
        FakeSignals.SetCount(0, isKnown: true);
        _streams = new FakeStreams();
    }

    public void Dispose()
    {
        _streams.Dispose();
        _library.Dispose();
        _signals.Dispose();
    }

    [Fact]
    public void an_event_has_what_the_library_said()
    {
        using TieringEventStream stream = TieringEventStream.Open(new TieringEventsOptions { IncludeNames = true });
        Assert.False(stream.TryRead(out _));
        FakeStreams.Push(
            new NativeEvent
            {
                Kind = 3, Tier = 7, Sequence = 1, TimeNs = 5_000, Method = 0x1000, Module = 0x2000, Code = 0x3000, Node = 0x4000, CodeBytes = 60,
                Token = 0x06000001, Thread = 42, Count = 8, Jitted = 9,
            },
            "Some.Type", "Method", "int32 (int32)");
        Assert.True(stream.TryRead(out TieringEvent published));
        Assert.Equal(TieringEventKind.Published, published.Kind);
        Assert.Equal(CompilationTier.Tier1, published.Tier);
        Assert.Equal(1, published.Sequence);
        Assert.Equal(5_000, published.TimestampNanoseconds);
        Assert.Equal(5_000, published.Timestamp / (Stopwatch.Frequency / 1e9));
        Assert.Equal([0x1000, 0x2000, 0x3000, 0x4000], [published.MethodDescriptor, published.Module, published.Code, published.VersionNode]);
        Assert.Equal([60, 0x06000001, 42, 8, 9], [published.CodeSize, published.MetadataToken, published.ThreadId, published.Count, published.JittedCount]);
        Assert.Equal(new[] { "Some.Type", "Method", "int32 (int32)" }, new[] { published.MethodNamespace, published.MethodName, published.MethodSignature });
        Assert.Equal("1: Published Some.Type.Method Tier1 at 0x3000, 60 bytes", published.ToString());
        Assert.False(stream.TryRead(out _));
    }

    [Fact]
    public void events_come_in_order_and_a_gap_stands_at_its_place()
    {
        using TieringEventStream stream = TieringEventStream.Open(new TieringEventsOptions { CapacityBytes = 4096 });
        Assert.Equal(4096u, FakeStreams.LastOptions.CapacityBytes);
        Assert.Equal(0u, FakeStreams.LastOptions.Names);
        FakeStreams.Push(new NativeEvent { Kind = 6, Sequence = 1 });
        FakeStreams.Push(new NativeEvent { Kind = 10, Sequence = 5, Count = 4, Flags = NativeEvent.CountIsAtLeastFlag });
        FakeStreams.Push(new NativeEvent { Kind = 9, Sequence = 6, Count = 1, Jitted = 2 });
        TieringEvent[] events = new TieringEvent[2];
        Assert.Equal(2, stream.Read(events));
        Assert.Equal("1: DelayBegan", events[0].ToString());
        Assert.Equal("5: Gap, count at least 4", events[1].ToString());
        Assert.Null(events[0].MethodName);
        Assert.Equal(1, stream.Read(events));
        Assert.Equal("6: BatchEnded, count 1, compiled 2", events[0].ToString());
        Assert.Equal(0, stream.Read(events));
    }

    [Fact]
    public void a_methods_further_events_share_its_texts_and_another_method_at_its_address_has_its_own()
    {
        using TieringEventStream stream = TieringEventStream.Open();
        FakeStreams.Push(new NativeEvent { Method = 0x1000 }, "Type", "First", "void ()");
        FakeStreams.Push(new NativeEvent { Method = 0x1000 }, "Type", "First", "void ()");
        FakeStreams.Push(new NativeEvent { Method = 0x1000 }, "Type", "Second", "void ()");
        TieringEvent[] events = new TieringEvent[3];
        Assert.Equal(3, stream.Read(events));
        Assert.Same(events[0].MethodName, events[1].MethodName);
        Assert.Equal("Second", events[2].MethodName);
    }

    [Fact]
    public void an_event_larger_than_the_buffer_is_read_whole()
    {
        using TieringEventStream stream = TieringEventStream.Open();
        string signature = new('s', 60_000);
        FakeStreams.Push(new NativeEvent { Sequence = 1, Method = 8 }, "Type", "Method", signature);
        FakeStreams.Push(new NativeEvent { Sequence = 2 });
        Assert.True(stream.TryRead(out TieringEvent large));
        Assert.Equal(signature, large.MethodSignature);
        Assert.True(stream.TryRead(out TieringEvent small));
        Assert.Equal(2, small.Sequence);
    }

    [Fact]
    public void a_cut_record_is_not_read_past_its_end()
    {
        using TieringEventStream stream = TieringEventStream.Open();
        // Three texts are promised, one stands there; behind it comes another record.
        FakeStreams.Push(new NativeEvent { Sequence = 1, Method = 8, NameUnits = 60 }, "Typ");
        FakeStreams.Push(new NativeEvent { Sequence = 2 });
        Assert.True(stream.TryRead(out TieringEvent cut));
        Assert.Equal(new[] { "Typ", "", "" }, new[] { cut.MethodNamespace, cut.MethodName, cut.MethodSignature });
    }

    [Fact]
    public async Task a_wait_ends_with_the_next_event()
    {
        await using TieringEventStream stream = TieringEventStream.Open();
        ValueTask<bool> wait = stream.WaitToReadAsync(Bounded.Token());
        Assert.Equal(NativeCondition.UntilEvents, FakeLibrary.LastCondition);
        Assert.False(wait.IsCompleted);
        Assert.Throws<InvalidOperationException>(() => { _ = stream.WaitToReadAsync(); });
        FakeStreams.Push(new NativeEvent { Sequence = 1 });
        Assert.True(await Bounded.Await(wait));
        Assert.True(stream.WaitToReadAsync().Result);
        Assert.True(stream.TryRead(out _));

        // A wake-up for nothing is no event.
        ValueTask<bool> second = stream.WaitToReadAsync(Bounded.Token());
        ulong before = FakeLibrary.LastWait;
        FakeLibrary.EndAll();
        FakeLibrary.WaitForBegin(before);
        Assert.False(second.IsCompleted);
        FakeStreams.Push(new NativeEvent { Sequence = 2 });
        Assert.True(await Bounded.Await(second));
    }

    [Fact]
    public async Task a_cancelled_wait_names_its_token_and_leaves_the_stream_open()
    {
        using TieringEventStream stream = TieringEventStream.Open();
        using CancellationTokenSource source = new();
        ValueTask<bool> wait = stream.WaitToReadAsync(source.Token);
        await source.CancelAsync();
        OperationCanceledException error = await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(wait));
        Assert.Equal(source.Token, error.CancellationToken);
        FakeStreams.Push(new NativeEvent { Sequence = 1 });
        Assert.True(stream.TryRead(out _));
        Assert.True(stream.WaitToReadAsync(source.Token).IsCanceled);
    }

    [Fact]
    public async Task disposing_a_stream_ends_its_pending_wait()
    {
        for (int i = 0; i < 200; i++)
        {
            TieringEventStream stream = TieringEventStream.Open();
            ValueTask<bool> wait = stream.WaitToReadAsync(Bounded.Token());
            Thread closer = new(stream.Dispose);
            closer.Start();
            Assert.False(await Bounded.Await(wait));
            closer.Join();
            Assert.False(FakeStreams.IsOpen);
            Assert.False(stream.TryRead(out _));
            Assert.False(await stream.WaitToReadAsync());
            Assert.False(stream.WaitToRead(TimeSpan.FromSeconds(60)));
            stream.Dispose();
        }
    }

    [Fact]
    public void a_blocking_wait_that_takes_too_long_is_false()
    {
        using TieringEventStream stream = TieringEventStream.Open();
        Assert.False(stream.WaitToRead(TimeSpan.FromMilliseconds(3)));
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => stream.WaitToRead(TimeSpan.FromSeconds(-2)));
        FakeStreams.Push(new NativeEvent { Sequence = 1 });
        Assert.True(stream.WaitToRead(TimeSpan.Zero));
    }

    [Fact]
    public async Task an_enumeration_yields_every_event_and_closes_its_stream()
    {
        using CancellationTokenSource source = new();
        List<long> seen = [];
        for (ulong i = 1; i <= 5; i++)
        {
            FakeStreams.Push(new NativeEvent { Sequence = i });
        }

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (TieringEvent tieringEvent in TieringEvents.ReadAllAsync(null, Bounded.Token()).WithCancellation(source.Token))
            {
                seen.Add(tieringEvent.Sequence);
                if (seen.Count == 5)
                {
                    await source.CancelAsync();
                }
            }
        });
        Assert.Equal([1, 2, 3, 4, 5], seen);
        Assert.False(FakeStreams.IsOpen);
    }

    [Fact]
    public async Task an_enumerator_yields_what_is_there_and_what_comes()
    {
        using CancellationTokenSource source = new();
        IAsyncEnumerator<TieringEvent> events = TieringEvents.ReadAllAsync(null, source.Token).GetAsyncEnumerator();
        ValueTask<bool> first = events.MoveNextAsync();
        Assert.True(FakeStreams.IsOpen);
        FakeStreams.Push(new NativeEvent { Sequence = 1 });
        FakeStreams.Push(new NativeEvent { Sequence = 2 });
        Assert.True(await Bounded.Await(first));
        Assert.Equal(1, events.Current.Sequence);
        Assert.Equal(1, events.Current.Sequence);
        Assert.True(await Bounded.Await(events.MoveNextAsync()));
        Assert.Equal(2, events.Current.Sequence);
        ValueTask<bool> last = events.MoveNextAsync();
        await source.CancelAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(last));
        await events.DisposeAsync();
        Assert.False(FakeStreams.IsOpen);
        Assert.False(await events.MoveNextAsync());
    }

    [Fact]
    public void a_stream_without_signals_is_refused_with_the_reason()
    {
        foreach (SignalsState state in new[] { SignalsState.Disabled, SignalsState.Failed })
        {
            FakeSignals.SetState(state);
            NotSupportedException error = Assert.Throws<NotSupportedException>(() => TieringEventStream.Open());
            Assert.Contains("because the test says so", error.Message, StringComparison.Ordinal);
            Assert.Contains("TIERUP_SIGNALS", error.Message, StringComparison.Ordinal);
            Assert.False(FakeStreams.IsOpen);
        }
    }

    [Fact]
    public void a_stream_whose_attach_fails_while_it_opens_is_closed_again()
    {
        FakeSignals.SetState(SignalsState.Attaching);
        FakeSignals.SetMethodEventsOn(false);
        Thread failing = new(() =>
        {
            SpinWait.SpinUntil(() => FakeStreams.IsOpen);
            FakeSignals.SetState(SignalsState.Failed);
        });
        failing.Start();
        Assert.Throws<NotSupportedException>(() => TieringEventStream.Open());
        failing.Join();
        Assert.False(FakeStreams.IsOpen);
    }

    [Fact]
    public void a_ninth_stream_is_refused()
    {
        FakeStreams.OpenStatus = NativeStatus.Exhausted;
        Assert.Contains("eight", Assert.Throws<InvalidOperationException>(() => TieringEventStream.Open()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void a_negative_capacity_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>("value", () => new TieringEventsOptions { CapacityBytes = -1 });
    }

    [Fact]
    public async Task a_stream_of_a_runtime_without_tiering_is_empty()
    {
        using TieringEventStream stream = new(0);
        Assert.False(stream.TryRead(out _));
        Assert.False(await stream.WaitToReadAsync());
        Assert.False(stream.WaitToRead(Timeout.InfiniteTimeSpan));
        await foreach (TieringEvent tieringEvent in stream.ReadAllAsync())
        {
            Assert.Fail(tieringEvent.ToString());
        }
    }
}
