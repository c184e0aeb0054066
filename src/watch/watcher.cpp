// What     The callers' side of the watcher: begin, cancel, ring, and putting a waiter in front of the dispatcher.
// What not Blocked callers are in watcher_block.cpp, the dispatcher's side in watcher_dispatch.cpp.
// Threads  Any. [C1]…[C7], [R1], [R2] are the steps of the same names in tests/unit/watcher_model.h.
// Failure  See watcher.h.
#include "watch/watcher.h"

#include <bit>
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
    return register_waiter({.subject = subject, .answer = answer, .context = context, .condition = condition}, evaluation.pace, wait_id);
}

// Race     The dispatcher ends the wait while its caller cancels it.
// Window   Between the dispatcher's evaluation, made without the lock, and its look at the table in end_wait [D3].
// Harmless Both look the id up and remove it in one locked section, ids are never used twice: exactly one of them finds it.
// Test     every_wait_ends_exactly_once_under_stress; watcher_model_test: mutation end_without_revalidating.
Status Watcher::cancel(std::uint64_t wait_id) noexcept {  // [C2]
    bool must_summon = false;
    {
        const os::LockGuard guard(mutex_);
        const Waiter* waiter = table_.find(wait_id);
        if (waiter == nullptr || waiter->blocked != nullptr) {  // a blocked caller's id is never given out
            return Status::absent;
        }
        must_summon = remove_locked(wait_id);
    }
    if (must_summon) {
        summon();
    }
    return Status::ok;
}

// Race     The condition comes true and its event rings while the waiter is being registered, or while events are being switched on for it.
// Window   From the caller's evaluation to the lock of [C1]; from there to the return of Demand::on_conditions.
// Harmless Whoever serves the waiter evaluates it at least once after both. An event before that evaluation is seen by it in memory, an event
//          after it changes the strokes that were read before it [D1] [C5]. So the server does not sleep on a world that it has not seen.
// Test     an_event_before_registration_is_seen, an_event_while_events_are_switched_on_is_seen; watcher_model_test: no_wakeup_is_lost, mutations
//          strike_before_change, demand_behind_the_round.
void Watcher::ring(Urgency urgency) noexcept {
    // Release: who takes the bit in begin_round sees what was written before.
    due_.fetch_or(static_cast<std::uint32_t>(urgency), std::memory_order_release);
    bell_.strike();         // [R1]
    if (is_configured()) {  // else nobody can sleep yet
        dispatcher_bed_.rouse(*clock_, Sleep::light);
        rouse_seats();
    }
}

void Watcher::rouse_seats() noexcept {
    for (Bed& bed : beds_) {
        bed.rouse(*clock_, Sleep::light);
    }
}

/// For a newcomer, or because the last one left: the dispatcher is to look even if it serves nobody at the moment.
void Watcher::summon() noexcept {
    if (!are_signals_on_.load(std::memory_order_relaxed) && is_dispatcher_thread() && dispatcher_bed_.is_awake()) {
        return;  // inside a callback or an evaluation: it looks at the table before it sleeps, and its pauses are short
    }
    bell_.strike();  // [R1]
    dispatcher_bed_.rouse(*clock_, Sleep::deep);
}

void Watcher::set_signals(bool are_on) noexcept {
    are_signals_on_.store(are_on, std::memory_order_relaxed);  // ordered by the strokes
    if (!is_configured()) {
        return;
    }
    due_.fetch_or(static_cast<std::uint32_t>(Urgency::all), std::memory_order_release);  // partner: the exchange in begin_round
    summon();
    rouse_seats();
}

WatcherStatistics Watcher::statistics() const noexcept {
    return {is_dispatcher_running_.load(std::memory_order_relaxed), waits_pending_.load(std::memory_order_relaxed),
            waits_ended_.load(std::memory_order_relaxed), evaluations_.load(std::memory_order_relaxed),
            rounds_.load(std::memory_order_relaxed)};
}

bool Watcher::is_dispatcher_thread() const noexcept {
    // Relaxed: the value matters only to the thread that wrote it itself.
    const std::uint64_t dispatcher = dispatcher_thread_.load(std::memory_order_relaxed);
    return dispatcher != 0 && dispatcher == os::current_thread_id();
}

Evaluation Watcher::evaluate_with_spin(std::uint64_t subject, std::uint32_t condition, std::uint64_t spin_ns) noexcept {
    const Evaluation evaluation = probe_->evaluate(subject, condition);
    return is_dispatcher_thread() ? evaluation : spin_while_imminent(evaluation, subject, condition, spin_ns);
}

Evaluation Watcher::spin_while_imminent(Evaluation evaluation, std::uint64_t subject, std::uint32_t condition,
                                        std::uint64_t spin_ns) noexcept {
    const auto is_worth_it = [&evaluation] { return evaluation.verdict == Verdict::pending && evaluation.pace == Pace::imminent; };
    if (!is_worth_it() || spin_ns == 0 || waits_pending_.load(std::memory_order_relaxed) > kMaxPendingToSpin) {
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
// Window   Between the dispatcher's last round and its decision in sleep_or_end [D5]; and between that and its sleep [S3].
// Harmless "Has waiters" and "is running" change only under the lock. The dispatcher ends only where it finds no waiter in the section that
//          clears "is running" [D5]; whoever comes later finds it clear and starts another. A sleep is bell.h's race.
// Test     threads_come_and_go_with_their_waiters_under_stress; watcher_model_test: mutations end_without_looking, register_without_ring.
//
// Race     The condition comes true between the caller's evaluation and its registration.
// Window   From evaluate_with_spin to the lock below.
// Harmless Each waiter is evaluated at least once after it was registered, and again until it holds.
// Test     a_condition_that_comes_true_before_registration_is_seen; watcher_model_test: no_wakeup_is_lost.
Status Watcher::register_waiter(const Waiter& waiter, Pace pace, std::uint64_t& wait_id, Seat* seat) noexcept {  // [C1]
    bool must_summon = false;
    {
        const os::LockGuard guard(mutex_);
        Waiter added = waiter;
        const auto free_seat = static_cast<std::uint32_t>(std::countr_one(seats_taken_));
        added.serves_itself = seat != nullptr && free_seat < kSeats;
        // The caller's own variable is written under the lock, so before the dispatcher can find the waiter and call back.
        if (table_.try_add(added, *resources_, wait_id) != Status::ok) {
            return Status::exhausted;
        }
        if (added.serves_itself && demand_ == nullptr) {
            must_summon = false;  // the dispatcher has nothing to do for it
        } else if (is_dispatcher_running_.load(std::memory_order_relaxed)) {
            is_backoff_stale_ = is_backoff_stale_ || pace == Pace::imminent;
            must_summon = pace == Pace::imminent || are_signals_on_.load(std::memory_order_relaxed);
        } else if (resources_->start_thread(&Watcher::run_dispatcher, this) == Status::ok) {
            is_dispatcher_running_.store(true, std::memory_order_relaxed);
            is_backoff_stale_ = false;
        } else {
            table_.remove(wait_id);  // nobody else has seen it: the lock was held all the time
            wait_id = 0;
            return Status::exhausted;
        }
        if (added.serves_itself) {
            seat->index = free_seat;
            seats_taken_ |= 1u << free_seat;
        }
        waits_pending_.store(table_.count(), std::memory_order_relaxed);
    }
    if (must_summon) {
        summon();
    }
    return Status::ok;
}

/// True: the dispatcher should hear of it. The last one left, so that it ends; or the last one of a kind, so that its events end.
bool Watcher::remove_locked(std::uint64_t wait_id) noexcept {
    const std::uint32_t conditions = table_.conditions();
    table_.remove(wait_id);
    waits_pending_.store(table_.count(), std::memory_order_relaxed);
    waits_ended_.store(waits_ended_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const bool is_kind_gone = table_.conditions() != conditions && are_signals_on_.load(std::memory_order_relaxed);
    return table_.count() == 0 || is_kind_gone;
}

}  // namespace tierup::watch
