// What     A connection to a Unix domain socket: connect, send all, receive exactly, each with a deadline.
// What not No listening, no protocol.
// Threads  One at a time. Blocks up to the deadline, a point on os/clock.h's clock.
// Failure  connect: absent (no such file), not_started (nobody listens), unsupported (no permission, or no such sockets here), invalid_argument (the
//          path is too long). All: cancelled (the peer closed), timed_out, exhausted (descriptors, memory), unknown.
// Source   unix(7), connect(2), send(2), recv(2), socket(7): SO_SNDTIMEO bounds connect too (kernel net/unix/af_unix.c, unix_wait_for_peer).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace tierup::os {

inline constexpr std::size_t kSocketPathBytes = 108;  // sizeof sockaddr_un::sun_path, unix(7)

class LocalSocket {
public:
    LocalSocket() noexcept = default;
    ~LocalSocket() noexcept { close(); }
    LocalSocket(const LocalSocket&) = delete;
    LocalSocket& operator=(const LocalSocket&) = delete;

    /// Once per object.
    [[nodiscard]] Status connect(const char* path, std::uint64_t deadline_ns) noexcept;
    [[nodiscard]] Status send_all(std::span<const std::uint8_t> bytes, std::uint64_t deadline_ns) noexcept;
    /// Fills the whole buffer.
    [[nodiscard]] Status receive_exactly(std::span<std::uint8_t> buffer, std::uint64_t deadline_ns) noexcept;
    void close() noexcept;

    /// The process that began to listen, as the kernel says.
    [[nodiscard]] Status find_peer_process(std::uint32_t& process_id) const noexcept;

private:
    int socket_ = -1;
};

}  // namespace tierup::os
