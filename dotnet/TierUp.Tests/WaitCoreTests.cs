// What     The asynchronous waits against a fake library: every end comes once, to the right place, whoever wins a race.

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Runtime;
using Xunit;

namespace TierUp.Tests;

public sealed class WaitCoreTests
{
    private const int Rounds = 2000;

    private static RuntimeMethodHandle Handle => ((Action)Subject).Method.MethodHandle;

    [Fact]
    public async Task a_wait_that_is_ready_completes_at_once()
    {
        using FakeLibrary library = new(() => Answers.Counting(12));
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
        Assert.True(wait.IsCompletedSuccessfully);
        await Bounded.Await(wait);
        Assert.Equal(0, FakeLibrary.PendingCount);
    }

    [Fact]
    public async Task a_wait_ends_when_the_library_calls_back()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
        Assert.False(wait.IsCompleted);
        Assert.True(FakeLibrary.End(FakeLibrary.LastWait));
        await Bounded.Await(wait);
    }

    [Fact]
    public async Task a_continuation_never_runs_on_the_thread_that_ended_the_wait()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
        TaskCompletionSource<int> ran = new(TaskCreationOptions.RunContinuationsAsynchronously);
        wait.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(() => ran.SetResult(Environment.CurrentManagedThreadId));
        int ender = 0;
        Thread thread = new(() =>
        {
            ender = Environment.CurrentManagedThreadId;
            FakeLibrary.End(FakeLibrary.LastWait);
        });
        thread.Start();
        thread.Join();
        Assert.NotEqual(ender, await ran.Task);
    }

    [Fact]
    public async Task a_token_cancelled_before_gives_a_cancelled_task()
    {
        using FakeLibrary library = new(() => Answers.Final);
        using CancellationTokenSource source = new();
        await source.CancelAsync();
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle, source.Token);
        Assert.True(wait.IsCanceled);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Bounded.Await(wait));
    }

    [Fact]
    public async Task a_cancelled_wait_names_its_token()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        using CancellationTokenSource source = new();
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle, source.Token);
        await source.CancelAsync();
        OperationCanceledException error = await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(wait));
        Assert.Equal(source.Token, error.CancellationToken);
        Assert.Equal(1, FakeLibrary.CancelledCount);
    }

    [Fact]
    public async Task cancellation_racing_with_completion_ends_each_wait_once()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        int cancelled = 0;
        int ended = 0;
        using Barrier barrier = new(2);
        ulong wait = 0;
        bool endWon = false;
        Thread dispatcher = new(() =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                barrier.SignalAndWait();
                endWon = FakeLibrary.End(wait);
                barrier.SignalAndWait();
            }
        });
        dispatcher.IsBackground = true;
        dispatcher.Start();
        for (int i = 0; i < Rounds; i++)
        {
            using CancellationTokenSource source = new();
            ValueTask task = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle, source.Token);
            wait = FakeLibrary.LastWait;
            barrier.SignalAndWait();
#pragma warning disable CA1849 // The race is about this thread.
            source.Cancel();
#pragma warning restore CA1849
            barrier.SignalAndWait();
            bool wasCancelled = false;
            try
            {
                await Bounded.Await(task);
                ended++;
            }
            catch (OperationCanceledException)
            {
                cancelled++;
                wasCancelled = true;
            }

            Assert.Equal(endWon, !wasCancelled);
        }

        dispatcher.Join();
        Assert.Equal(Rounds, ended + cancelled);
        Assert.Equal(cancelled, FakeLibrary.CancelledCount);
        Assert.Equal(0, FakeLibrary.PendingCount);
    }

    [Fact]
    public void awaiter_that_registers_while_the_wait_ends_is_run_once()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        using Barrier barrier = new(2);
        ulong wait = 0;
        Thread dispatcher = new(() =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                barrier.SignalAndWait();
                FakeLibrary.End(wait);
            }
        });
        dispatcher.IsBackground = true;
        dispatcher.Start();
        for (int i = 0; i < Rounds; i++)
        {
            ValueTask task = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
            wait = FakeLibrary.LastWait;
            int runs = 0;
            using ManualResetEventSlim ran = new();
            barrier.SignalAndWait();
            System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = task.ConfigureAwait(false).GetAwaiter();
            awaiter.UnsafeOnCompleted(() =>
            {
                Interlocked.Increment(ref runs);
                awaiter.GetResult();
                ran.Set();
            });
            Assert.True(ran.Wait(TimeSpan.FromSeconds(60)));
            Assert.Equal(1, Volatile.Read(ref runs));
        }

        dispatcher.Join();
    }

    [Fact]
    public async Task token_cancelled_between_two_rounds_ends_the_wait()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        using CancellationTokenSource source = new();
        await using IAsyncEnumerator<int> steps =
            TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle).GetAsyncEnumerator(source.Token);
        ValueTask<bool> step = steps.MoveNextAsync();
        ulong first = FakeLibrary.LastWait;

        // Cancelled inside the second tierup_wait_begin: the canceller can only know the first round's number.
        FakeLibrary.OnBegin = _ => source.Cancel();
        Assert.True(FakeLibrary.End(first));
        await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(step));
        Assert.Equal(first + 1, FakeLibrary.LastWait);
        Assert.Equal(1, FakeLibrary.CancelledCount);
    }

    [Fact]
    public async Task disposing_an_enumerator_cancels_its_pending_step()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        IAsyncEnumerator<int> steps = TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle).GetAsyncEnumerator();
        ValueTask<bool> step = steps.MoveNextAsync();
        await steps.DisposeAsync();
        await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(step));
        Assert.False(await steps.MoveNextAsync());
    }

    [Fact]
    public async Task either_of_two_tokens_ends_a_step()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        foreach (bool useFirst in new[] { true, false })
        {
            using CancellationTokenSource first = new();
            using CancellationTokenSource second = new();
            await using IAsyncEnumerator<int> steps =
                TieredCompilation.EnumerateTierPromotionCallCountsAsync(Handle, first.Token).GetAsyncEnumerator(second.Token);
            ValueTask<bool> step = steps.MoveNextAsync();
            await (useFirst ? first : second).CancelAsync();
            OperationCanceledException error = await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(step));
            Assert.Equal((useFirst ? first : second).Token, error.CancellationToken);
        }
    }

    [Fact]
    public async Task a_second_await_of_the_same_task_is_refused()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
        FakeLibrary.End(FakeLibrary.LastWait);
        await wait;
        Assert.Throws<InvalidOperationException>(() => wait.GetAwaiter().GetResult());
    }

    [Fact]
    public async Task a_state_that_becomes_undecidable_fails_the_task()
    {
        ulong answer = Answers.InDelay;
        using FakeLibrary library = new(() => Volatile.Read(ref answer));
        ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
        Volatile.Write(ref answer, Answers.ShapeUnknown);
        FakeLibrary.End(FakeLibrary.LastWait, NativeStatus.Unknown);
        TieringStateUnknownException error = await Assert.ThrowsAsync<TieringStateUnknownException>(() => Bounded.Await(wait));
        Assert.Equal(MethodStateReason.ShapeUnknown, error.Reason);
        Assert.Contains(nameof(Subject), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task the_awaiters_synchronization_context_gets_the_continuation()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        RecordingContext context = new();
        SynchronizationContext? before = SynchronizationContext.Current;
        TaskCompletionSource done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        SynchronizationContext.SetSynchronizationContext(context);
        try
        {
            TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle).GetAwaiter().OnCompleted(done.SetResult);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }

        FakeLibrary.End(FakeLibrary.LastWait);
        await done.Task;
        Assert.Equal(1, context.Posts);
    }

    [Fact]
    public async Task finished_waits_are_used_again()
    {
        using FakeLibrary library = new(() => Answers.InDelay);
        for (int i = 0; i < 100; i++)
        {
            ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
            FakeLibrary.End(FakeLibrary.LastWait);
            await wait;
        }

        HashSet<object> seen = [];
        for (int i = 0; i < 50; i++)
        {
            ValueTask wait = TieredCompilation.WaitForFinalCompilationOrCallCountingReadyAsync(Handle);
            seen.Add(typeof(ValueTask).GetField("_obj", System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)!.GetValue(wait)!);
            FakeLibrary.End(FakeLibrary.LastWait);
            await wait;
        }

        Assert.True(seen.Count <= 16, $"{seen.Count} sources were made");
    }

    private static void Subject()
    {
    }

    private sealed class RecordingContext : SynchronizationContext
    {
        private int _posts;

        internal int Posts => Volatile.Read(ref _posts);

        public override void Post(SendOrPostCallback d, object? state)
        {
            Interlocked.Increment(ref _posts);
            base.Post(d, state);
        }
    }
}
