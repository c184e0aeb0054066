// What     The monotonic clock by clock_gettime.
// Source   clock_gettime(2), CLOCK_MONOTONIC.
#include "os/clock.h"

#include <ctime>

namespace tierup::os {

std::uint64_t monotonic_now_ns() noexcept {
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace tierup::os
