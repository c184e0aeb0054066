// What     The beginning of the runtime's queue as it was seen last: a ring of entries, first in, first out.
// What not Reads no runtime memory.
// Threads  One at a time.
// Failure  Full after kMaxKnown; the rest of a longer queue is seen when room comes.
#pragma once

#include <array>
#include <cstdint>

#include "base/address.h"
#include "base/tier.h"

namespace tierup::record {

struct KnownNode {
    Address node;  ///< The queue's own node: alive while it is queued.
    Address version;
    Address method;
    Tier tier = Tier::unknown;
};

/// Bounds a step's walk and our memory (128 KiB, untouched while not needed).
inline constexpr std::uint32_t kMaxKnown = 4096;

class KnownQueue {
public:
    constexpr KnownQueue() noexcept = default;

    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] bool is_full() const noexcept { return count_ == kMaxKnown; }
    /// `index` < count()
    [[nodiscard]] const KnownNode& at(std::uint32_t index) const noexcept { return nodes_[(first_ + index) % kMaxKnown]; }
    [[nodiscard]] const KnownNode& last() const noexcept { return at(count_ - 1); }

    void push(const KnownNode& node) noexcept { nodes_[(first_ + count_++) % kMaxKnown] = node; }
    KnownNode pop() noexcept {
        const KnownNode node = at(0);
        first_ = (first_ + 1) % kMaxKnown;
        --count_;
        return node;
    }
    void clear() noexcept { count_ = 0; }

    /// count() where there is none.
    [[nodiscard]] std::uint32_t find_node(Address node, Address version) const noexcept {
        std::uint32_t index = 0;
        while (index < count_ && (at(index).node != node || at(index).version != version)) {
            ++index;
        }
        return index;
    }
    [[nodiscard]] std::uint32_t find_method(Address method) const noexcept {
        std::uint32_t index = 0;
        while (index < count_ && at(index).method != method) {
            ++index;
        }
        return index;
    }

private:
    std::array<KnownNode, kMaxKnown> nodes_{};
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace tierup::record
