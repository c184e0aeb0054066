// What     The counting cell that some look saw last: a place from which the runtime's counting manager can be found.
// What not Says nothing about whose it is.
// Threads  Any, in any mode; a hint.
// Failure  Null before the first.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/address.h"

namespace tierup::runtime {

class CountedCell {
public:
    constexpr CountedCell() noexcept = default;
    CountedCell(const CountedCell&) = delete;
    CountedCell& operator=(const CountedCell&) = delete;

    void see(Address cell) noexcept {
        if (cell_.load(std::memory_order_relaxed) != cell.value()) {  // a poll of many threads keeps the line shared
            cell_.store(cell.value(), std::memory_order_relaxed);
        }
    }
    [[nodiscard]] Address last() const noexcept { return Address(cell_.load(std::memory_order_relaxed)); }

private:
    std::atomic<std::uint64_t> cell_{0};
};

}  // namespace tierup::runtime
