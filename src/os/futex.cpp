// What     futex_wait and futex_wake by the system call; glibc has no wrapper.
// Source   futex(2); the timeout of FUTEX_WAIT is relative and runs on CLOCK_MONOTONIC.
#include "os/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <ctime>

namespace tierup::os {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t), "the kernel looks at the plain word");

Status futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept {
    timespec timeout{};
    timespec* limit = nullptr;
    if (timeout_ns != kNoTimeout_ns) {
        timeout.tv_sec = static_cast<time_t>(timeout_ns / 1'000'000'000u);
        timeout.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000u);
        limit = &timeout;
    }
    const long result = syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, expected, limit, nullptr, 0);
    return result == -1 && errno == ETIMEDOUT ? Status::timed_out : Status::ok;
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) noexcept {
    (void)syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, nullptr, nullptr, 0);
}

}  // namespace tierup::os
