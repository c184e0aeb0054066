// What     An address in the watched process, its own type: no implicit conversion to or from numbers and pointers.
// What not Never dereferenced here; memory copies from it.
// Threads  Values only.
// Failure  A null address is an ordinary value; arithmetic wraps as the machine's does.
#pragma once

#include <compare>
#include <cstdint>

namespace tierup {

class Address {
public:
    constexpr Address() noexcept = default;
    constexpr explicit Address(std::uint64_t value) noexcept : value_(value) {}

    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
    [[nodiscard]] constexpr bool is_null() const noexcept { return value_ == 0; }

    [[nodiscard]] constexpr Address plus(std::int64_t offset_bytes) const noexcept {
        return Address(value_ + static_cast<std::uint64_t>(offset_bytes));
    }

    friend constexpr auto operator<=>(Address, Address) noexcept = default;

private:
    std::uint64_t value_ = 0;
};

}  // namespace tierup
