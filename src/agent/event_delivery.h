// What     Hands each of the runtime's events to the sink, once: reads the payload, adds the time and the thread, counts.
// What not Starts no session. Blocks, allocates and locks nothing: it runs in the midst of compilations. One per library: the notes that a
//          thread keeps of its last event are the library's.
// Threads  deliver: any runtime thread, several at once. begin_switch and end_switch: one at a time. The rest: any.
// Failure  A payload that is none of ours, or comes before there is a sink, is counted and dropped.
// Source   How sessions deliver: dotnet/runtime src/native/eventpipe/ep.c, write_event_2: to one session after another on the firing thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "clr/runtime_event.h"
#include "runtime/event_sink.h"

namespace tierup::agent {

class EventDelivery {
public:
    constexpr EventDelivery() noexcept = default;
    EventDelivery(const EventDelivery&) = delete;
    EventDelivery& operator=(const EventDelivery&) = delete;

    /// The sink lives as long as the process.
    void set_sink(runtime::EventSink& sink) noexcept {
        sink_.store(&sink, std::memory_order_release);
    }  // partner: the acquire load in deliver

    void deliver(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t bytes) noexcept;

    /// Brackets the time in which two sessions of the Jit keyword may be on. Both deliver then, and the second delivery of each load is dropped.
    void begin_switch() noexcept { switches_.fetch_add(1, std::memory_order_seq_cst); }  // partner: the load in is_second_delivery
    void end_switch() noexcept { switches_.fetch_add(1, std::memory_order_seq_cst); }    // partner: the load in is_second_delivery

    [[nodiscard]] std::uint64_t events_received() const noexcept { return events_received_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t method_events_received() const noexcept { return method_events_received_.load(std::memory_order_relaxed); }

private:
    [[nodiscard]] bool is_second_delivery(const clr::RuntimeEvent& event) noexcept;

    std::atomic<runtime::EventSink*> sink_ = nullptr;
    std::atomic<std::uint32_t> switches_ = 0;  ///< Odd while two sessions may be on.
    std::atomic<std::uint64_t> events_received_ = 0;
    std::atomic<std::uint64_t> method_events_received_ = 0;
};

}  // namespace tierup::agent
