// What     The callers' side of the watcher: begin, cancel, block, and putting a waiter in front of the dispatcher.
// What not The dispatcher's side is watcher_dispatch.cpp.
// Threads  Any. [C1]…[C4] and [R1] are the steps of the same names in tests/unit/watcher_model.h.
// Failure  See watcher.h.
#include "watch/watcher.h"

#include <algorithm>
#include <type_traits>

#include "os/thread.h"

namespace tierup::watch {
namespace {

constinit SystemResources system_resources;

static_assert(std::is_trivially_destructible_v<Watcher>);  // a global one needs no code at exit, when its thread may still run

/// Between two evaluations of a spinning caller, about a microsecond: long enough to leave the core's sibling some room.
constexpr int kPausesPerSpin = 16;
/// Every so many evaluations the spinning caller lets others run: on one processor the compile that it waits for, for one.
constexpr std::uint32_t kSpinsPerYield = 8;

void relax(std::uint32_t spin) noexcept {
    for (int i = 0; i < kPausesPerSpin; ++i) {
        os::pause_processor();
    }
    if (spin % kSpinsPerYield == 0) {
        os::yield_processor();
    }
}

constexpr std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) noexcept {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

}  // namespace

void Watcher::configure(Probe& probe, Clock& clock, Callback on_wait_ended, Resources& resources) noexcept {
    probe_ = &probe;
    clock_ = &clock;
    resources_ = &resources;
    on_wait_ended_ = on_wait_ended;
}

void Watcher::configure(Probe& probe, Clock& clock, Callback on_wait_ended) noexcept {
    configure(probe, clock, on_wait_ended, system_resources);
}

Status Watcher::begin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, void* context, std::uint64_t& wait_id,
                      std::uint64_t& answer) noexcept {
    wait_id = 0;
    answer = 0;
    if (!is_configured()) {
        return Status::not_started;
    }
    if (on_wait_ended_ == nullptr) {
        return Status::invalid_argument;
    }
    const Evaluation evaluation = evaluate_with_spin(subject, condition, spin_ns);
    answer = evaluation.answer;
    if (evaluation.verdict != Verdict::pending) {
        return evaluation.verdict == Verdict::satisfied ? Status::ok : Status::unknown;
    }
    return register_waiter({subject, answer, context, nullptr, condition}, evaluation.pace, wait_id);
}

// Race     The dispatcher ends the wait while its caller cancels it.
// Window   Between the dispatcher's evaluation, made without the lock, and its look at the table in end_wait [D3].
// Harmless Both look the id up and remove it in one locked section, ids are never used twice: exactly one of them finds it.
// Test     every_wait_ends_exactly_once_under_stress; watcher_model_test: mutation end_without_revalidating.
Status Watcher::cancel(std::uint64_t wait_id) noexcept {  // [C2]
    bool must_wake = false;
    {
        const os::LockGuard guard(mutex_);
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr || waiter->blocked != nullptr) {  // a blocked caller's id is never given out
            return Status::absent;
        }
        remove_locked(wait_id);
        must_wake = table_.count() == 0 && ring_locked();  // so that the dispatcher ends now, not when its pause does
    }
    if (must_wake) {
        clock_->wake(bell_);  // [R1]
    }
    return Status::ok;
}

Status Watcher::block(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns, std::uint64_t timeout_ns,
                      std::uint64_t& answer) noexcept {
    answer = 0;
    if (!is_configured()) {
        return Status::not_started;
    }
    if (is_dispatcher_thread()) {
        return Status::unsupported;  // nobody would be left to end the wait
    }
    const bool is_limited = timeout_ns != kNoTimeLimit;
    const std::uint64_t deadline_ns = is_limited ? add_saturated(clock_->now_ns(), timeout_ns) : kNoTimeLimit;
    const Evaluation evaluation = evaluate_with_spin(subject, condition, std::min(spin_ns, timeout_ns));
    answer = evaluation.answer;
    if (evaluation.verdict != Verdict::pending) {
        return evaluation.verdict == Verdict::satisfied ? Status::ok : Status::unknown;
    }
    if (is_limited && clock_->now_ns() >= deadline_ns) {
        return Status::timed_out;
    }
    BlockedCaller caller;
    std::uint64_t wait_id = 0;
    const Status status = register_waiter({subject, answer, nullptr, &caller, condition}, evaluation.pace, wait_id);
    if (status != Status::ok) {
        return status;
    }
    sleep_until_ended(caller, deadline_ns);
    return leave_blocked(caller, wait_id, answer);
}

void Watcher::sleep_until_ended(const BlockedCaller& caller, std::uint64_t deadline_ns) noexcept {  // [C3]
    while (caller.state.load(std::memory_order_relaxed) == BlockedCaller::kWaiting) {  // relaxed: the lock of [C4] orders the rest
        std::uint64_t left_ns = kNoTimeLimit;
        if (deadline_ns != kNoTimeLimit) {
            const std::uint64_t now_ns = clock_->now_ns();
            if (now_ns >= deadline_ns) {
                return;
            }
            left_ns = deadline_ns - now_ns;
        }
        (void)clock_->wait(caller.state, BlockedCaller::kWaiting, left_ns);  // whatever the reason to return: look again
    }
}

// Race     The dispatcher ends a blocked caller's wait while the caller's time runs out.
// Window   Between the caller's last look at its state and the lock below; the dispatcher may be inside end_wait [D3] by then.
// Harmless The lock decides: who removes the waiter first says how the wait went, so a wait ended in time is never reported as timed
//          out. The dispatcher touches the caller's stack only under this lock and before the waiter left; here it has left.
// Test     a_blocked_wait_that_ends_at_its_deadline_says_ok; watcher_model_test: mutation return_without_lock.
Status Watcher::leave_blocked(const BlockedCaller& caller, std::uint64_t wait_id, std::uint64_t& answer) noexcept {  // [C4]
    bool must_wake = false;
    {
        const os::LockGuard guard(mutex_);
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr) {
            answer = caller.answer;
            return caller.status;
        }
        answer = waiter->answer;
        remove_locked(wait_id);
        must_wake = table_.count() == 0 && ring_locked();
    }
    if (must_wake) {
        clock_->wake(bell_);  // [R1]
    }
    return Status::timed_out;
}

WatcherStatistics Watcher::statistics() const noexcept {
    return {is_dispatcher_running_.load(std::memory_order_relaxed), waits_pending_.load(std::memory_order_relaxed),
            waits_ended_.load(std::memory_order_relaxed), evaluations_.load(std::memory_order_relaxed)};
}

bool Watcher::is_dispatcher_thread() const noexcept {
    // Relaxed: the value matters only to the thread that wrote it itself.
    const std::uint64_t dispatcher = dispatcher_thread_.load(std::memory_order_relaxed);
    return dispatcher != 0 && dispatcher == os::current_thread_id();
}

Evaluation Watcher::evaluate_with_spin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns) noexcept {
    Evaluation evaluation = probe_->evaluate(subject, condition);
    const auto is_worth_it = [&evaluation] { return evaluation.verdict == Verdict::pending && evaluation.pace == Pace::imminent; };
    if (!is_worth_it() || spin_ns == 0 || waits_pending_.load(std::memory_order_relaxed) > kMaxPendingToSpin || is_dispatcher_thread()) {
        return evaluation;
    }
    // Relaxed: the flag guards no data, it only keeps a second caller from burning a second processor.
    if (is_somebody_spinning_.exchange(true, std::memory_order_relaxed)) {
        return evaluation;
    }
    const std::uint64_t begin_ns = clock_->now_ns();
    for (std::uint32_t spin = 1; is_worth_it() && clock_->now_ns() - begin_ns < spin_ns; ++spin) {
        relax(spin);
        evaluation = probe_->evaluate(subject, condition);
    }
    is_somebody_spinning_.store(false, std::memory_order_relaxed);
    return evaluation;
}

// Race     A waiter is registered while the dispatcher thread is ending, or while it is about to sleep.
// Window   Between the dispatcher's last round and its decision in sleep_or_end [D5]; and between that and its sleep [D6].
// Harmless "Has waiters", "is running" and "is asleep" change only under the lock. The dispatcher ends only where it finds no waiter
//          in the section that clears "is running" [D5]; whoever comes later finds it clear and starts another. And every waiter in
//          the table gets a round of its own, for a dispatcher that was in a round begins another instead of ending.
// Test     threads_come_and_go_with_their_waiters_under_stress; watcher_model_test: mutation end_without_looking.
//
// Race     The condition comes true between the caller's evaluation and its registration.
// Window   From evaluate_with_spin to the lock below.
// Harmless The dispatcher evaluates each waiter at least once after it was registered, and again until it holds.
// Test     a_condition_that_comes_true_before_registration_is_seen; watcher_model_test: no_wakeup_is_lost.
Status Watcher::register_waiter(const Waiter& waiter, Pace pace, std::uint64_t& wait_id) noexcept {  // [C1]
    bool must_wake = false;
    {
        const os::LockGuard guard(mutex_);
        // The caller's own variable is written under the lock, so before the dispatcher can find the waiter and call back.
        if (table_.try_add(waiter, *resources_, wait_id) != Status::ok) {
            return Status::exhausted;
        }
        if (is_dispatcher_running_.load(std::memory_order_relaxed)) {
            is_backoff_stale_ = is_backoff_stale_ || pace == Pace::imminent;
            must_wake = pace == Pace::imminent && ring_locked();
        } else if (resources_->start_thread(&Watcher::run_dispatcher, this) == Status::ok) {
            is_dispatcher_running_.store(true, std::memory_order_relaxed);
            is_backoff_stale_ = false;
        } else {
            table_.remove(wait_id);  // nobody else has seen it: the lock was held all the time
            wait_id = 0;
            return Status::exhausted;
        }
        waits_pending_.store(table_.count(), std::memory_order_relaxed);
    }
    if (must_wake) {
        clock_->wake(bell_);  // [R1]
    }
    return Status::ok;
}

// Race     The dispatcher is told to look again while it falls asleep.
// Window   Between its unlock at the end of sleep_or_end [D5] and the futex's own comparison [D6].
// Harmless The bell changes under the lock in which "is asleep" is read; the dispatcher sleeps only while the bell is as it was under
//          the lock in which it set "is asleep". So it sees the change, or sleeps already and the wake [R1] finds it.
// Test     watcher_model_test: no_wakeup_is_lost, mutations wake_without_bell and sleep_on_late_bell.
bool Watcher::ring_locked() noexcept {
    if (!is_dispatcher_asleep_) {
        return false;
    }
    is_dispatcher_asleep_ = false;                  // one wake is enough
    bell_.fetch_add(1, std::memory_order_relaxed);  // relaxed: the lock orders it, and the kernel's own lock orders the sleep
    return true;
}

void Watcher::remove_locked(std::uint64_t wait_id) noexcept {
    table_.remove(wait_id);
    waits_pending_.store(table_.count(), std::memory_order_relaxed);
    waits_ended_.store(waits_ended_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace tierup::watch
