// What     The call schedule against a fake library.
// Source   The expected sequences are the proposal's words (dotnet/runtime#129020).

using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using Xunit;

namespace TierUp.Tests;

public sealed class ScheduleTests
{
    private static RuntimeMethodHandle Handle => ((Action)Subject).Method.MethodHandle;

    [Fact]
    public async Task a_cold_method_that_never_tiers_yields_its_single_cold_call_and_ends()
    {
        ulong answer = Answers.Cold;
        using FakeLibrary library = new(() => Volatile.Read(ref answer));
        List<int> calls = [];
        await foreach (int count in TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, Bounded.Token()))
        {
            calls.Add(count);
            Volatile.Write(ref answer, Answers.Final);
        }

        Assert.Equal([1], calls);
    }

    [Fact]
    public async Task a_final_method_yields_nothing()
    {
        using FakeLibrary library = new(() => Answers.Final);
        await foreach (int count in TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, Bounded.Token()))
        {
            Assert.Fail($"yielded {count}");
        }
    }

    [Fact]
    public async Task a_class_constructor_is_not_driven()
    {
        using FakeLibrary library = new(() => Answers.ClassConstructor);
        await foreach (int count in TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, Bounded.Token()))
        {
            Assert.Fail($"yielded {count}");
        }
    }

    [Fact]
    public async Task the_whole_ladder_is_one_then_two_phases()
    {
        Ladder ladder = new(Answers.Cold, Answers.InDelay, Answers.Counting(30), Answers.Counted, Answers.Counting(30), Answers.Counted, Answers.Final);
        using FakeLibrary library = new(ladder.Answer);
        FakeLibrary.OnBegin = ladder.EndSoon;
        List<int> calls = [];
        await foreach (int count in TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, Bounded.Token()))
        {
            calls.Add(count);
            ladder.Next();
        }

        Assert.Equal([1, 30, 30], calls);
    }

    [Fact]
    public async Task calling_too_little_yields_what_is_left()
    {
        ulong answer = Answers.Counting(30);
        using FakeLibrary library = new(() => Volatile.Read(ref answer));
        List<int> calls = [];
        await foreach (int count in TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, Bounded.Token()))
        {
            calls.Add(count);
            Volatile.Write(ref answer, calls.Count == 3 ? Answers.Final : Answers.Counting((uint)count - 10));
        }

        Assert.Equal([30, 20, 10], calls);
    }

    [Fact]
    public async Task an_undecidable_state_ends_the_schedule_with_its_reason()
    {
        using FakeLibrary library = new(() => Answers.ShapeUnknown);
        await using IAsyncEnumerator<int> steps = TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle).GetAsyncEnumerator();
        TieringStateUnknownException error = await Assert.ThrowsAsync<TieringStateUnknownException>(async () => await steps.MoveNextAsync());
        Assert.Equal(MethodStateReason.ShapeUnknown, error.Reason);
        Assert.False(await steps.MoveNextAsync());
    }

    [Fact]
    public async Task two_enumerators_do_not_see_each_other()
    {
        ulong answer = Answers.InDelay;
        using FakeLibrary library = new(() => Volatile.Read(ref answer));
        IAsyncEnumerable<int> schedule = TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle);
        await using IAsyncEnumerator<int> one = schedule.GetAsyncEnumerator();
        await using IAsyncEnumerator<int> two = schedule.GetAsyncEnumerator();
        ValueTask<bool> first = one.MoveNextAsync();
        ulong firstWait = FakeLibrary.LastWait;
        ValueTask<bool> second = two.MoveNextAsync();
        ulong secondWait = FakeLibrary.LastWait;
        Volatile.Write(ref answer, Answers.Counting(7));
        FakeLibrary.End(secondWait);
        Assert.True(await Bounded.Await(second));
        Assert.False(first.IsCompleted);
        FakeLibrary.End(firstWait);
        Assert.True(await Bounded.Await(first));
        Assert.Equal(7, one.Current);
    }

    [Fact]
    public void a_blocking_step_that_takes_too_long_says_so()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        using IEnumerator<int> steps = TieredCompilation.EnumerateTierPromotionCallCounts(Handle, TimeSpan.FromMilliseconds(3)).GetEnumerator();
        TimeoutException error = Assert.Throws<TimeoutException>(() => steps.MoveNext());
        Assert.Contains("3 ms", error.Message, StringComparison.Ordinal);
        Assert.False(steps.MoveNext());
    }

    [Fact]
    public void a_blocking_wait_that_takes_too_long_is_false()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        Assert.False(TieredCompilation.WaitForFinalCompilation(Handle, TimeSpan.FromMilliseconds(3)));
        Assert.False(TieredCompilation.WaitForFinalCompilationOrCallCountingReady(Handle, TimeSpan.Zero));
    }

    private static void Subject()
    {
    }

    /// <summary>A method's states in order: the caller's Next, and each wait, go one further.</summary>
    private sealed class Ladder(params ulong[] states)
    {
        private int _index;

        internal ulong Answer()
        {
            return states[Volatile.Read(ref _index)];
        }

        internal void Next()
        {
            Interlocked.Increment(ref _index);
        }

        internal void EndSoon(ulong wait)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    Next();
                    FakeLibrary.End(wait);
                },
                null);
        }
    }
}
