// What     Tells a broken invariant from one that a writer is just passing through: only a mismatch that lasts is a broken one.
// What not Does not look at anything itself.
// Threads  Any, several at once; each call is a few relaxed operations.
// Failure  None. A mismatch is confirmed after kTicks looks at least kTickNs apart without one fitting look between them.
#pragma once

#include <atomic>
#include <cstdint>

namespace tierup::runtime {

// Race: a thread of the runtime is between two stores that belong together, under a lock that we do not take. Window: nanoseconds, or as long as that thread
// is not scheduled. Harmless because the answer meanwhile is "pending", never "idle", and no verdict is built on it: a second of looks, a hundred of them
// spread over it, must all see the mismatch. A process that was stopped for an hour makes one look of it.
// Test: a_mismatch_is_confirmed_only_by_a_hundred_spread_looks (tests/unit/manager_lasting_mismatch_test.cpp).
class LastingMismatch {
public:
    static constexpr std::uint64_t kTickNs = 10'000'000;
    static constexpr std::uint32_t kTicks = 100;

    void fitted() noexcept {
        if (ticks_.load(std::memory_order_relaxed) != 0) {
            ticks_.store(0, std::memory_order_relaxed);
        }
    }

    /// True when it has lasted.
    [[nodiscard]] bool mismatched(std::uint64_t now_ns) noexcept {
        std::uint64_t last = last_tick_ns_.load(std::memory_order_relaxed);
        const std::uint32_t ticks = ticks_.load(std::memory_order_relaxed);
        const bool is_due = ticks == 0 || now_ns - last >= kTickNs;
        if (!is_due || !last_tick_ns_.compare_exchange_strong(last, now_ns, std::memory_order_relaxed)) {
            return ticks >= kTicks;
        }
        return ticks_.fetch_add(1, std::memory_order_relaxed) + 1 >= kTicks;
    }

private:
    std::atomic<std::uint32_t> ticks_ = 0;
    std::atomic<std::uint64_t> last_tick_ns_ = 0;
};

}  // namespace tierup::runtime
