// What     Waits for conditions: begin/cancel with a callback, or block with a time-out. One dispatcher thread while somebody waits.
// What not Does not know what it waits for (Probe) and compiles, counts or promotes nothing.
// Threads  All but configure() and set_demand() on any thread; ring() inside the runtime's event callbacks too. No call waits behind an
//          evaluation or a callback: both run without the lock.
// Failure  Status::exhausted when a thread or memory can't be had; then nothing is left behind. A probe that never says
//          satisfied leaves cancelling and time-outs working.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/status.h"
#include "os/mutex.h"
#include "watch/backoff.h"
#include "watch/bell.h"
#include "watch/clock.h"
#include "watch/demand.h"
#include "watch/probe.h"
#include "watch/resources.h"
#include "watch/waiter_table.h"

namespace tierup::watch {

/// Runs on the dispatcher thread without a lock; may begin and cancel waits, must not block. Status::ok or Status::unknown.
using Callback = void (*)(void* context, Status status);

/// Spinning helps the one who waits for a compile that is under way; with more waits than this pending it would only take a processor.
inline constexpr std::uint64_t kMaxPendingToSpin = 4;

/// With events on, so many blocked callers are woken by the bell itself and evaluate on their own threads: one hop from the event. More would
/// be a crowd to wake at each event; the others are served by the dispatcher.
inline constexpr std::uint32_t kSeats = 4;

/// What an event asks for.
enum class Urgency : std::uint32_t {
    news = 1,  ///< Look at the waits whose Probe::news changed.
    all = 2    ///< Look at everybody.
};

struct WatcherStatistics {
    bool is_dispatcher_running = false;
    std::uint64_t waits_pending = 0;
    std::uint64_t waits_ended = 0;  ///< Registered waits that left for any reason: completed, cancelled, timed out.
    std::uint64_t evaluations = 0;  ///< By the dispatcher.
    std::uint64_t rounds = 0;       ///< By the dispatcher.
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
    /// Behind configure(), if somebody is to be told who waits; outlives the watcher.
    void set_demand(Demand& demand) noexcept { demand_ = &demand; }
    /// Behind configure(): how long one who was rung for may spin while the effect of the event is imminent. 0, as it begins, on one processor.
    void set_follow_spin(std::uint64_t spin_ns) noexcept { follow_spin_ns_ = spin_ns; }

    /// Status::ok and `wait_id` 0: the condition holds. Status::ok otherwise: the callback runs once, unless the wait is
    /// cancelled; `wait_id` is written before it can run. Status::unknown: undecidable. Nothing is begun on any other status.
    Status begin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, void* context, std::uint64_t& wait_id,
                 std::uint64_t& answer) noexcept;

    /// Status::ok: the callback has not run and will not. Status::absent: it has, does or will; or there is no such wait.
    Status cancel(std::uint64_t wait_id) noexcept;

    /// Status::ok, timed_out or unknown; `answer` is the last one seen. Status::unsupported inside a callback, which must not block.
    Status block(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, std::uint64_t timeout_ns,
                 std::uint64_t& answer) noexcept;

    /// Something happened that may end waits: called after it happened (and after Probe::news was changed). Lock-free, allocates nothing, and
    /// makes a system call only where somebody sleeps who serves a wait.
    void ring(Urgency urgency) noexcept;

    /// Whether events ring from now on. Off (as it begins): waits are polled on the short backoff. On: looked at when rung for, and as a backstop.
    void set_signals(bool are_on) noexcept;

    [[nodiscard]] WatcherStatistics statistics() const noexcept;

private:
    struct Desk;  // see watcher_dispatch.cpp
    struct Candidate;
    struct Seat {
        std::uint32_t index = kSeats;  ///< kSeats: none.
        [[nodiscard]] bool is_taken() const noexcept { return index != kSeats; }
    };

    [[nodiscard]] bool is_configured() const noexcept { return probe_ != nullptr; }
    [[nodiscard]] bool is_dispatcher_thread() const noexcept;

    Evaluation evaluate_with_spin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns) noexcept;
    Evaluation spin_while_imminent(Evaluation evaluation, std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns) noexcept;
    Status register_waiter(const Waiter& waiter, Pace pace, std::uint64_t& wait_id, Seat* seat = nullptr) noexcept;
    void summon() noexcept;
    void rouse_seats() noexcept;
    [[nodiscard]] bool remove_locked(std::uint64_t wait_id) noexcept;

    void sleep_until_ended(const BlockedCaller& caller, std::uint64_t deadline_ns) noexcept;
    Status leave_blocked(const BlockedCaller& caller, std::uint64_t wait_id, std::uint64_t& answer) noexcept;
    Status serve_oneself(const Waiter& waiter, Seat seat, std::uint64_t wait_id, std::uint64_t deadline_ns, std::uint64_t& answer) noexcept;
    void leave_seat(std::uint64_t wait_id, Seat seat) noexcept;

    static void run_dispatcher(void* watcher) noexcept;
    void dispatch() noexcept;
    void begin_round(Desk& desk) noexcept;
    void evaluate_each(Desk& desk) noexcept;
    [[nodiscard]] bool is_due(const Waiter& waiter, const Desk& desk, Candidate& candidate) noexcept;
    void settle(const Candidate& candidate, const Evaluation& evaluation, Desk& desk) noexcept;
    void end_wait(std::uint64_t wait_id, Status status, std::uint64_t answer, Desk& desk) noexcept;
    [[nodiscard]] bool sleep_or_end(Desk& desk) noexcept;
    void tell_conditions(Desk& desk, std::uint32_t conditions) noexcept;
    [[nodiscard]] bool is_shrinking_locked(Desk& desk) const noexcept;
    [[nodiscard]] std::uint64_t pause_locked(Desk& desk) noexcept;

    Probe* probe_ = nullptr;
    Clock* clock_ = nullptr;
    Resources* resources_ = nullptr;
    Demand* demand_ = nullptr;  // null: nobody is told
    Callback on_wait_ended_ = nullptr;
    std::uint64_t follow_spin_ns_ = 0;

    Bell bell_;                          // struck for every event, newcomer and last one to leave
    Bed dispatcher_bed_;                 // the dispatcher's; those of the seats are beds_
    std::array<Bed, kSeats> beds_;       // of blocked callers that serve themselves
    std::atomic<std::uint32_t> due_{0};  // Urgency bits since the dispatcher's last round
    std::atomic<bool> are_signals_on_{false};

    os::Mutex mutex_;
    WaiterTable table_;                                // under mutex_
    std::uint32_t seats_taken_ = 0;                    // under mutex_: bit k is beds_[k]
    bool is_backoff_stale_ = false;                    // under mutex_: an imminent waiter came, begin with short pauses again
    std::atomic<bool> is_dispatcher_running_{false};   // written under mutex_; relaxed reads for statistics
    std::atomic<std::uint64_t> dispatcher_thread_{0};  // the id of the running dispatcher's thread
    std::atomic<bool> is_somebody_spinning_{false};
    std::atomic<std::uint64_t> waits_pending_{0};  // written under mutex_; relaxed reads elsewhere
    std::atomic<std::uint64_t> waits_ended_{0};    // written under mutex_
    std::atomic<std::uint64_t> evaluations_{0};    // written by the dispatcher
    std::atomic<std::uint64_t> rounds_{0};         // written by the dispatcher
};

}  // namespace tierup::watch
