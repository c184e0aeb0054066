// What     Where the agent hands in each of the runtime's events, on the thread that fires it.
// What not No parsing (clr), no waiting, no allocation, no lock that a compiling thread could wait for.
// Threads  on_event: any runtime thread, several at once, inside the runtime's event callback. The rest: any.
// Failure  None: an event that can't be used is dropped here and counted where a stream wanted it.
#pragma once

#include <cstdint>

#include "clr/runtime_event.h"

namespace tierup::runtime {

class EventSink {
public:
    /// `time_ns` of the monotonic clock, `thread` the kernel's id of the calling thread.
    virtual void on_event(const clr::RuntimeEvent& event, std::uint64_t time_ns, std::uint32_t thread) noexcept {
        (void)event, (void)time_ns, (void)thread;
    }

protected:
    constexpr EventSink() noexcept = default;
    EventSink(const EventSink&) noexcept = default;
    EventSink& operator=(const EventSink&) noexcept = default;
    ~EventSink() = default;
};

}  // namespace tierup::runtime
