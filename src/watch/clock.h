// What     Time, and sleeping on a word until it changes, as the watcher needs them; a test puts its own clock here.
// What not No calendar time.
// Threads  Any thread, several at once.
// Failure  wait() may return early for no reason; its caller looks again.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/status.h"

namespace tierup::watch {

inline constexpr std::uint64_t kNoTimeLimit = UINT64_MAX;

class Clock {
public:
    /// Monotonic.
    virtual std::uint64_t now_ns() noexcept { return 0; }

    /// Sleeps while `word` equals `expected`, at most `timeout_ns`. Status::timed_out, or Status::ok for every other return.
    virtual Status wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept {
        (void)word, (void)expected, (void)timeout_ns;
        return Status::timed_out;
    }

    /// Ends every wait() on `word`. The caller has changed the word before.
    virtual void wake(const std::atomic<std::uint32_t>& word) noexcept { (void)word; }

protected:
    constexpr Clock() noexcept = default;
    Clock(const Clock&) noexcept = default;
    Clock& operator=(const Clock&) noexcept = default;
    ~Clock() = default;
};

/// The process's own clock and futex.
class SystemClock final : public Clock {
public:
    constexpr SystemClock() noexcept = default;
    std::uint64_t now_ns() noexcept override;
    Status wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept override;
    void wake(const std::atomic<std::uint32_t>& word) noexcept override;
};

}  // namespace tierup::watch
