// What     The dispatcher's side of the watcher: rounds over all waiters, ending them, sleeping between rounds, ending itself.
// What not The callers' side is watcher.cpp.
// Threads  The one dispatcher thread. [D1]…[D6] are the steps of the same names in tests/unit/watcher_model.h.
// Failure  Nothing here can fail; a probe or callback that does not return stops all waits but no cancel and no time-out.
#include <array>

#include "os/thread.h"
#include "watch/watcher.h"

namespace tierup::watch {
namespace {

struct Candidate {
    std::uint64_t wait_id;
    std::uint64_t subject;
    std::uint64_t answer;
    std::uint32_t condition;
};

/// So many waiters are copied out under one lock: about a microsecond of it.
constexpr std::size_t kBatchWaiters = 64;

}  // namespace

/// What a round saw of the waits that go on.
struct Watcher::Round {
    bool has_changed = false;
    Pace pace = Pace::distant;
};

void Watcher::run_dispatcher(void* watcher) noexcept {
    static_cast<Watcher*>(watcher)->dispatch();
}

void Watcher::dispatch() noexcept {
    dispatcher_thread_.store(os::current_thread_id(), std::memory_order_relaxed);
    Backoff backoff;
    while (sleep_or_end(backoff, evaluate_each())) {
    }
    // Not a step further: another dispatcher may be at work already.
}

Watcher::Round Watcher::evaluate_each() noexcept {
    Round round;
    std::array<Candidate, kBatchWaiters> batch;
    for (bool is_first = true;; is_first = false) {
        std::size_t count = 0;
        {
            const os::LockGuard guard(mutex_);
            if (is_first) {  // [D1]
                is_dispatcher_asleep_ = false;
                table_.begin_round();
            }
            std::uint64_t wait_id = 0;
            while (count < batch.size()) {
                const Waiter* waiter = table_.next_in_round(wait_id);
                if (waiter == nullptr) {
                    break;
                }
                batch[count++] = {wait_id, waiter->subject, waiter->answer, waiter->condition};
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Evaluation evaluation = probe_->evaluate(batch[i].subject, batch[i].condition);             // [D2]
            evaluations_.store(evaluations_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // the only writer
            settle(batch[i].wait_id, batch[i].answer, evaluation, round);
        }
        if (count < batch.size()) {
            return round;
        }
    }
}

void Watcher::settle(std::uint64_t wait_id, std::uint64_t previous_answer, const Evaluation& evaluation, Round& round) noexcept {
    if (evaluation.verdict != Verdict::pending) {
        end_wait(wait_id, evaluation.verdict == Verdict::satisfied ? Status::ok : Status::unknown, evaluation.answer);
        return;
    }
    if (evaluation.pace == Pace::imminent) {
        round.pace = Pace::imminent;
    }
    if (evaluation.answer != previous_answer) {
        round.has_changed = true;
        const os::LockGuard guard(mutex_);
        if (Waiter* waiter = table_.find(wait_id)) {  // it may have left while it was evaluated
            waiter->answer = evaluation.answer;
        }
    }
}

void Watcher::end_wait(std::uint64_t wait_id, Status status, std::uint64_t answer) noexcept {
    void* context = nullptr;
    {
        const os::LockGuard guard(mutex_);  // [D3]; its races are told at cancel and leave_blocked
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr) {
            return;
        }
        BlockedCaller* caller = waiter->blocked;
        context = waiter->context;
        remove_locked(wait_id);
        if (caller != nullptr) {
            caller->status = status;
            caller->answer = answer;
            // Relaxed: the caller takes the lock before it reads more.
            caller->state.store(BlockedCaller::kEnded, std::memory_order_relaxed);
            clock_->wake(caller->state);  // under the lock, for the caller's stack may be gone after it
            return;
        }
    }
    on_wait_ended_(context, status);  // [D4] without the lock: it may begin and cancel waits
}

/// False: no waiter is left, and the thread no longer counts as the dispatcher.
bool Watcher::sleep_or_end(Backoff& backoff, const Round& round) noexcept {
    std::uint64_t pause_ns = 0;
    std::uint32_t bell = 0;
    {
        const os::LockGuard guard(mutex_);  // [D5]; its races are told at register_waiter and ring_locked
        if (table_.count() == 0) {
            dispatcher_thread_.store(0, std::memory_order_relaxed);
            is_dispatcher_running_.store(false, std::memory_order_relaxed);
            return false;
        }
        const Pace pace = is_backoff_stale_ ? Pace::imminent : round.pace;
        pause_ns = backoff.next_pause_ns(round.has_changed || is_backoff_stale_, pace, table_.count());
        is_backoff_stale_ = false;
        is_dispatcher_asleep_ = true;
        bell = bell_.load(std::memory_order_relaxed);
    }
    (void)clock_->wait(bell_, bell, pause_ns);  // [D6]; whatever the reason to return, a round follows
    return true;
}

}  // namespace tierup::watch
