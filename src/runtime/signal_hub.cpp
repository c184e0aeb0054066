#include "runtime/signal_hub.h"

#include "os/thread.h"
#include "runtime/manager_view.h"
#include "runtime/method_probe.h"
#include "runtime/process_view.h"

namespace tierup::runtime {
namespace {

constexpr const char* kAttachThreadName = "tierup-attach";

constexpr std::uint32_t bit_of(Condition condition) noexcept {
    return watch::bit_of_condition(static_cast<std::uint32_t>(condition));
}
constexpr std::uint32_t kMethodConditions = bit_of(Condition::final_or_counting) | bit_of(Condition::final);

[[nodiscard]] TieringEventKind kind_of(clr::RuntimeEventKind kind) noexcept {
    switch (kind) {
        case clr::RuntimeEventKind::method_loaded: return TieringEventKind::published;
        case clr::RuntimeEventKind::jit_started: return TieringEventKind::jit_started;
        case clr::RuntimeEventKind::delay_began: return TieringEventKind::delay_began;
        case clr::RuntimeEventKind::delay_ended: return TieringEventKind::delay_ended;
        case clr::RuntimeEventKind::batch_began: return TieringEventKind::batch_began;
        case clr::RuntimeEventKind::batch_ended: return TieringEventKind::batch_ended;
    }
    return TieringEventKind::published;
}

/// False: this kind of event is no step of the worker.
[[nodiscard]] bool step_of(clr::RuntimeEventKind kind, record::StepKind& step) noexcept {
    switch (kind) {
        case clr::RuntimeEventKind::method_loaded: step = record::StepKind::method_loaded; return true;
        case clr::RuntimeEventKind::jit_started: step = record::StepKind::jit_started; return true;
        case clr::RuntimeEventKind::delay_ended: step = record::StepKind::delay_ended; return true;
        case clr::RuntimeEventKind::batch_began: step = record::StepKind::batch_began; return true;
        case clr::RuntimeEventKind::batch_ended: step = record::StepKind::batch_ended; return true;
        case clr::RuntimeEventKind::delay_began: break;
    }
    return false;
}

[[nodiscard]] record::EventText text_of(const clr::Utf16Text& text) noexcept {
    return {.text = text.text, .units = text.units};
}

}  // namespace

void SignalHub::connect(const Parts& parts, bool is_allowed) noexcept {
    parts_ = parts;
    is_allowed_.store(is_allowed, std::memory_order_relaxed);
    track_.set_queue_reader(parts.queue_reader);
    is_connected_.store(true, std::memory_order_release);  // partner: the acquire load in on_event
    parts_.watcher->set_demand(*this);
    if (source_ != nullptr && source_->figures().state == SourceState::attached) {  // by the startup variables
        is_requested_.store(true, std::memory_order_relaxed);
        finish_attach();
    }
}

void SignalHub::on_event(const clr::RuntimeEvent& event, std::uint64_t time_ns, std::uint32_t thread) noexcept {
    const Parts* const parts = is_connected_.load(std::memory_order_acquire) ? &parts_ : nullptr;  // partner: connect
    if (parts != nullptr) {
        parts->manager->on_event(event, thread);
    }
    bool must_ring = note(parts, event);
    must_ring = tell_streams(parts, event, time_ns, thread) || must_ring;
    if (parts != nullptr && must_ring) {
        parts->watcher->ring(watch::Urgency::news);
    }
}

/// What the event changes in what predicates read; true: somebody may have waited for that.
bool SignalHub::note(const Parts* parts, const clr::RuntimeEvent& event) noexcept {
    switch (event.kind) {
        case clr::RuntimeEventKind::batch_began: board_.on_batch_began(); break;
        case clr::RuntimeEventKind::batch_ended: board_.on_batch_ended(); break;
        case clr::RuntimeEventKind::delay_ended: board_.on_delay_ended(); break;
        case clr::RuntimeEventKind::delay_began:
            board_.on_delay_began();
            if (parts != nullptr) {
                parts->process->note_delay();
            }
            return false;
        case clr::RuntimeEventKind::method_loaded: return parts != nullptr && mark_loaded(*parts, event);
        case clr::RuntimeEventKind::jit_started: return false;
    }
    if (parts != nullptr) {
        parts->process->witness_work();
    }
    return true;
}

bool SignalHub::mark_loaded(const Parts& parts, const clr::RuntimeEvent& event) noexcept {
    if (event.tier == Tier::tier1_osr) {
        return false;  // never an entry point
    }
    MethodRecord* const record = parts.methods->find(event.method.value());
    if (record == nullptr) {
        return false;
    }
    record->loaded.store(pack({.code = event.code, .tier = event.tier}), std::memory_order_seq_cst);  // partner: MethodProbe::evaluate
    record->news.fetch_add(1, std::memory_order_release);                                             // partner: MethodProbe::news
    return record->is_waited_for.load(std::memory_order_seq_cst);                                     // partner: MethodProbe::evaluate
}

void SignalHub::keep_compiling(const clr::RuntimeEvent& event, const record::Promotion& promotion) noexcept {
    const bool is_method_event = event.kind == clr::RuntimeEventKind::jit_started || event.kind == clr::RuntimeEventKind::method_loaded;
    if (is_method_event && !promotion.is_background) {
        return;  // another thread's
    }
    const bool is_start = event.kind == clr::RuntimeEventKind::jit_started;
    compiling_.store(is_start ? pack({.code = event.method, .tier = promotion.tier}) : 0, std::memory_order_relaxed);
}

CompilationInProgress SignalHub::compiling() const noexcept {
    const LoadedCode packed = unpack_loaded(compiling_.load(std::memory_order_relaxed));
    return {.method = packed.code, .tier = packed.tier};
}

bool SignalHub::tell_streams(const Parts* parts, const clr::RuntimeEvent& event, std::uint64_t time_ns, std::uint32_t thread) noexcept {
    record::Promotion promotion;
    record::BackgroundStep step{.tier = event.tier,
                                .is_dynamic = event.is_dynamic,
                                .thread = thread,
                                .time_ns = time_ns,
                                .method = event.method,
                                .module = event.module,
                                .code = event.code,
                                .code_bytes = event.code_bytes,
                                .token = event.token};
    if (event.kind == clr::RuntimeEventKind::jit_started && parts != nullptr) {
        step.tier = published_.next(event.method, *parts->settings);
    } else if (event.kind == clr::RuntimeEventKind::method_loaded && event.tier != Tier::tier1_osr) {
        published_.see(event.method, event.tier);
    }
    if (step_of(event.kind, step.kind)) {
        promotion = track_.on_step(step);
        keep_compiling(event, promotion);
    }
    if (!streams_.is_listening()) {
        return false;
    }
    const bool is_start = event.kind == clr::RuntimeEventKind::jit_started;
    const TieringEvent told{.kind = kind_of(event.kind),
                            .tier = is_start ? promotion.tier : event.tier,
                            .time_ns = time_ns,
                            .method = event.method.value(),
                            .module = event.module.value(),
                            .code = event.code.value(),
                            .node = promotion.version.value(),
                            .code_bytes = event.code_bytes,
                            .token = event.token,
                            .thread = thread,
                            .count = is_start ? event.il_bytes : event.method_count,
                            .jitted = event.jitted_count};
    const record::EventNames names{.method_namespace = text_of(event.method_namespace),
                                   .method_name = text_of(event.method_name),
                                   .method_signature = text_of(event.method_signature)};
    (void)streams_.write(told, event.method_name.text == nullptr ? nullptr : &names);
    return (conditions_.load(std::memory_order_relaxed) & bit_of(Condition::events)) != 0;
}

void SignalHub::on_conditions(std::uint32_t conditions) noexcept {
    conditions_.store(conditions, std::memory_order_relaxed);
    const bool has_method_waits = (conditions & kMethodConditions) != 0;
    if (!has_method_waits) {
        method_waits_since_ns_.store(0, std::memory_order_relaxed);
        promotion_wait_since_ns_.store(0, std::memory_order_relaxed);
    } else if (method_waits_since_ns_.load(std::memory_order_relaxed) == 0) {
        method_waits_since_ns_.store(parts_.clock->now_ns(), std::memory_order_relaxed);
    }
    if ((conditions & ~kMethodConditions) != 0) {
        request();
    }
    apply_demand();
}

void SignalHub::on_thread_began() noexcept {
    if (parts_.on_thread_began != nullptr) {
        parts_.on_thread_began();
    }
}

void SignalHub::on_round(const watch::RoundFigures&) noexcept {
    const std::uint64_t since_ns = method_waits_since_ns_.load(std::memory_order_relaxed);
    if (since_ns != 0 && !is_requested_.load(std::memory_order_relaxed) && parts_.clock->now_ns() - since_ns >= kLongWaitNs) {
        request();
    }
    if (!are_loads_on() && (is_promotion_awaited() || parts_.manager->wants_samples())) {
        apply_demand();
    }
    parts_.process->learn();
}

void SignalHub::see_promotion_wait(std::uint64_t now_ns, bool at_once) noexcept {
    const std::uint64_t since_ns = promotion_wait_since_ns_.load(std::memory_order_relaxed);
    if (since_ns == 0 || at_once) {
        promotion_wait_since_ns_.store(at_once && now_ns > kPromotionWaitNs ? now_ns - kPromotionWaitNs : now_ns,
                                       std::memory_order_relaxed);
    }
}

// race: a waiter sees its promotion under way just when the last wait is taken out, and notes that behind the dispatcher's clearing
// window: until the next wait begins; a stream that is closed meanwhile applies the demand, and nobody would switch off again
// harmless because: the note counts only while somebody waits for a method
// test: nobody_waits_and_no_method_event_is_received_while_thousands_happen (the matrix); seen once, on 8.0.34 on a busy machine
bool SignalHub::is_promotion_awaited() const noexcept {
    if ((conditions_.load(std::memory_order_relaxed) & kMethodConditions) == 0) {
        return false;
    }
    const std::uint64_t since_ns = promotion_wait_since_ns_.load(std::memory_order_relaxed);
    return since_ns != 0 && parts_.clock->now_ns() - since_ns >= kPromotionWaitNs;
}

void SignalHub::request() noexcept {
    if (source_ == nullptr || !is_allowed() || is_requested_.exchange(true, std::memory_order_relaxed)) {
        return;
    }
    is_attaching_.store(true, std::memory_order_relaxed);
    if (os::start_detached_thread(&SignalHub::run_attach, this, kAttachThreadName) != Status::ok) {
        is_attaching_.store(false, std::memory_order_relaxed);
        is_requested_.store(false, std::memory_order_relaxed);  // a later need may find a thread
    }
}

void SignalHub::run_attach(void* hub) noexcept {
    auto& self = *static_cast<SignalHub*>(hub);
    const Status status = self.source_->attach();
    if (status == Status::ok) {
        self.finish_attach();
    } else {
        self.is_attaching_.store(false, std::memory_order_relaxed);
        self.parts_.watcher->ring(watch::Urgency::all);  // who waits for the attach may look at the reason
    }
}

// Race     A wait is evaluated while the attach is being finished.
// Window   Between the session's beginning and set_signals.
// Harmless set_signals rings for everybody: each wait is evaluated once more with the events on.
// Test     watcher_test: signals_switched_on_make_everybody_due; the matrix's waits that begin before the attach.
void SignalHub::finish_attach() noexcept {
    are_on_.store(true, std::memory_order_release);  // partner: are_on
    is_attaching_.store(false, std::memory_order_relaxed);
    apply_demand();
    parts_.watcher->set_signals(true);
}

void SignalHub::apply_demand() noexcept {
    if (source_ == nullptr || !are_on()) {
        return;
    }
    const os::LockGuard guard(demand_mutex_);
    const bool wants_samples = parts_.manager->wants_samples() && conditions_.load(std::memory_order_relaxed) != 0;
    MethodEvents wanted = MethodEvents::off;
    if (streams_.wants_names()) {
        wanted = MethodEvents::names;
    } else if (streams_.is_listening() || is_promotion_awaited() || wants_samples) {
        wanted = MethodEvents::loads;
    }
    if (source_->figures().method_events != wanted) {
        track_.request_restart();
        const bool is_done = source_->set_method_events(wanted) == Status::ok;
        track_.request_restart();  // the worker may have taken the first one up before the switch was done
        are_loads_on_.store(is_done && wanted != MethodEvents::off, std::memory_order_release);  // partner: are_loads_on
    }
}

Status SignalHub::open_stream(const record::StreamOptions& options, std::uint64_t& stream) noexcept {
    if (source_ == nullptr || !is_allowed() || source_->figures().state == SourceState::failed) {
        return Status::unsupported;
    }
    const Status status = streams_.open(options, stream);
    if (status == Status::ok) {
        request();
        apply_demand();
    }
    return status;
}

Status SignalHub::read_stream(std::uint64_t stream, std::span<std::byte> buffer, std::size_t& bytes) noexcept {
    return streams_.read(stream, buffer, bytes);
}

Status SignalHub::close_stream(std::uint64_t stream) noexcept {
    const Status status = streams_.close(stream);
    if (status == Status::ok) {
        apply_demand();
        parts_.watcher->ring(watch::Urgency::all);  // a wait for its events ends
    }
    return status;
}

SourceFigures SignalHub::figures() const noexcept {
    SourceFigures figures;
    if (source_ != nullptr) {
        figures = source_->figures();
    }
    if (figures.state == SourceState::none && !is_allowed()) {
        figures.state = SourceState::disabled;
        figures.reason = "Signals are off: TierUp.Signals says so, or this runtime can't be watched.";
    } else if (figures.state == SourceState::none && is_attaching_.load(std::memory_order_relaxed)) {
        figures.state = SourceState::attaching;
    }
    return figures;
}

}  // namespace tierup::runtime
