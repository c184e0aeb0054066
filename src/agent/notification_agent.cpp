// What     The agent's life: loaded by the runtime, sessions, shutdown.
// What not See notification_agent.h.
#include "agent/notification_agent.h"

#include "agent/class_id.h"
#include "os/clock.h"
#include "os/thread.h"

namespace tierup::agent {

using runtime::MethodEvents;
using runtime::SourceState;

namespace {

/// The runtime fires the events of jitted methods only while some session of its provider is at the verbose level (dotnet/runtime
/// src/coreclr/vm/prestub.cpp, JitCompileCodeLockedEventWrapper), and nothing for them while none has the Jit keyword. So the session that stays on
/// is verbose, and a Jit session at the informational level gets the loads alone. Seen on 8 to 11: at level 4 alone no load comes.
constexpr std::uint32_t kCompilationSessionLevel = clr::kVerboseLevel;

constexpr const char* kDetachedReason = "The runtime detached this library as a profiler.";

}  // namespace

clr::Hresult NotificationAgent::get_class_object(const clr::Guid* class_id, const clr::Guid* iid, void** out) noexcept {
    if (class_id == nullptr || iid == nullptr || out == nullptr) {
        return clr::kPointer;
    }
    *out = nullptr;
    return *class_id == kClassId ? query_class_factory(factory_, iid, out) : clr::kClassNotAvailable;
}

/// The runtime, unless it is not there yet or not any more.
clr::ProfilerInfo12* NotificationAgent::runtime_locked() const noexcept {
    // partners: the release stores in on_shutdown and on_initialize
    return is_shut_down_.load(std::memory_order_acquire) ? nullptr : info_.load(std::memory_order_acquire);
}

clr::Hresult NotificationAgent::on_initialize(clr::ClrUnknown& runtime, LoadedBy loaded_by) noexcept {
    // A second load of the same copy (startup variables and a foreign attach): the first one goes on.
    if (info_.load(std::memory_order_acquire) != nullptr) {  // partner: the release store below
        return clr::kProfilerAlreadyActive;
    }
    void* found = nullptr;
    clr::Hresult hresult = runtime.slots->query_interface(&runtime, &clr::kIidProfilerInfo12, &found);
    auto* const info = static_cast<clr::ProfilerInfo12*>(found);
    if (hresult >= 0 && info != nullptr) {
        hresult = info->slots->set_event_mask2(info, 0, clr::kHighMonitorEventPipe);
    }
    if (hresult < 0 || info == nullptr) {
        hresult = hresult < 0 ? hresult : clr::kNoInterface;
        initialize_hresult_.store(hresult, std::memory_order_release);  // partner: the acquire load in load_once
        return hresult;
    }
    info_.store(info, std::memory_order_release);  // partners: the acquire loads of info_
    if (loaded_by == LoadedBy::startup_variables) {
        was_loaded_at_startup_.store(true, std::memory_order_relaxed);
        // Where the runtime is not ready for a session yet, attach() starts it later.
        if (start_compilation_session().status == Status::ok) {
            state_.store(SourceState::attached, std::memory_order_release);  // partner: the acquire loads of state_
        }
    }
    return clr::kOk;
}

AttachOutcome NotificationAgent::start_compilation_session() noexcept {
    os::LockGuard guard(calls_mutex_);
    clr::ProfilerInfo12* const runtime = runtime_locked();
    if (runtime == nullptr) {
        return {.step = AttachStep::load, .status = Status::not_started, .hresult = clr::kRuntimeUninitialized};
    }
    if (!compilation_session_.is_on()) {
        const clr::Hresult hresult = compilation_session_.start(*runtime, clr::kCompilationKeyword, kCompilationSessionLevel);
        if (hresult < 0) {
            return {.step = AttachStep::start_session, .status = clr::to_status(hresult), .hresult = hresult};
        }
    }
    return {.step = AttachStep::done, .status = Status::ok};
}

/// Asks the runtime unless it has been asked before or has loaded us by itself.
AttachOutcome NotificationAgent::load_once() noexcept {
    if (info_.load(std::memory_order_acquire) != nullptr) {  // partner: the release store in on_initialize
        return {.step = AttachStep::done, .status = Status::ok};
    }
    if (was_asked_) {
        return asked_outcome_;
    }
    was_asked_ = true;
    asked_outcome_ = attach_function_();
    if (const clr::Hresult hresult = initialize_hresult_.load(std::memory_order_acquire); hresult < 0) {  // partner: on_initialize
        asked_outcome_ = {.step = AttachStep::watch_events, .status = clr::to_status(hresult), .hresult = hresult};
    } else if (info_.load(std::memory_order_acquire) != nullptr) {  // partner: the release store in on_initialize
        asked_outcome_ = {.step = AttachStep::done, .status = Status::ok};
    } else if (asked_outcome_.status == Status::ok) {
        asked_outcome_ = {.step = AttachStep::be_called, .status = Status::unknown};
    }
    return asked_outcome_;
}

Status NotificationAgent::attach() noexcept {
    os::LockGuard guard(attach_mutex_);
    if (state_.load(std::memory_order_acquire) == SourceState::attached) {  // partner: the release stores of state_
        return Status::ok;
    }
    state_.store(SourceState::attaching, std::memory_order_relaxed);
    const std::uint64_t begin_ns = os::monotonic_now_ns();
    AttachOutcome outcome = load_once();
    if (outcome.status == Status::ok) {
        outcome = start_compilation_session();
    }
    if (outcome.status == Status::ok && !was_loaded_at_startup_.load(std::memory_order_relaxed)) {
        attach_ns_.store(os::monotonic_now_ns() - begin_ns, std::memory_order_relaxed);
    }
    return end_attach(outcome);
}

Status NotificationAgent::end_attach(const AttachOutcome& outcome) noexcept {
    const bool is_ok = outcome.status == Status::ok;
    // Written once: a reader may hold the pointer for ever. A later failure after a failure keeps the first one's sentence.
    if (!is_ok && explanation_[0] == '\0') {
        explain(outcome, explanation_);
    }
    reason_.store(is_ok ? "" : explanation_.data(), std::memory_order_release);  // partner: the acquire load in figures
    // partner: the acquire loads of state_
    state_.store(is_ok ? SourceState::attached : SourceState::failed, std::memory_order_release);
    return outcome.status;
}

/// The new session starts before the old one ends, so that no event is missed; EventDelivery drops what comes twice.
clr::Hresult NotificationAgent::switch_level_locked(clr::ProfilerInfo12& runtime, MethodEvents wanted) noexcept {
    const std::uint32_t level = wanted == MethodEvents::names ? clr::kVerboseLevel : clr::kInformationalLevel;
    EventSession next;
    if (const clr::Hresult hresult = next.start(runtime, clr::kJitKeyword, level); hresult < 0) {
        return hresult;
    }
    if (const clr::Hresult hresult = method_session_.stop(runtime); hresult < 0) {
        (void)next.stop(runtime);
        return hresult;
    }
    method_session_ = next;
    sessions_started_.fetch_add(1, std::memory_order_relaxed);
    return clr::kOk;
}

Status NotificationAgent::set_method_events(MethodEvents wanted) noexcept {
    os::LockGuard guard(calls_mutex_);
    clr::ProfilerInfo12* const runtime = runtime_locked();
    // partner: the release stores of state_
    if (runtime == nullptr || state_.load(std::memory_order_acquire) != SourceState::attached) {
        return Status::not_started;
    }
    const MethodEvents now = method_events_.load(std::memory_order_relaxed);
    if (wanted == now) {
        return Status::ok;
    }
    clr::Hresult hresult = clr::kOk;
    if (wanted == MethodEvents::off) {
        hresult = method_session_.stop(*runtime);
        if (hresult >= 0) {
            forget_method_keyword_locked(*runtime);
        }
    } else if (now == MethodEvents::off) {
        hresult = switch_level_locked(*runtime, wanted);  // there is no other session, so nothing comes twice
    } else {
        delivery_.begin_switch();
        hresult = switch_level_locked(*runtime, wanted);
        delivery_.end_switch();
    }
    if (hresult < 0) {
        return clr::to_status(hresult);
    }
    method_events_.store(wanted, std::memory_order_relaxed);
    return Status::ok;
}

// The runtime computes a provider's keywords anew while a session that stops is still among those that count, so the Jit keyword would stay: each
// compilation would build names that no session takes (0.9 us, jit_throughput_idle 1.08 instead of 1.00). The start of another session computes them
// again. At this level it brings no event of its own. A failure costs no more than what it was to save.
// Source: dotnet/runtime src/native/eventpipe/ep.c, disable_holding_lock; ep-config.c, config_compute_keyword_and_level. Seen on 10.0.12.
void NotificationAgent::forget_method_keyword_locked(clr::ProfilerInfo12& runtime) noexcept {
    EventSession recount;
    if (recount.start(runtime, clr::kCompilationKeyword, clr::kCriticalLevel) >= 0) {
        (void)recount.stop(runtime);
    }
}

runtime::SourceFigures NotificationAgent::figures() const noexcept {
    return {
        .state = state_.load(std::memory_order_acquire),  // partner: the release stores of state_
        .method_events = method_events_.load(std::memory_order_relaxed),
        .was_loaded_at_startup = was_loaded_at_startup_.load(std::memory_order_relaxed),
        .reason = reason_.load(std::memory_order_acquire),  // partner: the release store in end_attach
        .attach_ns = attach_ns_.load(std::memory_order_relaxed),
        .events_received = delivery_.events_received(),
        .method_events_received = delivery_.method_events_received(),
        .sessions_started = sessions_started_.load(std::memory_order_relaxed),
    };
}

void NotificationAgent::on_payload(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload,
                                   std::size_t bytes) noexcept {
    delivery_.deliver(event_id, event_version, payload, bytes);
}

// Race     A call into the runtime may be under way on the engine's thread while the runtime ends.
// Window   The rest of that call, 50 us; a later call sees the flag and is not made.
// Harmless Waits for it, within bounds: a call that itself waits for the thread that ends the runtime must not hold it up for ever. The runtime's
//          memory stays until the process is gone.
// Test     shutdown_waits_for_the_call_under_way_and_no_later_one_is_made
void NotificationAgent::on_shutdown() noexcept {
    is_shut_down_.store(true, std::memory_order_release);  // partner: the acquire load in runtime_locked
    const std::uint64_t deadline_ns = os::monotonic_now_ns() + kShutdownPatience_ns;
    while (!calls_mutex_.try_lock()) {
        if (os::monotonic_now_ns() >= deadline_ns) {
            return;
        }
        os::yield_processor();
    }
    calls_mutex_.unlock();
}

void NotificationAgent::on_detached() noexcept {
    is_shut_down_.store(true, std::memory_order_release);          // partner: the acquire load in runtime_locked
    reason_.store(kDetachedReason, std::memory_order_release);     // partner: the acquire load in figures
    state_.store(SourceState::failed, std::memory_order_release);  // partner: the acquire loads of state_
}

}  // namespace tierup::agent
