// What     The event callback's work.
// What not See event_delivery.h.
#include "agent/event_delivery.h"

#include "os/clock.h"
#include "os/thread.h"

namespace tierup::agent {

namespace {

/// What a thread remembers between its events. In the loader's static block (initial-exec): the other models allocate it at a thread's first
/// touch, which would be inside the callback.
struct ThreadNotes {
    std::uint64_t method = 0;  ///< Of the load that was handed on last.
    std::uint64_t code = 0;
    std::uint32_t switches = 0;
    std::uint32_t thread_id = 0;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadNotes notes;

std::uint32_t current_thread() noexcept {
    if (notes.thread_id == 0) {
        notes.thread_id = static_cast<std::uint32_t>(os::current_thread_id());
    }
    return notes.thread_id;
}

}  // namespace

// Race     A load is delivered twice where it is fired while the level is being changed: by the old session and by the new one.
// Window   From the start of the new session to the end of the old one, and the callbacks under way at either end: about 50 us.
// Harmless Both deliveries are made one after the other by the thread that fires, so the second equals that thread's last one, and the count of
//          switches has changed since or is odd. Without a switch nothing is dropped: a DynamicMethod's memory is used again and again. Across one,
//          a load with the same descriptor and code as the thread's last is taken for its second delivery even if it was a new method there.
// Test     a_load_that_two_sessions_deliver_during_a_switch_reaches_the_sink_once
bool EventDelivery::is_second_delivery(const clr::RuntimeEvent& event) noexcept {
    // seq_cst: a thread that sees a session (published inside the runtime) sees the switch that was begun before it.
    // Partners: begin_switch, end_switch.
    const std::uint32_t switches = switches_.load(std::memory_order_seq_cst);
    const bool is_same = notes.method == event.method.value() && notes.code == event.code.value();
    const bool may_be_second = (switches & 1) != 0 || notes.switches != switches;
    if (is_same && may_be_second) {
        notes.method = 0;
        notes.code = 0;
        return true;
    }
    notes.method = event.method.value();
    notes.code = event.code.value();
    notes.switches = switches;
    return false;
}

void EventDelivery::deliver(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t bytes) noexcept {
    const std::uint64_t time_ns = os::monotonic_now_ns();
    events_received_.fetch_add(1, std::memory_order_relaxed);
    clr::RuntimeEvent event;
    if (clr::read_runtime_event(event_id, event_version, payload, bytes, event) != Status::ok) {
        return;
    }
    const bool is_load = event.kind == clr::RuntimeEventKind::method_loaded;
    if (is_load && is_second_delivery(event)) {
        return;
    }
    if (is_load || event.kind == clr::RuntimeEventKind::jit_started) {
        method_events_received_.fetch_add(1, std::memory_order_relaxed);
    }
    // partner: the release store in set_sink
    if (runtime::EventSink* const sink = sink_.load(std::memory_order_acquire); sink != nullptr) {
        sink->on_event(event, time_ns, current_thread());
    }
}

}  // namespace tierup::agent
