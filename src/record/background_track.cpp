// What     The worker's steps, matched with what its queue held before.
// Threads  Each function but on_step, set_queue_reader, request_restart: the worker's thread only.
// Failure  A compilation that failed without a word (the JIT threw) is DISCARDED when the worker is seen at something later.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp (main at 005d4975).
#include "record/background_track.h"

namespace tierup::record {

namespace {

bool is_about_method(const BackgroundStep& step) noexcept {
    return step.kind == StepKind::jit_started || step.kind == StepKind::method_loaded;
}

TieringEvent event_of(TieringEventKind kind, const KnownNode& node, const BackgroundStep& step) noexcept {
    TieringEvent event;
    event.kind = kind;
    event.tier = node.tier;
    event.time_ns = step.time_ns;
    event.thread = step.thread;
    event.method = node.method.value();
    event.node = node.version.value();
    return event;
}

}  // namespace

/// The worker is in a batch from BackgroundJitStart to BackgroundJitStop, and can't end there; a later thread may have its id.
bool BackgroundTrack::follow_worker(const BackgroundStep& step) noexcept {
    if (is_about_method(step)) {
        return worker_in_batch_.load(std::memory_order_relaxed) == step.thread;
    }
    worker_in_batch_.store(step.kind == StepKind::batch_began ? step.thread : 0, std::memory_order_relaxed);
    return true;
}

Promotion BackgroundTrack::on_step(const BackgroundStep& step) noexcept {
    if (!follow_worker(step)) {
        return {};
    }
    if (!sink_.is_listening()) {
        known_.clear();
        taken_ = {};
        outcome_ = {};
        return {};
    }
    is_gap_behind_ = is_restart_wanted_.exchange(false, std::memory_order_relaxed);
    tell_outcome(step);
    Address head;
    const bool is_readable = settle_queue(step, head);
    const Promotion promotion = match(step);
    if (is_readable) {
        discover(head, step);
    }
    if (!is_about_method(step)) {
        drop_taken(step);
    } else if (promotion.is_background && step.kind == StepKind::method_loaded) {
        keep_outcome(step);
    }
    return promotion;
}

void BackgroundTrack::tell(TieringEventKind kind, const KnownNode& node, const BackgroundStep& step) noexcept {
    (void)sink_.write(event_of(kind, node, step), nullptr);
}

/// OptimizeMethod activates right after the load event, before any further step of the worker.
void BackgroundTrack::tell_outcome(const BackgroundStep& step) noexcept {
    if (!outcome_.is_set) {
        return;
    }
    outcome_.event.time_ns = step.time_ns;
    (void)sink_.write(outcome_.event, nullptr);
    outcome_.is_set = false;
}

void BackgroundTrack::keep_outcome(const BackgroundStep& step) noexcept {
    // CompileCodeVersion ignores code that the JIT made with min-opts; everything else is activated.
    const bool is_discarded = step.tier == Tier::min_opt;
    TieringEvent event = event_of(is_discarded ? TieringEventKind::discarded : TieringEventKind::activated, taken_.node, step);
    event.tier = is_discarded ? event.tier : step.tier;
    event.module = step.module.value();
    event.code = step.code.value();
    event.code_bytes = step.code_bytes;
    event.token = step.token;
    outcome_ = {true, event};
    taken_.is_set = false;
}

/// Something later is under way, or nothing at all, and no load of the one before was seen.
void BackgroundTrack::drop_taken(const BackgroundStep& step) noexcept {
    if (taken_.is_set && !is_gap_behind_) {
        tell(TieringEventKind::discarded, taken_.node, step);
    }
    taken_.is_set = false;
}

void BackgroundTrack::take_first(std::uint32_t count, const BackgroundStep& step) noexcept {
    for (; count != 0; --count) {
        drop_taken(step);
        taken_ = {true, known_.pop()};
    }
}

/// Takes off what has left the queue. False: the queue can't be read; then only the step's own method is looked for.
bool BackgroundTrack::settle_queue(const BackgroundStep& step, Address& head) noexcept {
    QueueReader* reader = reader_.load(std::memory_order_acquire);  // partner: set_queue_reader
    QueueNode first;
    const bool is_readable = reader != nullptr && reader->read_head(head) && (head.is_null() || reader->read_node(head, first));
    if (is_readable) {
        take_first(head.is_null() ? known_.count() : known_.find_node(head, first.version), step);
        return true;
    }
    if (is_about_method(step)) {
        const std::uint32_t index = known_.find_method(step.method);
        take_first(index < known_.count() ? index + 1 : 0, step);
    }
    return false;
}

/// What stands behind the last one known. The known ones begin at the head now, so all of them are alive.
void BackgroundTrack::discover(Address head, const BackgroundStep& step) noexcept {
    QueueReader* reader = reader_.load(std::memory_order_acquire);  // partner: set_queue_reader
    QueueNode node;
    // Race: other threads append while we walk. Window: the whole walk. Harmless because a node is complete before it is linked, and one that is
    // linked behind our last read is found at the next step. Test: BackgroundTrackQueue.a_node_appended_during_the_walk_is_queued_at_the_next_step
    Address next = head;
    if (known_.count() != 0) {
        next = reader != nullptr && reader->read_node(known_.last().node, node) ? node.next : Address();
    }
    while (!next.is_null() && !known_.is_full() && reader != nullptr && reader->read_node(next, node)) {
        known_.push({next, node.version, node.method, node.tier});
        tell(TieringEventKind::queued, known_.last(), step);
        next = node.next;
    }
}

/// A promotion that went through the queue between two steps: the first one that CompleteCallCounting queues is taken out at once. What else is
/// compiled on the worker's thread is compiled inside a compilation (IL stubs, a handler that the loader calls).
bool BackgroundTrack::is_unseen_promotion(const BackgroundStep& step) const noexcept {
    if (step.kind == StepKind::jit_started) {
        return !taken_.is_set;
    }
    switch (step.tier) {
        case Tier::tier1:
        case Tier::tier1_instrumented:
        case Tier::tier0_instrumented: return !step.is_dynamic;
        case Tier::min_opt: return !step.is_dynamic && !taken_.is_set;
        default: return false;
    }
}

Promotion BackgroundTrack::match(const BackgroundStep& step) noexcept {
    if (!is_about_method(step)) {
        return {};
    }
    if (!taken_.is_set || taken_.node.method != step.method) {
        if (!is_unseen_promotion(step)) {
            return {};
        }
        drop_taken(step);
        const Tier target = step.tier == Tier::min_opt ? Tier::unknown : step.tier;  // the code's tier is not what was asked for
        taken_ = {true, {Address(), Address(), step.method, target}};
        tell(TieringEventKind::queued, taken_.node, step);
    }
    return {true, taken_.node.tier, taken_.node.version};
}

}  // namespace tierup::record
