// What     How far an attach to the own process came, and a sentence that says so to the user.
// What not Attaches nothing (self_attach.h).
// Threads  Values only.
// Failure  A sentence too long for its buffer is cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "clr/hresult.h"

namespace tierup::agent {

/// The steps in their order; an outcome names the one that did not go well.
enum class AttachStep : std::uint8_t {
    find_library,   ///< Our own file, which the runtime is to load.
    write_request,  ///< Its path in the protocol's form.
    find_socket,    ///< The runtime's diagnostics socket.
    connect,
    check_peer,  ///< The listener is this process itself.
    send,
    receive,
    read_answer,    ///< The answer is one of this protocol.
    load,           ///< The runtime's verdict: an HRESULT.
    be_called,      ///< The runtime called this copy of the library.
    watch_events,   ///< The event mask was set.
    start_session,  ///< The Compilation session is on.
    done,
};

struct AttachOutcome {
    AttachStep step = AttachStep::find_library;
    Status status = Status::unknown;  ///< ok only with AttachStep::done.
    clr::Hresult hresult = clr::kOk;
};

/// What happened and what the user can do; "" for a success. Always zero-terminated where there is room for a zero.
void explain(const AttachOutcome& outcome, std::span<char> text) noexcept;

inline constexpr std::size_t kExplanationBytes = 320;  ///< The longest sentence and its number fit.

}  // namespace tierup::agent
