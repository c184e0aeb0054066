// What     Blocked callers: asleep until the dispatcher ends their wait, or, with events on, serving themselves from a seat at the bell.
// What not No evaluation for anybody else.
// Threads  Any but the dispatcher's. [C1]…[C7] are the steps of the same names in tests/unit/watcher_model.h.
// Failure  See watcher.h.
#include <algorithm>

#include "watch/watcher.h"

namespace tierup::watch {
namespace {

constexpr std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) noexcept {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

}  // namespace

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
    const Waiter waiter{.subject = subject, .answer = answer, .blocked = &caller, .condition = condition};
    std::uint64_t wait_id = 0;
    Seat seat;
    const bool wants_seat = are_signals_on_.load(std::memory_order_relaxed);
    const Status status = register_waiter(waiter, evaluation.pace, wait_id, wants_seat ? &seat : nullptr);
    if (status != Status::ok) {
        return status;
    }
    if (seat.is_taken()) {
        return serve_oneself(waiter, seat, wait_id, deadline_ns, answer);
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
    bool must_summon = false;
    {
        const os::LockGuard guard(mutex_);
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr) {
            answer = caller.answer;
            return caller.status;
        }
        answer = waiter->answer;
        must_summon = remove_locked(wait_id);
    }
    if (must_summon) {
        summon();
    }
    return Status::timed_out;
}

// Race     The bell is struck while a caller in a seat evaluates or falls asleep; or events are switched on for it meanwhile.
// Window   From strokes() to the sleep.
// Harmless The strokes are read before the evaluation [C5], so what the evaluation could miss keeps the caller awake (bell.h). The dispatcher
//          strikes and rouses the seats after it had events switched on, so an evaluation follows that too.
// Test     a_blocked_caller_in_a_seat_misses_no_ring_during_its_look; watcher_model_test: no_wakeup_is_lost, mutations strokes_behind_evaluation,
//          switch_on_silently.
Status Watcher::serve_oneself(const Waiter& waiter, Seat seat, std::uint64_t wait_id, std::uint64_t deadline_ns,
                              std::uint64_t& answer) noexcept {
    Backoff polling;
    Backoff following;
    std::uint64_t follow_until_ns = 0;
    std::uint64_t answer_before = waiter.answer;
    std::uint32_t strokes_before = 0;
    for (bool is_first = true;; is_first = false) {
        const std::uint32_t strokes = bell_.strokes();  // [C5]
        const bool are_on = are_signals_on_.load(std::memory_order_relaxed);
        // Rung for: the event's effect follows within some microseconds, sooner than a sleep would end.
        const std::uint64_t spin_ns = are_on && !is_first && strokes != strokes_before ? follow_spin_ns_ : 0;
        const Evaluation evaluation = evaluate_with_spin(waiter.subject, waiter.condition, spin_ns);  // [C6]
        answer = evaluation.answer;
        if (evaluation.verdict != Verdict::pending) {
            leave_seat(wait_id, seat);
            return evaluation.verdict == Verdict::satisfied ? Status::ok : Status::unknown;
        }
        const std::uint64_t now_ns = clock_->now_ns();
        if (now_ns >= deadline_ns) {
            leave_seat(wait_id, seat);
            return Status::timed_out;
        }
        const bool has_changed = evaluation.answer != answer_before;
        // Any stroke counts as news: a seat's caller was woken by it already.
        const bool has_news = has_changed || (is_first ? evaluation.pace == Pace::imminent : strokes != strokes_before);
        if (has_news) {
            follow_until_ns = now_ns + kFollowNs;
        }
        std::uint64_t pause_ns = backstop_ns(1);
        if (!are_on) {
            pause_ns = polling.next_pause_ns(has_changed, evaluation.pace, 1);
        } else if (now_ns < follow_until_ns) {
            pause_ns = following.next_pause_ns(has_news, Pace::imminent, 1);
        }
        answer_before = evaluation.answer;
        strokes_before = strokes;
        beds_[seat.index].sleep(*clock_, bell_, strokes, Sleep::light, std::min(pause_ns, deadline_ns - now_ns));  // [S1]
    }
}

// Race     The last caller leaves its seat while the dispatcher sleeps.
// Window   As long as that sleep.
// Harmless A summons here would cost the caller a system call, a third of the hop that it has just made. So it leaves silently, and the
//          dispatcher sleeps no longer than kLingerNs while a seat is taken [D5]: events are off at most twice that time after the last wait.
// Test     the_thread_is_gone_soon_after_the_last_caller_left_its_seat; watcher_model_test: mutation long_sleep_beside_seats.
void Watcher::leave_seat(std::uint64_t wait_id, Seat seat) noexcept {  // [C7]
    const os::LockGuard guard(mutex_);
    seats_taken_ &= ~(1u << seat.index);
    (void)remove_locked(wait_id);
}

}  // namespace tierup::watch
