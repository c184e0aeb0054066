// What     The exchange of an attach: find, connect, check, send, receive.
// What not See self_attach.h.
#include "agent/self_attach.h"

#include <array>

#include "agent/class_id.h"
#include "clr/diagnostics_message.h"
#include "os/clock.h"
#include "os/environment.h"
#include "os/local_socket.h"
#include "os/module.h"
#include "os/own_process.h"

namespace tierup::agent {

namespace {

/// As long as the runtime may wait for a concurrent GC before it loads us; only profilers that watch the GC make it wait.
constexpr std::uint32_t kRuntimeTimeout_ms = 5000;

constexpr const char* kDefaultFolder = "/tmp/";  // GetTempPathA, src/coreclr/pal/src/file/path.cpp

AttachOutcome failed(AttachStep step, Status status) noexcept {
    return {.step = step, .status = status};
}

AttachOutcome exchange(os::LocalSocket& socket, std::span<const std::uint8_t> request, std::uint64_t deadline_ns) noexcept {
    if (const Status status = socket.send_all(request, deadline_ns); status != Status::ok) {
        return failed(AttachStep::send, status);
    }
    std::array<std::uint8_t, clr::kDiagnosticsHeaderBytes> header{};
    if (const Status status = socket.receive_exactly(header, deadline_ns); status != Status::ok) {
        return failed(AttachStep::receive, status);
    }
    clr::DiagnosticsAnswer answer;
    if (const Status status = clr::read_answer_header(header, answer); status != Status::ok) {
        return failed(AttachStep::read_answer, status);
    }
    std::array<std::uint8_t, clr::kAnswerResultBytes> result{};
    const auto payload = std::span(result).first(answer.payload_bytes < result.size() ? answer.payload_bytes : result.size());
    if (const Status status = socket.receive_exactly(payload, deadline_ns); status != Status::ok) {
        return failed(AttachStep::receive, status);
    }
    const clr::Hresult hresult = clr::read_answer_result(answer, payload);
    if (hresult < 0) {
        return {.step = AttachStep::load, .status = clr::to_status(hresult), .hresult = hresult};
    }
    return {.step = AttachStep::done, .status = Status::ok};
}

AttachOutcome connect_and_exchange(const AttachPlace& place, std::span<const std::uint8_t> request, std::uint64_t deadline_ns) noexcept {
    os::LocalSocket socket;
    if (const Status status = socket.connect(place.socket_path, deadline_ns); status != Status::ok) {
        return failed(AttachStep::connect, status);
    }
    std::uint32_t peer = 0;
    if (socket.find_peer_process(peer) != Status::ok || peer != os::own_process_id()) {
        return failed(AttachStep::check_peer, Status::unsupported);
    }
    return exchange(socket, request, deadline_ns);
}

bool is_no_socket(const AttachOutcome& outcome) noexcept {
    return outcome.step == AttachStep::find_socket || (outcome.step == AttachStep::connect && outcome.status == Status::absent);
}

AttachOutcome attach_in_folder(const char* folder, const char* library_path) noexcept {
    std::uint64_t start_time = 0;
    // Where the runtime could not read it either, it has put 0 into the name.
    (void)os::try_read_start_time(start_time);
    std::array<char, os::kSocketPathBytes> socket_path{};
    if (clr::write_socket_path(folder, os::own_process_id(), start_time, socket_path) != Status::ok) {
        return failed(AttachStep::find_socket, Status::exhausted);
    }
    return request_attach({.socket_path = socket_path.data(), .library_path = library_path, .timeout_ns = kAttachTimeout_ns});
}

}  // namespace

AttachOutcome request_attach(const AttachPlace& place) noexcept {
    const std::uint64_t deadline_ns = os::monotonic_now_ns() + place.timeout_ns;
    std::array<std::uint8_t, clr::kAttachRequestCapacity> buffer;
    std::size_t bytes = 0;
    const clr::AttachRequest request{.class_id = kClassId, .library_path = place.library_path, .timeout_ms = kRuntimeTimeout_ms};
    if (const Status status = clr::write_attach_request(request, buffer, bytes); status != Status::ok) {
        return failed(AttachStep::write_request, status);
    }
    return connect_and_exchange(place, std::span(buffer).first(bytes), deadline_ns);
}

AttachOutcome attach_to_own_process(const char* folder) noexcept {
    std::array<char, os::kPathBytes> library_path;
    if (const Status status = os::find_library_path(&kClassId, library_path); status != Status::ok) {
        return failed(AttachStep::find_library, status);
    }
    AttachOutcome outcome = failed(AttachStep::connect, Status::absent);
    if (folder != nullptr && folder[0] != '\0') {
        outcome = attach_in_folder(folder, library_path.data());
    }
    return is_no_socket(outcome) ? attach_in_folder(kDefaultFolder, library_path.data()) : outcome;
}

AttachOutcome attach_to_own_process() noexcept {
    return attach_to_own_process(os::find_environment_value("TMPDIR"));
}

}  // namespace tierup::agent
