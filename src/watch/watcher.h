// What     Waits for conditions: begin/cancel with a callback, or block with a time-out. One dispatcher thread while somebody waits.
// What not Does not know what it waits for (Probe) and compiles, counts or promotes nothing.
// Threads  All but configure() on any thread. No call waits behind an evaluation or a callback: both run without the lock.
// Failure  Status::exhausted when a thread or memory can't be had; then nothing is left behind. A probe that never says
//          satisfied leaves cancelling and time-outs working.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/status.h"
#include "os/mutex.h"
#include "watch/backoff.h"
#include "watch/clock.h"
#include "watch/probe.h"
#include "watch/resources.h"
#include "watch/waiter_table.h"

namespace tierup::watch {

/// Runs on the dispatcher thread without a lock; may begin and cancel waits, must not block. Status::ok or Status::unknown.
using Callback = void (*)(void* context, Status status);

/// Spinning helps the one who waits for a compile that is under way; with more waits than this pending it would only take a processor.
inline constexpr std::uint64_t kMaxPendingToSpin = 4;

struct WatcherStatistics {
    bool is_dispatcher_running = false;
    std::uint64_t waits_pending = 0;
    std::uint64_t waits_ended = 0;  ///< Registered waits that left for any reason: completed, cancelled, timed out.
    std::uint64_t evaluations = 0;  ///< By the dispatcher.
};

class Watcher {
public:
    constexpr Watcher() noexcept = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    /// Once, before any other call; the caller publishes the watcher to other threads. All three objects outlive it.
    void configure(Probe& probe, Clock& clock, Callback on_wait_ended, Resources& resources) noexcept;
    /// The same with the process's own thread and memory.
    void configure(Probe& probe, Clock& clock, Callback on_wait_ended) noexcept;

    /// Status::ok and `wait_id` 0: the condition holds. Status::ok otherwise: the callback runs once, unless the wait is
    /// cancelled; `wait_id` is written before it can run. Status::unknown: undecidable. Nothing is begun on any other status.
    Status begin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, void* context, std::uint64_t& wait_id,
                 std::uint64_t& answer) noexcept;

    /// Status::ok: the callback has not run and will not. Status::absent: it has, does or will; or there is no such wait.
    Status cancel(std::uint64_t wait_id) noexcept;

    /// Status::ok, timed_out or unknown; `answer` is the last one seen. Status::unsupported inside a callback, which must not block.
    Status block(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, std::uint64_t timeout_ns,
                 std::uint64_t& answer) noexcept;

    [[nodiscard]] WatcherStatistics statistics() const noexcept;

private:
    struct Round;  // see watcher_dispatch.cpp

    [[nodiscard]] bool is_configured() const noexcept { return probe_ != nullptr; }
    [[nodiscard]] bool is_dispatcher_thread() const noexcept;

    Evaluation evaluate_with_spin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns) noexcept;
    Status register_waiter(const Waiter& waiter, Pace pace, std::uint64_t& wait_id) noexcept;
    void sleep_until_ended(const BlockedCaller& caller, std::uint64_t deadline_ns) noexcept;
    Status leave_blocked(const BlockedCaller& caller, std::uint64_t wait_id, std::uint64_t& answer) noexcept;
    bool ring_locked() noexcept;
    void remove_locked(std::uint64_t wait_id) noexcept;

    static void run_dispatcher(void* watcher) noexcept;
    void dispatch() noexcept;
    Round evaluate_each() noexcept;
    void settle(std::uint64_t wait_id, std::uint64_t previous_answer, const Evaluation& evaluation, Round& round) noexcept;
    void end_wait(std::uint64_t wait_id, Status status, std::uint64_t answer) noexcept;
    bool sleep_or_end(Backoff& backoff, const Round& round) noexcept;

    Probe* probe_ = nullptr;
    Clock* clock_ = nullptr;
    Resources* resources_ = nullptr;
    Callback on_wait_ended_ = nullptr;

    os::Mutex mutex_;
    WaiterTable table_;                                // under mutex_
    bool is_dispatcher_asleep_ = false;                // under mutex_: set before it sleeps on bell_, cleared by who rings or by itself
    bool is_backoff_stale_ = false;                    // under mutex_: an imminent waiter came, begin with short pauses again
    std::atomic<std::uint32_t> bell_{0};               // changed under mutex_, slept on without it
    std::atomic<bool> is_dispatcher_running_{false};   // written under mutex_; relaxed reads for statistics
    std::atomic<std::uint64_t> dispatcher_thread_{0};  // the id of the running dispatcher's thread
    std::atomic<bool> is_somebody_spinning_{false};
    std::atomic<std::uint64_t> waits_pending_{0};  // written under mutex_; relaxed reads elsewhere
    std::atomic<std::uint64_t> waits_ended_{0};    // written under mutex_
    std::atomic<std::uint64_t> evaluations_{0};    // written by the dispatcher
};

}  // namespace tierup::watch
