// What     Unix domain sockets with the kernel's own timeouts, set anew before each call that may block.
// What not See local_socket.h.
#include "os/local_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "os/clock.h"

namespace tierup::os {

static_assert(sizeof(sockaddr_un::sun_path) == kSocketPathBytes);

namespace {

Status to_status(int error) noexcept {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return Status::absent;
        case ECONNREFUSED: return Status::not_started;
        case EACCES:
        case EPERM:
        case EAFNOSUPPORT: return Status::unsupported;
        case EPIPE:
        case ECONNRESET: return Status::cancelled;
        case EAGAIN:
        case EINPROGRESS:
        case ETIMEDOUT: return Status::timed_out;
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM: return Status::exhausted;
        default: return Status::unknown;
    }
}

/// The rest of the time for one kind of call (SO_SNDTIMEO, SO_RCVTIMEO).
Status limit(int socket, int option, std::uint64_t deadline_ns) noexcept {
    const std::uint64_t now_ns = monotonic_now_ns();
    if (now_ns >= deadline_ns) {
        return Status::timed_out;
    }
    const std::uint64_t left_us = (deadline_ns - now_ns) / 1000 + 1;  // 0 would mean "for ever"
    timeval left{};
    left.tv_sec = static_cast<time_t>(left_us / 1'000'000);
    left.tv_usec = static_cast<suseconds_t>(left_us % 1'000'000);
    return setsockopt(socket, SOL_SOCKET, option, &left, sizeof left) == 0 ? Status::ok : to_status(errno);
}

}  // namespace

Status LocalSocket::connect(const char* path, std::uint64_t deadline_ns) noexcept {
    sockaddr_un address{};
    const std::size_t length = path == nullptr ? 0 : strnlen(path, sizeof address.sun_path);
    if (length == 0 || length >= sizeof address.sun_path || socket_ >= 0) {
        return Status::invalid_argument;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path, length);
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) {
        return to_status(errno);
    }
    for (;;) {
        if (const Status status = limit(socket_, SO_SNDTIMEO, deadline_ns); status != Status::ok) {
            return status;
        }
        if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EISCONN) {
            return Status::ok;
        }
        if (errno != EINTR) {
            return to_status(errno);
        }
    }
}

Status LocalSocket::send_all(std::span<const std::uint8_t> bytes, std::uint64_t deadline_ns) noexcept {
    while (!bytes.empty()) {
        if (const Status status = limit(socket_, SO_SNDTIMEO, deadline_ns); status != Status::ok) {
            return status;
        }
        const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return to_status(errno);
        }
        bytes = bytes.subspan(sent < 0 ? 0 : static_cast<std::size_t>(sent));
    }
    return Status::ok;
}

Status LocalSocket::receive_exactly(std::span<std::uint8_t> buffer, std::uint64_t deadline_ns) noexcept {
    while (!buffer.empty()) {
        if (const Status status = limit(socket_, SO_RCVTIMEO, deadline_ns); status != Status::ok) {
            return status;
        }
        const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
        if (got == 0) {
            return Status::cancelled;
        }
        if (got < 0 && errno != EINTR) {
            return to_status(errno);
        }
        buffer = buffer.subspan(got < 0 ? 0 : static_cast<std::size_t>(got));
    }
    return Status::ok;
}

void LocalSocket::close() noexcept {
    if (socket_ >= 0) {
        (void)::close(socket_);
        socket_ = -1;
    }
}

Status LocalSocket::find_peer_process(std::uint32_t& process_id) const noexcept {
    ucred peer{};
    socklen_t bytes = sizeof peer;
    if (getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) {
        return to_status(errno);
    }
    process_id = static_cast<std::uint32_t>(peer.pid);
    return Status::ok;
}

}  // namespace tierup::os
