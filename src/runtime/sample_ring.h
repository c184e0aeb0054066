// What     A few preallocated samples between the worker's event callbacks, which fill them, and the dispatcher, which drains them.
// What not Keeps no order, looks into no sample.
// Threads  claim/hand_over: any thread, several at once, no lock and no wait. take/give_back: one thread at a time.
// Failure  claim gives null where all are in use: that sample is not taken, another event will come.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "layout/batch_sample.h"

namespace tierup::runtime {

class SampleRing {
public:
    static constexpr std::size_t kSamples = 16;  ///< A batch of three probes brings five.

    /// Null or a sample that is the caller's until hand_over.
    [[nodiscard]] layout::BatchSample* claim() noexcept {
        for (Slot& slot : slots_) {
            State expected = State::empty;
            // acquire: partner is give_back's release, so that the reader is done with what is overwritten now
            if (slot.state.compare_exchange_strong(expected, State::being_filled, std::memory_order_acquire, std::memory_order_relaxed)) {
                return &slot.sample;
            }
        }
        return nullptr;
    }
    void hand_over(layout::BatchSample* sample) noexcept { set(sample, State::full); }  // release: partner is take's acquire
    void drop(layout::BatchSample* sample) noexcept { set(sample, State::empty); }

    /// Null or a sample that is the caller's until give_back.
    [[nodiscard]] layout::BatchSample* take() noexcept {
        for (Slot& slot : slots_) {
            if (slot.state.load(std::memory_order_acquire) == State::full) {  // partner: hand_over's release
                return &slot.sample;
            }
        }
        return nullptr;
    }
    void give_back(layout::BatchSample* sample) noexcept { set(sample, State::empty); }  // release: partner is claim's acquire

private:
    enum class State : std::uint8_t { empty, being_filled, full };
    struct Slot {
        layout::BatchSample sample;
        std::atomic<State> state = State::empty;
    };

    void set(const layout::BatchSample* sample, State state) noexcept {
        for (Slot& slot : slots_) {
            if (&slot.sample == sample) {
                slot.state.store(state, std::memory_order_release);  // partners: named at the callers
            }
        }
    }

    std::array<Slot, kSamples> slots_{};
};

}  // namespace tierup::runtime
