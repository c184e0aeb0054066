// What     Sleep until a 32-bit word changes, and wake the sleepers.
// What not No fairness, no queue of its own; the caller owns the word's meaning and re-checks it after every return.
// Threads  Any; within this process only.
// Failure  Status::timed_out after the limit. Status::ok says only "look again": woken, changed before the sleep, or spurious.
// Source   futex(2), FUTEX_WAIT and FUTEX_WAKE with FUTEX_PRIVATE_FLAG.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/status.h"

namespace tierup::os {

inline constexpr std::uint64_t kNoTimeout_ns = UINT64_MAX;

[[nodiscard]] Status futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept;

/// Wakes at most `count` sleepers. Store the word first (release), so that a thread that is about to sleep sees the change.
void futex_wake(const std::atomic<std::uint32_t>& word, int count) noexcept;

}  // namespace tierup::os
