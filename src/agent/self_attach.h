// What     Asks the runtime, over its diagnostics socket, to load this library as a profiler of its own process.
// What not Does not wait for or check the profiler's callbacks, starts no session: notification_agent does.
// Threads  Any thread but one that the runtime waits for. Blocks until the runtime has answered or the time is over.
// Failure  An outcome that names the step, with ok and AttachStep::done where the runtime said yes.
// Source   docs/SECURITY.md; the protocol: clr/diagnostics_message.h.
#pragma once

#include <cstdint>

#include "agent/attach_outcome.h"

namespace tierup::agent {

/// Where the runtime listens and what it is to load.
struct AttachPlace {
    const char* socket_path = "";
    const char* library_path = "";
    std::uint64_t timeout_ns = 0;
};

/// An idle runtime answers within 40 ms; it does not while it writes a dump, which takes seconds.
inline constexpr std::uint64_t kAttachTimeout_ns = 10'000'000'000;

/// One request, one answer.
[[nodiscard]] AttachOutcome request_attach(const AttachPlace& place) noexcept;

/// With the runtime's own socket and this library's own file. `folder` is $TMPDIR as the environment has it now, or null.
/// Looks in /tmp too: the runtime has read the variable at its start.
[[nodiscard]] AttachOutcome attach_to_own_process(const char* folder) noexcept;
[[nodiscard]] AttachOutcome attach_to_own_process() noexcept;

}  // namespace tierup::agent
