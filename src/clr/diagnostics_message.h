// What     The messages of the runtime's diagnostics protocol that an attach needs, and the name of the socket that it listens on.
// What not No sockets (os/local_socket.h) and no other command.
// Threads  Pure functions over the caller's buffers.
// Failure  exhausted: the buffer is too small. invalid_argument: a path that is no UTF-8. unsupported: not an answer of this protocol.
// Source   dotnet/diagnostics documentation/design-docs/ipc-protocol.md at 3c9f99e8251b; dotnet/runtime src/native/eventpipe/ds-protocol.c,
//          ds-profiler-protocol.c; the name: src/coreclr/pal/src/thread/process.cpp, PAL_GetTransportName, and file/path.cpp, GetTempPathA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "clr/dac_abi.h"
#include "clr/hresult.h"

namespace tierup::clr {

inline constexpr std::size_t kDiagnosticsHeaderBytes = 20;

struct AttachRequest {
    Guid class_id;
    const char* library_path = "";  ///< UTF-8, as the runtime is to load it.
    std::uint32_t timeout_ms = 0;   ///< How long the runtime may wait for a concurrent GC to end.
};

/// The greatest message has a path of os::kPathBytes units: it fits into 16 KiB.
inline constexpr std::size_t kAttachRequestCapacity = std::size_t{16} * 1024;

[[nodiscard]] Status write_attach_request(const AttachRequest& request, std::span<std::uint8_t> buffer, std::size_t& bytes) noexcept;

struct DiagnosticsAnswer {
    bool is_error = false;
    std::uint16_t payload_bytes = 0;  ///< What follows the header.
};

[[nodiscard]] Status read_answer_header(std::span<const std::uint8_t, kDiagnosticsHeaderBytes> header, DiagnosticsAnswer& answer) noexcept;

/// What an attach came to. A success has an HRESULT too (S_OK); an answer without one is read as its header says.
inline constexpr std::size_t kAnswerResultBytes = 4;
[[nodiscard]] Hresult read_answer_result(const DiagnosticsAnswer& answer, std::span<const std::uint8_t> payload) noexcept;

/// "<folder>/dotnet-diagnostic-<process>-<start time>-socket". `folder` may end in a slash or not.
[[nodiscard]] Status write_socket_path(const char* folder, std::uint32_t process_id, std::uint64_t start_time,
                                       std::span<char> buffer) noexcept;

}  // namespace tierup::clr
