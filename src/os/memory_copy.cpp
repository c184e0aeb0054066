// What     The two kernel-checked copies.
// Source   process_vm_readv(2): a partial transfer ends at the first unreadable page; write(2): EFAULT.
#include "os/memory_copy.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>

namespace tierup::os {

namespace {

/// No chunk crosses a boundary of this many bytes, so it lies in one page and is copied whole or not at all. It also fits any pipe.
constexpr std::uint64_t kChunkBytes = 4096;

bool is_range_possible(Address from, std::size_t bytes) noexcept {
    return bytes <= static_cast<std::size_t>(SSIZE_MAX) && from.value() + bytes >= from.value();
}

/// glibc asks the kernel each time, which would double the system calls of a copy.
pid_t own_process_id() noexcept {
    // Race: two first callers both ask. Window: until one has stored. Harmless because both store the same number.
    // A child after fork() would read its parent: CoreCLR does not support managed code there. Test: none, as nothing can differ.
    static constinit std::atomic<pid_t> known = 0;
    pid_t id = known.load(std::memory_order_relaxed);
    if (id == 0) {
        id = getpid();
        known.store(id, std::memory_order_relaxed);
    }
    return id;
}

Status status_of(int error) noexcept {
    return error == EPERM || error == ENOSYS || error == EACCES ? Status::unsupported : Status::faulted;
}

}  // namespace

Status copy_by_process_vm_readv(Address from, void* to, std::size_t bytes) noexcept {
    if (!is_range_possible(from, bytes)) {
        return Status::faulted;
    }
    const pid_t self = own_process_id();
    std::size_t done = 0;
    while (done < bytes) {
        const iovec local{static_cast<char*>(to) + done, bytes - done};
        const iovec remote{reinterpret_cast<void*>(from.value() + done), bytes - done};
        const ssize_t copied = process_vm_readv(self, &local, 1, &remote, 1, 0);
        if (copied <= 0) {
            if (copied < 0 && errno == EINTR) {
                continue;
            }
            return copied == 0 ? Status::faulted : status_of(errno);
        }
        done += static_cast<std::size_t>(copied);
    }
    return Status::ok;
}

std::size_t copy_each_by_process_vm_readv(const Copy* copies, std::size_t count) noexcept {
    std::size_t done = 0;
    while (done < count) {
        iovec local[kMaxCopiesPerCall];
        iovec remote[kMaxCopiesPerCall];
        const std::size_t left = count - done;
        const std::size_t batch = left < kMaxCopiesPerCall ? left : kMaxCopiesPerCall;
        for (std::size_t i = 0; i < batch; ++i) {
            local[i] = {copies[done + i].to, copies[done + i].bytes};
            remote[i] = {reinterpret_cast<void*>(copies[done + i].from.value()), copies[done + i].bytes};
        }
        const ssize_t copied = process_vm_readv(own_process_id(), local, batch, remote, batch, 0);
        if (copied < 0 && errno == EINTR) {
            continue;
        }
        auto bytes = static_cast<std::size_t>(copied < 0 ? 0 : copied);
        std::size_t whole = 0;
        while (whole < batch && bytes >= copies[done + whole].bytes) {
            bytes -= copies[done + whole].bytes;
            ++whole;
        }
        done += whole;
        if (whole < batch) {  // the kernel stopped in this one
            return done;
        }
    }
    return done;
}

Status CopyPipe::open() noexcept {
    LockGuard guard(mutex_);
    if (read_end_ >= 0) {
        return Status::ok;
    }
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) {
        return errno == EMFILE || errno == ENFILE ? Status::exhausted : Status::unsupported;
    }
    read_end_ = ends[0];
    write_end_ = ends[1];
    return Status::ok;
}

void CopyPipe::close() noexcept {
    LockGuard guard(mutex_);
    if (read_end_ >= 0) {
        (void)::close(read_end_);
        (void)::close(write_end_);
    }
    read_end_ = write_end_ = -1;
}

Status CopyPipe::try_copy(Address from, void* to, std::size_t bytes) noexcept {
    if (!is_range_possible(from, bytes)) {
        return Status::faulted;
    }
    LockGuard guard(mutex_);
    if (write_end_ < 0) {
        return Status::unsupported;
    }
    std::size_t done = 0;
    while (done < bytes) {
        const Address at = from.plus(static_cast<std::int64_t>(done));
        const std::uint64_t room = kChunkBytes - at.value() % kChunkBytes;
        const std::size_t chunk = bytes - done < room ? bytes - done : static_cast<std::size_t>(room);
        if (const Status status = copy_chunk_locked(at, static_cast<char*>(to) + done, chunk); status != Status::ok) {
            return status;
        }
        done += chunk;
    }
    return Status::ok;
}

/// invariant: the pipe is empty before and after.
Status CopyPipe::copy_chunk_locked(Address from, void* to, std::size_t bytes) noexcept {
    ssize_t written = 0;
    do {
        written = write(write_end_, reinterpret_cast<const void*>(from.value()), bytes);
    } while (written < 0 && errno == EINTR);
    if (written < 0) {
        return status_of(errno);
    }
    std::size_t taken = 0;
    while (taken < static_cast<std::size_t>(written)) {
        const ssize_t got = read(read_end_, static_cast<char*>(to) + taken, static_cast<std::size_t>(written) - taken);
        if (got <= 0) {
            if (got < 0 && errno == EINTR) {
                continue;
            }
            return Status::faulted;
        }
        taken += static_cast<std::size_t>(got);
    }
    return taken == bytes ? Status::ok : Status::faulted;
}

}  // namespace tierup::os
