// What     The system clock of watch, over os.
// What not No policy.
// Threads  Any.
// Failure  See clock.h.
#include "watch/clock.h"

#include <climits>

#include "os/clock.h"
#include "os/futex.h"

namespace tierup::watch {

std::uint64_t SystemClock::now_ns() noexcept {
    return os::monotonic_now_ns();
}

Status SystemClock::wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept {
    return os::futex_wait(word, expected, timeout_ns);
}

void SystemClock::wake(const std::atomic<std::uint32_t>& word) noexcept {
    os::futex_wake(word, INT_MAX);
}

}  // namespace tierup::watch
