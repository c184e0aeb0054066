// What     What the worker's own events have said so far: is a batch open, is a delay's end being worked off. A few words, written in callbacks.
// What not No memory of the runtime is read here (manager_view) and nobody is woken (signal_hub).
// Threads  on_*: the runtime's threads inside an event callback; the worker's events come from one thread at a time. The rest: any.
// Failure  Before the worker's first event, whether a batch is open is not known: Batch::unknown, never a guess.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, BackgroundWorkerStart, DoBackgroundWork, TryDeactivateTieringDelay.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fence.h"

namespace tierup::runtime {

enum class Batch : std::uint8_t { unknown, open, closed };

/// 0: nothing known. Odd: a batch is open. Even: none is. It grows with every change, so equal values mean "nothing moved in between".
using BatchEpoch = std::uint64_t;

[[nodiscard]] constexpr Batch batch_of(BatchEpoch epoch) noexcept {
    return epoch == 0 ? Batch::unknown : (epoch & 1) != 0 ? Batch::open : Batch::closed;
}

class SignalBoard {
public:
    constexpr SignalBoard() noexcept = default;
    SignalBoard(const SignalBoard&) = delete;
    SignalBoard& operator=(const SignalBoard&) = delete;

    /// [worker] Before the worker takes anything out of the queue.
    void on_batch_began() noexcept {
        resumed_and_not_seen_since_.store(false, std::memory_order_relaxed);
        move_to(Batch::open);
    }

    /// [worker] After everything that this batch took out is published and activated.
    void on_batch_ended() noexcept { move_to(Batch::closed); }

    /// [worker] A delay has ended; the counting stubs of its methods are installed next. Sent outside of batches.
    void on_delay_ended() noexcept {
        resumed_and_not_seen_since_.store(true, std::memory_order_relaxed);
        move_to(Batch::closed);
        delays_ended_.fetch_add(1, std::memory_order_release);  // partner: the acquire load in delays_ended
    }

    /// [any] Told by another thread than the worker, and possibly late: proves nothing about the batch.
    void on_delay_began() noexcept { delays_began_.fetch_add(1, std::memory_order_relaxed); }

    [[nodiscard]] BatchEpoch batch_epoch() const noexcept { return epoch_.load(std::memory_order_acquire); }  // partner: move_to
    [[nodiscard]] std::uint64_t delays_ended() const noexcept { return delays_ended_.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t delays_began() const noexcept { return delays_began_.load(std::memory_order_relaxed); }

    /// True from a delay's end until the worker's next batch: the counting stubs may still be being installed.
    [[nodiscard]] bool may_be_installing() const noexcept { return resumed_and_not_seen_since_.load(std::memory_order_relaxed); }

private:
    // Race     The worker opens a batch and takes a method out of the queue while a reader finds the queue empty.
    // Window   Between the store of the epoch here and the reader's second look at it.
    // Harmless The fence orders this store before whatever the worker does to its queue afterwards; a reader that saw any of that sees
    //          the new epoch in its second look (judge_idle), and looks again.
    // Test     idle_model_test: mutation no_second_look_at_the_epoch.
    void move_to(Batch state) noexcept {
        const BatchEpoch before = epoch_.load(std::memory_order_relaxed);  // one writer at a time: the worker
        const bool was_open = batch_of(before) == Batch::open;
        const BatchEpoch after = before == 0 ? (state == Batch::open ? 1 : 2) : before + (was_open == (state == Batch::open) ? 2 : 1);
        epoch_.store(after, std::memory_order_release);  // partner: the acquire load in batch_epoch
        full_fence();                                    // partner: the fence in judge_idle
    }

    std::atomic<BatchEpoch> epoch_{0};
    std::atomic<std::uint64_t> delays_ended_{0};
    std::atomic<std::uint64_t> delays_began_{0};
    std::atomic<bool> resumed_and_not_seen_since_{true};  // before the first event nobody knows
};

}  // namespace tierup::runtime
