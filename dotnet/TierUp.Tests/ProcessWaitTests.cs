// What     The process-wide waits, the count and the list against fake signals; where a barrier is passed, on the real runtime.
// Source   The proposal's words (dotnet/runtime#129020) for what the members promise; tierup.h for what the library says.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using TierUp.Native;
using TierUp.Signals;
using Xunit;

namespace TierUp.Tests;

public sealed class ProcessWaitTests
{
    private const int Rounds = 500;

    [Fact]
    public async Task the_proposals_members_compile_and_are_over_where_nothing_is_promoted()
    {
        using FakeSignals signals = new();
        FakeSignals.SetSettings(tieredCompilation: false);
        ValueTask active = RuntimeHelpers.WaitForTieredCompilationActive();
        ValueTask idle = RuntimeHelpers.WaitForPendingCompilations();
        Assert.True(active.IsCompletedSuccessfully && idle.IsCompletedSuccessfully);
        await active;
        await idle;
        Assert.True(RuntimeHelpers.WaitForTieredCompilationActive(CancellationToken.None).IsCompletedSuccessfully);
        Assert.True(RuntimeHelpers.WaitForPendingCompilations(CancellationToken.None).IsCompletedSuccessfully);
        int count = RuntimeHelpers.PendingTieredCompilationCount;
        Assert.Equal(0, count);
        Assert.True(TieredCompilation.WaitForTieredCompilationActive(TimeSpan.Zero));
        Assert.True(TieredCompilation.WaitForPendingCompilations(TimeSpan.Zero));
        Assert.Empty(TieredCompilation.GetPendingCompilations());
        Assert.Equal(0, FakeSignals.Requests);
    }

    [Fact]
    public void without_call_counting_nothing_is_waited_for()
    {
        using FakeSignals signals = new();
        FakeSignals.SetSettings(callCounting: false);
        Assert.True(TieredCompilation.WaitForPendingCompilations().IsCompletedSuccessfully);
        Assert.Equal(0, TieredCompilation.PendingTieredCompilationCount);
        Assert.Equal(0, FakeSignals.Requests);
    }

    [Fact]
    public void without_a_delay_tiering_is_always_active()
    {
        using FakeSignals signals = new();
        FakeSignals.SetSettings(delay: 0);
        Assert.True(TieredCompilation.WaitForTieredCompilationActive().IsCompletedSuccessfully);
        Assert.True(TieredCompilation.WaitForTieredCompilationActive(TimeSpan.Zero));
        Assert.Equal(0, FakeSignals.Requests);
    }

    [Fact]
    public async Task a_wait_ends_when_the_library_calls_back()
    {
        using FakeSignals signals = new();
        using FakeLibrary library = new(() => Answers.InDelay);
        FakeSignals.SetCount(3, isKnown: true);
        ValueTask idle = TieredCompilation.WaitForPendingCompilations();
        Assert.Equal(NativeCondition.UntilNoPending, FakeLibrary.LastCondition);
        Assert.False(idle.IsCompleted);
        Assert.True(FakeLibrary.End(FakeLibrary.LastWait));
        await Bounded.Await(idle);
        ValueTask active = TieredCompilation.WaitForTieredCompilationActive();
        Assert.Equal(NativeCondition.UntilTieringActive, FakeLibrary.LastCondition);
        Assert.True(FakeLibrary.End(FakeLibrary.LastWait));
        await Bounded.Await(active);
    }

    [Fact]
    public async Task a_cancelled_wait_names_its_token()
    {
        using FakeSignals signals = new();
        using FakeLibrary library = new(() => Answers.InDelay);
        FakeSignals.SetCount(3, isKnown: true);
        using CancellationTokenSource source = new();
        ValueTask wait = TieredCompilation.WaitForPendingCompilations(source.Token);
        await source.CancelAsync();
        OperationCanceledException error = await Assert.ThrowsAsync<OperationCanceledException>(() => Bounded.Await(wait));
        Assert.Equal(source.Token, error.CancellationToken);
        Assert.Equal(1, FakeLibrary.CancelledCount);
        Assert.True(TieredCompilation.WaitForPendingCompilations(source.Token).IsCanceled);
        Assert.True(TieredCompilation.WaitForTieredCompilationActive(source.Token).IsCanceled);
    }

    [Fact]
    public void a_blocking_wait_that_takes_too_long_is_false()
    {
        using FakeSignals signals = new();
        using FakeLibrary library = new(() => Answers.InDelay);
        FakeSignals.SetCount(3, isKnown: true);
        Assert.False(TieredCompilation.WaitForPendingCompilations(TimeSpan.Zero));
        Assert.False(TieredCompilation.WaitForTieredCompilationActive(TimeSpan.FromMilliseconds(3)));
        FakeLibrary.OnBlock = () => NativeStatus.Ok;
        Assert.True(TieredCompilation.WaitForPendingCompilations(Timeout.InfiniteTimeSpan));
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => TieredCompilation.WaitForPendingCompilations(TimeSpan.FromSeconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => TieredCompilation.WaitForTieredCompilationActive(TimeSpan.FromTicks(-1)));
    }

    [Fact]
    public void the_first_use_calls_one_fresh_method_and_offers_it()
    {
        using FakeSignals signals = new(SignalsState.Attaching);
        Assert.Equal(1, TieredCompilation.PendingTieredCompilationCount);
        Assert.Equal(1, FakeSignals.Requests);
        Assert.Equal(1, FakeSignals.Offers);
        RuntimeMethodHandle probe = RuntimeMethodHandle.FromIntPtr((nint)FakeSignals.LastOffer);
        Assert.Equal(MethodCompilationStatus.Optimizing, TieredCompilation.GetMethodCompilationStatus(probe));

        // Not again while the first one may still bring what is missing, and never once all is known.
        Assert.Equal(1, TieredCompilation.PendingTieredCompilationCount);
        FakeSignals.SetCount(0, isKnown: true);
        Assert.Equal(0, TieredCompilation.PendingTieredCompilationCount);
        Assert.Equal(1, FakeSignals.Requests);
        Assert.Equal(1, FakeSignals.Offers);
    }

    [Fact]
    public void without_a_delay_the_first_use_waits_for_the_attach_and_promotes_while_a_wait_is_pending()
    {
        using FakeSignals signals = new(SignalsState.Attaching);
        FakeSignals.SetSettings(delay: 0);
        Assert.Equal(CalibrationPhase.Settling, Calibration.Advance());
        Assert.Equal(0, FakeSignals.Offers);
        FakeSignals.SetState(SignalsState.Attached);
        int cancelled;
        using (FakeLibrary library = new(() => Answers.Cold))
        {
            bool wasOn = false;
            FakeLibrary.OnBegin = _ =>
            {
                wasOn = true;
                FakeSignals.SetMethodEventsOn(true);
            };
            Calibration.Advance();
            Assert.True(wasOn);
            cancelled = FakeLibrary.CancelledCount;
        }

        Assert.Equal(1, FakeSignals.Offers);
        Assert.Equal(1, cancelled);

        // Called, on the real runtime.
        RuntimeMethodHandle probe = RuntimeMethodHandle.FromIntPtr((nint)FakeSignals.LastOffer);
        Assert.Equal(MethodCompilationStatus.Optimizing, TieredCompilation.GetMethodCompilationStatus(probe));
    }

    [Fact]
    public async Task without_signals_a_wait_passes_a_barrier_of_the_runtimes_own_promotions()
    {
        using FakeSignals signals = new(SignalsState.Disabled);
        Func<int, int> subject = Promoted;
        int sum = 0;
        foreach (int calls in TieredCompilation.EnumerateTierPromotionCallCounts(subject, TimeSpan.FromSeconds(60)))
        {
            for (int i = 0; i < calls; i++)
            {
                sum += subject(i);
            }

            // The second phase's calls are made: its promotion is pending now.
            if (TieredCompilation.GetMethodState(subject).Reason is MethodStateReason.ThresholdReached or MethodStateReason.PromotionPending)
            {
                break;
            }
        }

        await Bounded.Await(TieredCompilation.WaitForPendingCompilations());
        Assert.True(TieredCompilation.GetMethodState(subject).Reason is MethodStateReason.Counting or MethodStateReason.Tier1, $"{sum}");
        Assert.True(TieredCompilation.WaitForTieredCompilationActive(TimeSpan.FromSeconds(60)));
        Assert.False(TieredCompilation.WaitForPendingCompilations(TimeSpan.FromMilliseconds(1)));
    }

    [Fact]
    public async Task a_wait_that_becomes_undecidable_goes_on_without_the_library()
    {
        using FakeSignals signals = new(SignalsState.Disabled);
        FakeSignals.SetCount(3, isKnown: true);
        ValueTask wait;
        using (FakeLibrary library = new(() => Answers.InDelay))
        {
            wait = TieredCompilation.WaitForPendingCompilations();
        }

        FakeSignals.SetCount(0, isKnown: false);
        Assert.True(FakeLibrary.End(FakeLibrary.LastWait, NativeStatus.Unknown));
        await Bounded.Await(wait);
    }

    [Fact]
    public async Task a_wait_on_a_thread_ends_when_all_is_known()
    {
        using FakeSignals signals = new(SignalsState.Attaching);
        FakeSignals.SetSettings(delay: 100_000);
        using FakeLibrary library = new(() => Answers.Cold);
        FakeLibrary.OnBlock = BlockALittle;
        ValueTask wait = TieredCompilation.WaitForPendingCompilations();
        Assert.False(wait.IsCompleted);
        FakeSignals.SetCount(0, isKnown: true);
        FakeLibrary.OnBlock = () => NativeStatus.Ok;
        await Bounded.Await(wait);
        Assert.Equal(0, FakeLibrary.PendingCount);
    }

    [Fact]
    public async Task cancelling_a_wait_on_a_thread_ends_it_once()
    {
        using FakeSignals signals = new(SignalsState.Attaching);
        // So long that the waits keep settling however slow the machine is.
        FakeSignals.SetSettings(delay: 100_000);
        using FakeLibrary library = new(() => Answers.Cold);
        int cancelled = 0;
        int ended = 0;
        for (int i = 0; i < Rounds; i++)
        {
            using CancellationTokenSource source = new();
            using ManualResetEventSlim isBlocking = new();
            bool isOver = false;
            FakeLibrary.OnBlock = () =>
            {
                isBlocking.Set();
                return Volatile.Read(ref isOver) ? NativeStatus.Ok : BlockALittle();
            };
            ValueTask wait = TieredCompilation.WaitForPendingCompilations(source.Token);
            Assert.True(isBlocking.Wait(TimeSpan.FromSeconds(60)));
            Volatile.Write(ref isOver, true);
            if (i % 2 == 0)
            {
                Thread.Yield();
            }

            // The fake's threads end without being waited for: they must not meet the next round's event.
            FakeLibrary.OnBlock = () => NativeStatus.Ok;
#pragma warning disable CA1849 // The race is about this thread.
            source.Cancel();
#pragma warning restore CA1849
            try
            {
                await Bounded.Await(wait);
                ended++;
            }
            catch (OperationCanceledException error)
            {
                Assert.Equal(source.Token, error.CancellationToken);
                cancelled++;
            }
        }

        Assert.Equal(Rounds, cancelled + ended);
        Assert.True(cancelled > 0, $"{cancelled} cancelled, {ended} ended");
    }

    [Fact]
    public void the_count_is_the_librarys_and_allocates_nothing()
    {
        using FakeSignals signals = new();
        FakeSignals.SetCount(5, isKnown: true);
        Assert.Equal(5, RuntimeHelpers.PendingTieredCompilationCount);
        long before = GC.GetAllocatedBytesForCurrentThread();
        int sum = 0;
        for (int i = 0; i < 1000; i++)
        {
            sum += RuntimeHelpers.PendingTieredCompilationCount;
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(5000, sum);
        Assert.Equal(0, FakeSignals.Requests);

        // Not known whether idle: never 0.
        FakeSignals.SetCount(0, isKnown: false);
        Assert.Equal(1, RuntimeHelpers.PendingTieredCompilationCount);
        FakeSignals.SetCount(4, isKnown: false);
        Assert.Equal(4, RuntimeHelpers.PendingTieredCompilationCount);
    }

    [Fact]
    public void the_list_has_the_librarys_order_names_and_states()
    {
        using FakeSignals signals = new();
        FakeSignals.SetPending(
            new NativePendingCompilation { Method = 5, Node = 16, State = 3, TargetTier = 7 },
            new NativePendingCompilation { Method = 2000, State = 2, TargetTier = 4 },
            new NativePendingCompilation { State = 1 });
        IReadOnlyList<PendingCompilation> pending = TieredCompilation.GetPendingCompilations();
        Assert.Equal(3, pending.Count);
        Assert.Equal("0: Compiling for Tier1: mmmmm", pending[0].ToString());
        Assert.Equal(16, pending[0].VersionNode);
        Assert.Equal(5, pending[0].MethodDescriptor);
        Assert.Equal(new string('m', 2000), pending[1].Name);
        Assert.Equal(PendingCompilationState.Queued, pending[1].State);
        Assert.Equal("2: ThresholdReached: (a method not known)", pending[2].ToString());
        Assert.Equal(2, pending[2].Position);
        Assert.Null(pending[0].TryGetMethod());
    }

    [Fact]
    public void a_long_list_is_read_whole()
    {
        using FakeSignals signals = new();
        NativePendingCompilation[] many = new NativePendingCompilation[1000];
        for (int i = 0; i < many.Length; i++)
        {
            many[i] = new NativePendingCompilation { Method = (ulong)i, State = 2 };
        }

        FakeSignals.SetPending(many);
        IReadOnlyList<PendingCompilation> pending = TieredCompilation.GetPendingCompilations();
        Assert.Equal(1000, pending.Count);
        Assert.Equal(999, pending[999].MethodDescriptor);
        Assert.Equal(2, FakeSignals.Lists);
    }

    [Fact]
    public void a_pending_compilation_finds_its_method()
    {
        using FakeSignals signals = new();
        RuntimeMethodHandle handle = ((Func<int, int>)Promoted).Method.MethodHandle;
        FakeSignals.SetPending(new NativePendingCompilation { Method = (ulong)handle.Value, State = 2, TargetTier = 7 });
        Assert.Equal(nameof(Promoted), TieredCompilation.GetPendingCompilations()[0].TryGetMethod()!.Name);
    }

    [Fact]
    public void a_list_without_a_queue_view_says_why()
    {
        using FakeSignals signals = new();
        NotSupportedException error = Assert.Throws<NotSupportedException>(() => TieredCompilation.GetPendingCompilations());
        Assert.Contains("because the test says so", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void an_older_library_is_told_by_name_and_works_otherwise()
    {
        using FakeSignals signals = new();
        SignalFunctions.Publish(0, "tierup_pending_count");
        foreach (Action use in new Action[]
        {
            () => _ = TieredCompilation.PendingTieredCompilationCount,
            () => TieredCompilation.WaitForPendingCompilations(),
            () => TieredCompilation.WaitForTieredCompilationActive(TimeSpan.Zero),
            () => TieredCompilation.GetPendingCompilations(),
            () => TieringEventStream.Open(),
            TieredCompilation.RequestSignals,
        })
        {
            Assert.Contains("tierup_pending_count", Assert.Throws<TierUpNativeLibraryException>(use).Message, StringComparison.Ordinal);
        }

        TieringCapabilities capabilities = TieredCompilation.Capabilities;
        Assert.True(capabilities.SupportsPolling);
        Assert.Equal(SignalsState.Unavailable, capabilities.Signals);
        Assert.Contains("tierup_pending_count", capabilities.SignalsReason, StringComparison.Ordinal);
        Assert.False(TieredCompilation.IsMethodFullyOptimized((Func<int, int>)NeverCalled));
    }

    private static NativeStatus BlockALittle()
    {
        Thread.Yield();
        return NativeStatus.TimedOut;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Promoted(int value)
    {
        return value * 11;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int NeverCalled(int value)
    {
        return value * 13;
    }
}
