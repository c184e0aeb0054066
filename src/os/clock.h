// What     The monotonic clock: nanoseconds that never go back.
// What not No wall time, no conversion.
// Threads  Any.
// Failure  None; the kernel always has CLOCK_MONOTONIC.
#pragma once

#include <cstdint>

namespace tierup::os {

[[nodiscard]] std::uint64_t monotonic_now_ns() noexcept;

}  // namespace tierup::os
