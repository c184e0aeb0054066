// What     Switching the runtime's events on and off, as the engine asks for it; the agent is one, tests have another.
// What not Does not say who wants them (event_demand.h).
// Threads  attach and set_method_events: one thread at a time (the engine's own; never a thread that the JIT waits for). state, figures: any.
// Failure  A status with a reason; nothing is left half on.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace tierup::runtime {

/// How much of the method events is wanted: none, loads, or loads with JIT starts before them; both carry names.
enum class MethodEvents : std::uint8_t { off, loads, names };

/// The numbers of tierup_signals_state.
enum class SourceState : std::uint8_t { none = 0, attaching = 1, attached = 2, failed = 3, disabled = 4 };

struct SourceFigures {
    SourceState state = SourceState::none;
    MethodEvents method_events = MethodEvents::off;
    bool was_loaded_at_startup = false;
    const char* reason = "";  ///< Lives as long as the process.
    std::uint64_t attach_ns = 0;
    std::uint64_t events_received = 0;
    std::uint64_t method_events_received = 0;
    std::uint64_t sessions_started = 0;
};

class EventSource {
public:
    /// Makes this library a notification-only profiler of its own process, with the Compilation session on. Blocks until the runtime has answered (0.5 to
    /// 40 ms). ok: attached now or before, by this or by the startup variables.
    virtual Status attach() noexcept { return Status::unsupported; }
    /// ok: the session is as wanted. not_started: not attached.
    virtual Status set_method_events(MethodEvents wanted) noexcept {
        (void)wanted;
        return Status::not_started;
    }
    virtual SourceFigures figures() const noexcept { return {}; }

protected:
    constexpr EventSource() noexcept = default;
    EventSource(const EventSource&) noexcept = default;
    EventSource& operator=(const EventSource&) noexcept = default;
    ~EventSource() = default;
};

}  // namespace tierup::runtime
