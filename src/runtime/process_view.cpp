#include "runtime/process_view.h"

#include <algorithm>

#include "base/fence.h"
#include "layout/method_list.h"

namespace tierup::runtime {
namespace {

/// Asking where the AppDomain is costs up to 20 ms (.NET 9); a library that did not know it a few times will not.
constexpr std::uint32_t kMaxAppDomainTries = 3;

/// Inside a callback on the worker's thread.
class CallbackWitness final : public WorkWitness {
public:
    explicit CallbackWitness(std::uint64_t token) noexcept : token_(token) {}
    [[nodiscard]] WorkKnowledge look() const noexcept override { return {.known = WorkKnown::at_work, .token = token_}; }

private:
    std::uint64_t token_;
};

}  // namespace

struct ProcessView::IdleSources {
    const SignalBoard& board;
    ManagerView& manager;
    mutable ManagerSnapshot snapshot;

    [[nodiscard]] BatchEpoch batch_epoch() const noexcept { return board.batch_epoch(); }
    [[nodiscard]] bool queue_is_known() const noexcept { return manager.is_located(); }
    [[nodiscard]] std::uint32_t queued_count() const noexcept {
        // Disabled meanwhile: whatever is wrong with it, it is not a proof of an empty queue.
        return manager.read(snapshot) ? snapshot.queued_count : 1;
    }
    [[nodiscard]] bool completion_is_pending() const noexcept { return snapshot.completion_is_pending; }
};

bool ProcessView::has_tiering() const noexcept {
    return at_.settings.tiered_compilation && at_.settings.call_counting;
}

bool ProcessView::is_delay_active() noexcept {
    ManagerSnapshot snapshot;
    return at_.manager.read(snapshot) && snapshot.delay_is_active;
}

Idle ProcessView::pending_by_loads() const noexcept {
    if (!has_tiering() || at_.worker_flag.read() == WorkerReading::at_rest) {
        return Idle::idle;
    }
    return judge_idle(IdleSources{at_.board, at_.manager, {}});
}

Idle ProcessView::pending() noexcept {
    const Idle judged = pending_by_loads();
    if (judged != Idle::not_known || !is_worker_gone()) {
        return judged;
    }
    ManagerSnapshot snapshot;
    const bool is_nothing_there = at_.manager.read(snapshot) && snapshot.queued_count == 0 && !snapshot.completion_is_pending;
    return is_nothing_there ? Idle::idle : Idle::not_known;
}

std::uint32_t ProcessView::pending_count(Idle judged) const noexcept {
    if (judged == Idle::idle) {
        return 0;
    }
    ManagerSnapshot snapshot;
    std::uint32_t count = 0;
    if (at_.manager.read(snapshot)) {
        const PendingCount completing = at_.completions.count();
        count = snapshot.queued_count + (completing.is_known ? completing.count : snapshot.completion_is_pending ? 1u : 0u);
    }
    count += batch_of(at_.board.batch_epoch()) == Batch::open ? 1u : 0u;
    return std::max(count, 1u);
}

Truth ProcessView::is_tiering_active() noexcept {
    if (!has_tiering() || at_.settings.call_counting_delay_ms == 0 || at_.worker_flag.read() == WorkerReading::at_rest) {
        return Truth::yes;
    }
    ManagerSnapshot snapshot;
    if (!at_.manager.read(snapshot)) {
        return is_worker_gone() ? Truth::yes : Truth::not_known;
    }
    if (snapshot.delay_is_active) {
        remember_list(snapshot.delay_list);
        return Truth::no;
    }
    if (is_batch_open_without_delay()) {
        return Truth::yes;
    }
    const std::uint64_t delays_ended = at_.board.delays_ended();
    const bool is_seen_delay_over = seen_at_delay_.load(std::memory_order_relaxed) != delays_ended;
    if (!at_.worker_flag.is_located() && is_seen_delay_over && !at_.board.may_be_installing()) {
        return Truth::yes;
    }
    const bool was_latest_seen = seen_at_delay_.load(std::memory_order_relaxed) + (delays_ended == 0 ? 0 : 1) >= delays_ended;
    if (was_latest_seen && is_remembered_list_gone()) {
        return Truth::yes;
    }
    return is_worker_gone() ? Truth::yes : Truth::no;
}

// The worker is in a batch and no delay is active: it has left TryDeactivateTieringDelay, which installs the stubs, and is not in it again.
bool ProcessView::is_batch_open_without_delay() noexcept {
    const BatchEpoch before = at_.board.batch_epoch();
    ManagerSnapshot snapshot;
    if (batch_of(before) != Batch::open || !at_.manager.read(snapshot) || snapshot.delay_is_active) {
        return false;
    }
    full_fence();  // partner: the fence in SignalBoard::move_to
    return at_.board.batch_epoch() == before;
}

void ProcessView::note_delay() noexcept {
    ManagerSnapshot snapshot;
    if (at_.manager.read(snapshot) && snapshot.delay_is_active) {
        remember_list(snapshot.delay_list);
    }
}

void ProcessView::remember_list(Address list) noexcept {
    const std::uint64_t delays_ended = at_.board.delays_ended();
    layout::MethodList seen;
    ManagerSnapshot again;
    if (at_.reader.try_read_value(list, seen) != Status::ok || !seen.fits() || !at_.manager.read(again) || again.delay_list != list) {
        return;  // it ended while we looked
    }
    seen_flags_.store(seen.flags, std::memory_order_relaxed);
    seen_allocated_.store(seen.allocated_bytes, std::memory_order_relaxed);
    seen_at_delay_.store(delays_ended, std::memory_order_relaxed);
    seen_list_.store(list.value(), std::memory_order_release);  // partner: the acquire load in is_remembered_list_gone
}

// Race     The worker deletes the list behind the last stub that it installs; its memory is free, then something else.
// Window   From the deletion on.
// Harmless While the stubs are being installed nobody changes the list. So anything else in its place proves that they are installed; a list that
//          seems to be there still proves nothing, and another proof is waited for.
// Test     a_deleted_list_shows_that_the_stubs_are_installed (tests/unit/process_view_test.cpp); the matrix's WaitForTieredCompilationActive rows.
bool ProcessView::is_remembered_list_gone() const noexcept {
    const Address list(seen_list_.load(std::memory_order_acquire));  // partner: remember_list
    if (list.is_null()) {
        return false;
    }
    layout::MethodList now;
    if (at_.reader.try_read_value(list, now) != Status::ok) {
        return true;
    }
    return !now.fits() || now.flags != seen_flags_.load(std::memory_order_relaxed) ||
           now.allocated_bytes < seen_allocated_.load(std::memory_order_relaxed);
}

bool ProcessView::is_worker_gone() noexcept {
    const std::uint64_t now_ns = at_.clock.now_ns();
    if (now_ns - last_thread_look_ns_.load(std::memory_order_relaxed) < kThreadLookIntervalNs) {
        return false;
    }
    last_thread_look_ns_.store(now_ns, std::memory_order_relaxed);
    if (WorkerWatch::is_at_work() != Truth::no) {
        return false;
    }
    ManagerSnapshot snapshot;
    const bool is_nothing_there =
        at_.manager.read(snapshot) && !snapshot.delay_is_active && snapshot.queued_count == 0 && !snapshot.completion_is_pending;
    return is_nothing_there && WorkerWatch::is_at_work() == Truth::no;  // nor has one begun meanwhile
}

Truth ProcessView::is_at_work() const noexcept {
    if (at_.worker_flag.read() == WorkerReading::at_rest) {
        return Truth::no;
    }
    switch (judge_idle(IdleSources{at_.board, at_.manager, {}})) {
        case Idle::idle: return Truth::no;
        case Idle::pending: return Truth::yes;
        case Idle::not_known: break;
    }
    return WorkerWatch::is_at_work();
}

WorkKnowledge ProcessView::look() const noexcept {
    ManagerSnapshot snapshot;
    if (!at_.manager.read(snapshot) || !snapshot.is_consistent) {
        return {};
    }
    if (snapshot.delay_is_active) {
        return {.known = WorkKnown::at_work, .token = snapshot.delay_list.value()};
    }
    if (snapshot.queued_count != 0 || snapshot.completion_is_pending) {
        return {.known = WorkKnown::at_work, .token = at_.board.batch_epoch() << 1 | 1};
    }
    return {.known = WorkKnown::at_rest, .token = 0};
}

void ProcessView::witness_work() noexcept {
    (void)at_.worker_flag.sample(CallbackWitness(at_.board.batch_epoch() << 1 | 1), SampleSize::small);
}

/// Where a version's node names its method is learned from one that stands in the queue.
void ProcessView::learn_version_nodes() noexcept {
    ManagerSnapshot snapshot;
    const bool is_wanted = at_.manager.version_nodes().method_offset() == VersionNodes::kPoison;
    if (is_wanted && at_.manager.read(snapshot) && snapshot.queued_count != 0) {
        layout::QueuedVersion first;
        std::uint32_t count = 0;
        (void)at_.manager.list_queue({&first, 1}, count);
    }
}

void ProcessView::learn() noexcept {
    if (!lesson_mutex_.try_lock()) {
        return;  // another thread is at it
    }
    learn_locked();
    lesson_mutex_.unlock();
}

void ProcessView::learn_locked() noexcept {
    const std::uint64_t now_ns = at_.clock.now_ns();
    if (now_ns - last_lesson_ns_.load(std::memory_order_relaxed) < kLessonIntervalNs) {
        return;
    }
    last_lesson_ns_.store(now_ns, std::memory_order_relaxed);
    if (at_.manager.app_domain().is_null() && app_domain_tries_.load(std::memory_order_relaxed) < kMaxAppDomainTries) {
        app_domain_tries_.fetch_add(1, std::memory_order_relaxed);
        (void)at_.manager.find_app_domain();
    }
    if (at_.manager.wants_samples()) {
        (void)at_.manager.vote();
    }
    if (at_.manager.is_located()) {
        (void)at_.worker_flag.sample(*this);
        learn_version_nodes();
    }
}

}  // namespace tierup::runtime
