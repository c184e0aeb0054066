// What     One sentence for each way in which an attach can fail.
// What not See attach_outcome.h.
#include "agent/attach_outcome.h"

#include <cstring>

#include "clr/profiler_abi.h"

namespace tierup::agent {

namespace {

const char* explain_connect(Status status) noexcept {
    switch (status) {
        case Status::absent:
            return "The runtime's diagnostics socket does not exist: diagnostics are switched off (DOTNET_EnableDiagnostics=0 or "
                   "DOTNET_EnableDiagnostics_IPC=0), or its file was removed, or TMPDIR has changed since the start. Switch them on to get "
                   "signals.";
        case Status::not_started:
            return "The runtime's diagnostics socket refuses connections: nobody listens on it any more. Restart the process to get "
                   "signals.";
        case Status::unsupported:
            return "This process may not connect to its own diagnostics socket: a sandbox or the file's permissions forbid it. Allow Unix "
                   "sockets to get "
                   "signals.";
        case Status::timed_out:
            return "The runtime's diagnostics socket did not accept a connection in time: another tool keeps it busy. Try again without "
                   "that tool.";
        case Status::exhausted:
            return "No file descriptor or memory could be had to connect to the runtime's diagnostics socket. Raise the process's limits "
                   "to get signals.";
        default: return "The connection to the runtime's diagnostics socket failed for a reason that is not known.";
    }
}

const char* explain_transfer(AttachStep step, Status status) noexcept {
    const bool is_send = step == AttachStep::send;
    switch (status) {
        case Status::cancelled:
            return is_send ? "The runtime closed the diagnostics connection before it had read the attach request."
                           : "The runtime closed the diagnostics connection without an answer to the attach request.";
        case Status::timed_out:
            return is_send ? "The runtime did not read the attach request in time: another tool keeps its diagnostics server busy."
                           : "The runtime did not answer the attach request in time: another tool keeps its diagnostics server busy.";
        default:
            return is_send ? "The attach request could not be sent to the runtime."
                           : "The runtime's answer to the attach request could not be read.";
    }
}

const char* explain_load(clr::Hresult hresult) noexcept {
    switch (hresult) {
        case clr::kProfilerAlreadyActive:
            return "The runtime has no room for another notification profiler (it takes 32, or one was loaded that is none). Load fewer "
                   "profilers.";
        case clr::kNotYetAvailable:
        case clr::kRuntimeUninitialized: return "The runtime was still starting or already ending when it was asked to attach.";
        case clr::kIpcUnknownCommand: return "This runtime was built without the ability to attach a profiler.";
        default:
            return "The runtime refused to load this library as a notification profiler. Is its file readable, and are libraries allowed "
                   "to be loaded from "
                   "its folder?";
    }
}

const char* sentence_of(const AttachOutcome& outcome) noexcept {
    switch (outcome.step) {
        case AttachStep::find_library:
            return "The file that this library was loaded from is not known, so the runtime can't be told to load it.";
        case AttachStep::write_request:
            return outcome.status == Status::exhausted
                       ? "The path of this library is too long to be told to the runtime. Install it in a shorter one."
                       : "The path of this library is not valid UTF-8. Install it in another folder.";
        case AttachStep::find_socket:
            return "The path of the runtime's diagnostics socket is too long: the runtime has none then. Set TMPDIR to a shorter path.";
        case AttachStep::connect: return explain_connect(outcome.status);
        case AttachStep::check_peer:
            return "The diagnostics socket of this process belongs to another process, so no request was sent. Remove its file and restart "
                   "this process.";
        case AttachStep::send:
        case AttachStep::receive: return explain_transfer(outcome.step, outcome.status);
        case AttachStep::read_answer: return "The answer to the attach request was not one of the diagnostics protocol.";
        case AttachStep::load: return explain_load(outcome.hresult);
        case AttachStep::be_called:
            return "The runtime loaded another copy of this library: its file was replaced while the process runs. Restart the process to "
                   "get signals.";
        case AttachStep::watch_events: return "The runtime does not offer its events to a notification profiler.";
        case AttachStep::start_session:
            return "The runtime did not start an event session: all 64 may be in use by other tools. End one of them to get signals.";
        case AttachStep::done: break;
    }
    return "";
}

void append(const char* from, std::span<char> text, std::size_t& used) noexcept {
    for (; *from != '\0' && used + 1 < text.size(); ++from) {
        text[used++] = *from;
    }
    text[used] = '\0';
}

}  // namespace

void explain(const AttachOutcome& outcome, std::span<char> text) noexcept {
    if (text.empty()) {
        return;
    }
    std::size_t used = 0;
    append(sentence_of(outcome), text, used);
    if (outcome.hresult == clr::kOk) {
        return;
    }
    char number[] = " (HRESULT 0x00000000)";
    constexpr std::size_t kLastDigit = sizeof number - 3;
    auto rest = static_cast<std::uint32_t>(outcome.hresult);
    for (std::size_t digit = 0; digit < 8; ++digit) {
        number[kLastDigit - digit] = "0123456789ABCDEF"[rest & 0xF];
        rest >>= 4;
    }
    append(number, text, used);
}

}  // namespace tierup::agent
