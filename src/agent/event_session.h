// What     One EventPipe session of the runtime's provider, whose events the runtime hands to us on the threads that fire them.
// What not Does not receive them (event_delivery). A session's events go to the profiler that started it and to no other (seen on 8 to 11).
// Threads  One at a time. Starting and stopping make the calling thread known to the runtime; not from within an event callback: stopping
//          waits for the callbacks under way.
// Failure  An HRESULT of the runtime; the session is then as it was.
// Source   corprof.idl, EventPipeStartSession; dotnet/runtime src/native/eventpipe/ep.c, enable and disable_holding_lock.
#pragma once

#include <cstdint>

#include "clr/profiler_abi.h"

namespace tierup::agent {

class EventSession {
public:
    constexpr EventSession() noexcept = default;

    [[nodiscard]] bool is_on() const noexcept { return session_ != kNone; }
    /// Only while it is off.
    [[nodiscard]] clr::Hresult start(clr::ProfilerInfo12& runtime, std::uint64_t keywords, std::uint32_t level) noexcept;
    /// Nothing to do while it is off.
    [[nodiscard]] clr::Hresult stop(clr::ProfilerInfo12& runtime) noexcept;

private:
    static constexpr clr::EventPipeSession kNone = 0;  // the runtime's own sign for "no session": EventPipeSessionID is an address

    clr::EventPipeSession session_ = kNone;
};

}  // namespace tierup::agent
