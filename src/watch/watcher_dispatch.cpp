// What     The dispatcher's side of the watcher: telling who waits, rounds, ending waits, sleeping between rounds, ending itself.
// What not The callers' side is watcher.cpp and watcher_block.cpp.
// Threads  The one dispatcher thread. [D1]…[D6] are the steps of the same names in tests/unit/watcher_model.h.
// Failure  Nothing here can fail; a probe or callback that does not return stops all waits but no cancel and no time-out.
#include <algorithm>
#include <array>

#include "os/thread.h"
#include "watch/watcher.h"

namespace tierup::watch {
namespace {

/// So many waiters are copied out, or passed over because nothing is new for them, under one lock: a few microseconds of it.
constexpr std::size_t kBatchWaiters = 64;
constexpr std::size_t kPassedOverPerLock = 512;

}  // namespace

struct Watcher::Candidate {
    std::uint64_t wait_id;
    std::uint64_t subject;
    std::uint64_t answer;
    std::uint32_t condition;
    std::uint32_t news;
    std::uint64_t follow_until_ns;
    bool is_fresh;
    bool has_news;
};

/// What the dispatcher thread knows from round to round, and of the round that it is in.
struct Watcher::Desk {
    Backoff polling;                     ///< signals off
    Backoff following;                   ///< signals on: behind news
    std::uint32_t told = 0;              ///< The conditions as on_conditions() was told last.
    std::uint64_t shrink_at_ns = 0;      ///< When it is to hear that some are gone; 0: none are.
    std::uint64_t next_backstop_ns = 0;  ///< signals on: when everybody is looked at again
    std::uint64_t next_follow_ns = 0;    ///< and when those are that are followed up
    // of this round:
    std::uint32_t strokes = 0;
    std::uint32_t due = 0;  ///< Urgency bits
    bool are_signals_on = false;
    bool is_over_all = false;
    bool is_follow_due = false;
    std::uint64_t now_ns = 0;        ///< When it began, or behind the last on_conditions().
    bool has_changed = false;        ///< An answer.
    bool has_followed_more = false;  ///< Somebody's follow-up began.
    Pace pace = Pace::distant;
    std::uint32_t followed = 0;  ///< Pending waits that are followed up.
    std::uint32_t evaluated = 0;
    std::uint32_t ended = 0;
};

void Watcher::run_dispatcher(void* watcher) noexcept {
    static_cast<Watcher*>(watcher)->dispatch();
}

void Watcher::dispatch() noexcept {
    dispatcher_thread_.store(os::current_thread_id(), std::memory_order_relaxed);
    Desk desk;
    bool is_first = true;
    do {
        begin_round(desk);
        evaluate_each(desk);
        if (is_first && demand_ != nullptr) {
            demand_->on_thread_began();
        }
        is_first = false;
    } while (sleep_or_end(desk));
    // Not a step further: another dispatcher may be at work already.
}

// Race     A wait of a new kind is registered while the round begins.
// Window   Between the look at the table's conditions and the first waiter of the round.
// Harmless Both are one locked section [D1]: a waiter in this round has its events on; one that comes later has a round of its own, which
//          begins with that look. The strokes are read before, so its summons are not slept on.
// Test     an_event_while_events_are_switched_on_is_seen; watcher_model_test: mutation demand_behind_the_round.
void Watcher::begin_round(Desk& desk) noexcept {
    for (;;) {
        desk.strokes = bell_.strokes();  // [D1] before anything that a striker may change
        std::uint32_t wanted = 0;
        {
            const os::LockGuard guard(mutex_);
            wanted = table_.conditions();
            if ((wanted & ~desk.told) == 0) {
                table_.begin_round();
                break;
            }
        }
        tell_conditions(desk, desk.told | wanted);
        bell_.strike();  // an event that came while they were switched on is seen by the looks that follow: ours,
        rouse_seats();   // and those of the callers that serve themselves
    }
    desk.due |= due_.exchange(0, std::memory_order_acquire);  // partner: the release in ring()
    desk.are_signals_on = are_signals_on_.load(std::memory_order_relaxed);
    desk.now_ns = clock_->now_ns();
    desk.is_over_all =
        !desk.are_signals_on || (desk.due & static_cast<std::uint32_t>(Urgency::all)) != 0 || desk.now_ns >= desk.next_backstop_ns;
    desk.is_follow_due = desk.now_ns >= desk.next_follow_ns;
    desk.has_changed = desk.has_followed_more = false;
    desk.pace = Pace::distant;
    desk.followed = desk.evaluated = desk.ended = 0;
}

void Watcher::tell_conditions(Desk& desk, std::uint32_t conditions) noexcept {
    desk.told = conditions;
    if (demand_ != nullptr) {
        demand_->on_conditions(conditions);
    }
}

/// Fills in what only the waiter knows; false: nothing is new for it in this round.
bool Watcher::is_due(const Waiter& waiter, const Desk& desk, Candidate& candidate) noexcept {
    candidate.news = probe_->news(waiter.subject, waiter.condition);  // before the evaluation: news during it is news for the next
    const bool is_rung_for = candidate.news != kNewsNotCounted ? candidate.news != waiter.news : desk.due != 0;
    candidate.has_news = !waiter.is_fresh && (is_rung_for || (desk.due & static_cast<std::uint32_t>(Urgency::all)) != 0);
    return desk.is_over_all || waiter.is_fresh || candidate.has_news || (desk.is_follow_due && desk.now_ns < waiter.follow_until_ns);
}

void Watcher::evaluate_each(Desk& desk) noexcept {
    std::array<Candidate, kBatchWaiters> batch;
    for (bool is_over = false; !is_over;) {
        std::size_t count = 0;
        {
            const os::LockGuard guard(mutex_);
            std::uint64_t wait_id = 0;
            for (std::size_t looked = 0; count < batch.size() && looked < kPassedOverPerLock; ++looked) {
                const Waiter* waiter = table_.next_in_round(wait_id);
                if (waiter == nullptr) {
                    is_over = true;
                    break;
                }
                Candidate& candidate = batch[count];
                if (waiter->serves_itself) {
                    continue;
                }
                if (is_due(*waiter, desk, candidate)) {
                    candidate.wait_id = wait_id;
                    candidate.subject = waiter->subject;
                    candidate.answer = waiter->answer;
                    candidate.condition = waiter->condition;
                    candidate.follow_until_ns = waiter->follow_until_ns;
                    candidate.is_fresh = waiter->is_fresh;
                    ++count;
                } else if (desk.now_ns < waiter->follow_until_ns) {
                    ++desk.followed;
                }
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            Evaluation evaluation = probe_->evaluate(batch[i].subject, batch[i].condition);  // [D2]
            if (batch[i].has_news && desk.are_signals_on) {
                evaluation = spin_while_imminent(evaluation, batch[i].subject, batch[i].condition, follow_spin_ns_);
            }
            evaluations_.store(evaluations_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // the only writer
            ++desk.evaluated;
            settle(batch[i], evaluation, desk);
        }
    }
    rounds_.store(rounds_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // the only writer
}

void Watcher::settle(const Candidate& candidate, const Evaluation& evaluation, Desk& desk) noexcept {
    if (evaluation.verdict != Verdict::pending) {
        end_wait(candidate.wait_id, evaluation.verdict == Verdict::satisfied ? Status::ok : Status::unknown, evaluation.answer, desk);
        return;
    }
    if (evaluation.pace == Pace::imminent) {
        desk.pace = Pace::imminent;
    }
    const bool has_changed = evaluation.answer != candidate.answer;
    desk.has_changed = desk.has_changed || has_changed;
    // A fresh one that is imminent is followed too: its event may have come before its events were on.
    const bool is_followed_anew = candidate.has_news || has_changed || (candidate.is_fresh && evaluation.pace == Pace::imminent);
    const std::uint64_t follow_until_ns = is_followed_anew ? desk.now_ns + kFollowNs : candidate.follow_until_ns;
    desk.has_followed_more = desk.has_followed_more || is_followed_anew;
    desk.followed += desk.now_ns < follow_until_ns ? 1 : 0;
    if (is_followed_anew || candidate.is_fresh || candidate.has_news) {
        const os::LockGuard guard(mutex_);
        if (Waiter* waiter = table_.find(candidate.wait_id)) {  // it may have left while it was evaluated
            waiter->answer = evaluation.answer;
            waiter->news = candidate.news;
            waiter->follow_until_ns = follow_until_ns;
            waiter->is_fresh = false;
        }
    }
}

void Watcher::end_wait(std::uint64_t wait_id, Status status, std::uint64_t answer, Desk& desk) noexcept {
    void* context = nullptr;
    {
        const os::LockGuard guard(mutex_);  // [D3]; its races are told at cancel and leave_blocked
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr) {
            return;
        }
        BlockedCaller* caller = waiter->blocked;
        context = waiter->context;
        (void)remove_locked(wait_id);
        ++desk.ended;
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

/// Some conditions are waited for no longer, and have not been for kLingerNs.
bool Watcher::is_shrinking_locked(Desk& desk) const noexcept {
    if ((desk.told & ~table_.conditions()) == 0) {
        desk.shrink_at_ns = 0;
        return false;
    }
    if (desk.are_signals_on && desk.shrink_at_ns == 0) {
        desk.shrink_at_ns = desk.now_ns + kLingerNs;
    }
    return !desk.are_signals_on || desk.now_ns >= desk.shrink_at_ns;
}

std::uint64_t Watcher::pause_locked(Desk& desk) noexcept {
    const bool is_stale = is_backoff_stale_;
    is_backoff_stale_ = false;
    if (!desk.are_signals_on) {
        return desk.polling.next_pause_ns(desk.has_changed || is_stale, is_stale ? Pace::imminent : desk.pace, table_.count());
    }
    if (desk.is_over_all) {
        desk.next_backstop_ns = desk.now_ns + backstop_ns(table_.served_count());
    }
    std::uint64_t until_ns = table_.served_count() != 0 ? desk.next_backstop_ns : kNoTimeLimit;
    if (desk.followed == 0) {
        desk.following = Backoff();
        desk.next_follow_ns = 0;
    } else {
        if (desk.is_follow_due || desk.has_followed_more) {
            desk.next_follow_ns = desk.now_ns + desk.following.next_pause_ns(desk.has_followed_more, Pace::imminent, desk.followed);
        }
        until_ns = std::min(until_ns, desk.next_follow_ns);
    }
    if (desk.shrink_at_ns != 0) {
        until_ns = std::min(until_ns, desk.shrink_at_ns);
    }
    if (table_.served_count() != table_.count()) {
        until_ns = std::min(until_ns, desk.now_ns + kLingerNs);  // a seat is left silently
    }
    return until_ns == kNoTimeLimit ? kNoTimeLimit : until_ns - std::min(until_ns, desk.now_ns);
}

/// False: no waiter is left, and the thread no longer counts as the dispatcher.
bool Watcher::sleep_or_end(Desk& desk) noexcept {
    std::uint64_t pause_ns = 0;
    Sleep depth = Sleep::light;
    if (demand_ != nullptr) {
        demand_->on_round({desk.told, static_cast<std::uint32_t>(waits_pending_.load(std::memory_order_relaxed)), desk.evaluated,
                           desk.ended, desk.is_over_all});
    }
    desk.now_ns = clock_->now_ns();
    for (;;) {
        std::uint32_t wanted = 0;
        {
            const os::LockGuard guard(mutex_);  // [D5]; its races are told at register_waiter
            wanted = table_.conditions();
            if (!is_shrinking_locked(desk)) {
                if (desk.told == 0 && table_.count() == 0) {
                    dispatcher_thread_.store(0, std::memory_order_relaxed);
                    is_dispatcher_running_.store(false, std::memory_order_relaxed);
                    return false;
                }
                pause_ns = pause_locked(desk);
                depth = table_.served_count() != 0 ? Sleep::light : Sleep::deep;
                break;
            }
        }
        tell_conditions(desk, desk.told & wanted);
        desk.shrink_at_ns = 0;
    }
    desk.due = 0;
    dispatcher_bed_.sleep(*clock_, bell_, desk.strokes, depth, pause_ns);  // [D6] whatever the reason to return, a round follows
    return true;
}

}  // namespace tierup::watch
