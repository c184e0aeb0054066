// What     The waits under way: slots with generations, found by id in constant time, and linked in order of arrival.
// What not No lock and no thread of its own; runs nothing.
// Threads  One at a time: the watcher calls it with its lock held.
// Failure  try_add: Status::exhausted when memory or the bound kMaxWaiters is hit; the table is then as before.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "watch/demand.h"
#include "watch/resources.h"

namespace tierup::watch {

/// A caller of Watcher::block, on its own stack. The dispatcher touches it with the lock held and only while its waiter is in
/// the table; the caller takes the lock before it returns, so it never goes away under the dispatcher.
struct BlockedCaller {
    static constexpr std::uint32_t kWaiting = 0;
    static constexpr std::uint32_t kEnded = 1;

    std::atomic<std::uint32_t> state{kWaiting};
    Status status = Status::timed_out;
    std::uint64_t answer = 0;
};

struct Waiter {
    std::uint64_t subject = 0;
    std::uint64_t answer = 0;  ///< The last one seen.
    void* context = nullptr;
    BlockedCaller* blocked = nullptr;  ///< Null: ends by callback.
    std::uint32_t condition = 0;
    std::uint32_t news = 0;             ///< Probe::news as it was before the last evaluation.
    std::uint64_t follow_until_ns = 0;  ///< Its event came a moment ago: looked at on the short backoff until then.
    bool is_fresh = true;               ///< Not evaluated since it was registered.
    bool serves_itself = false;         ///< Its blocked caller evaluates; here it only counts.
};

/// Chunk k holds kFirstChunkWaiters << k waiters, so a few pointers address them all and no waiter ever moves.
inline constexpr std::uint32_t kFirstChunkWaiters = 64;
inline constexpr std::uint32_t kMaxChunks = 15;
inline constexpr std::uint32_t kMaxWaiters = kFirstChunkWaiters * ((1u << kMaxChunks) - 1);

class WaiterTable {
public:
    constexpr WaiterTable() noexcept = default;
    /// For a slot's first use; a test begins near the end.
    constexpr explicit WaiterTable(std::uint32_t first_generation) noexcept : first_generation_(first_generation) {}
    WaiterTable(const WaiterTable&) = delete;
    WaiterTable& operator=(const WaiterTable&) = delete;

    /// `id` is never 0 and never given twice: generation << 32 | slot, and a slot whose generations are used up is retired.
    Status try_add(const Waiter& waiter, Resources& resources, std::uint64_t& id) noexcept;

    /// Null if the wait is not (any longer) under way.
    [[nodiscard]] Waiter* find(std::uint64_t id) noexcept;

    /// `id` must be under way.
    void remove(std::uint64_t id) noexcept;

    [[nodiscard]] std::uint32_t count() const noexcept { return pending_count_; }

    /// Those that the dispatcher evaluates.
    [[nodiscard]] std::uint32_t served_count() const noexcept { return pending_count_ - self_serving_count_; }
    /// bit_of_condition of each condition that somebody in the table waits for.
    [[nodiscard]] std::uint32_t conditions() const noexcept { return conditions_; }

    /// Begins a round over the waiters that are in the table now. Removing any waiter during a round is fine.
    void begin_round() noexcept;
    /// The round's next waiter, or null at its end. Later arrivals are left to the next round, so that every round ends.
    Waiter* next_in_round(std::uint64_t& id) noexcept;

    [[nodiscard]] bool invariant() const noexcept { return used_count_ == pending_count_ + free_count_ + retired_count_; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct Slot {
        Waiter waiter;
        std::uint32_t generation;
        std::uint32_t previous;  ///< While pending.
        std::uint32_t next;      ///< While pending or free.
        bool is_pending;
    };

    [[nodiscard]] Slot& slot_at(std::uint32_t index) noexcept;
    Status try_take_slot(Resources& resources, std::uint32_t& index) noexcept;
    void link_last(std::uint32_t index) noexcept;
    void unlink(std::uint32_t index) noexcept;
    void count(const Waiter& waiter, bool is_coming) noexcept;

    std::array<Slot*, kMaxChunks> chunks_{};
    std::uint32_t first_generation_ = 1;
    std::uint32_t used_count_ = 0;  ///< Slots 0 … used_count_ - 1 have been used once at least.
    std::uint32_t pending_count_ = 0;
    std::uint32_t self_serving_count_ = 0;
    std::uint32_t conditions_ = 0;  ///< Bit k is set while waiting_for_[k] is not 0.
    std::array<std::uint32_t, 32> waiting_for_{};
    std::uint32_t free_count_ = 0;
    std::uint32_t retired_count_ = 0;
    std::uint32_t first_pending_ = kNone;
    std::uint32_t last_pending_ = kNone;
    std::uint32_t first_free_ = kNone;
    std::uint32_t cursor_ = kNone;      ///< Where the round goes on.
    std::uint32_t round_last_ = kNone;  ///< The round's last waiter; kNone when the round is over.
};

}  // namespace tierup::watch
