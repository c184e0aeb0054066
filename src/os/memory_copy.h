// What     Two ways to have the kernel copy bytes of this process from an address that may be bad.
// What not Chooses none of the two (memory/kernel_reader.h does), installs no signal handler, interprets nothing.
// Threads  copy_by_process_vm_readv any, in parallel. CopyPipe serialises its callers with a mutex.
// Failure  faulted: some byte can't be read. unsupported: the kernel refuses the call (seccomp, qemu). exhausted: no descriptors.
// Source   process_vm_readv(2); pipe(2), write(2) (EFAULT); qemu-user 7.2 has no process_vm_readv (ENOSYS), tried.
#pragma once

#include <cstddef>

#include "base/address.h"
#include "base/copy.h"
#include "base/status.h"
#include "os/mutex.h"

namespace tierup::os {

/// Copies all `bytes` or fails; zero bytes are always ok.
[[nodiscard]] Status copy_by_process_vm_readv(Address from, void* to, std::size_t bytes) noexcept;

/// As many copies per kernel call as it takes (kMaxCopiesPerCall), in order, up to the first that fails. Returns how many were made.
[[nodiscard]] std::size_t copy_each_by_process_vm_readv(const Copy* copies, std::size_t count) noexcept;

inline constexpr std::size_t kMaxCopiesPerCall = 64;  // bounds our stack; the kernel takes 1024 (IOV_MAX)

/// Copies through a pipe of our own: the kernel reads the source in write(2) and says EFAULT where it can't.
/// Trivially destructible, so that a global one needs no code at exit: the owner calls close, or leaves the pipe to the process.
class CopyPipe {
public:
    constexpr CopyPipe() noexcept = default;
    CopyPipe(const CopyPipe&) = delete;
    CopyPipe& operator=(const CopyPipe&) = delete;

    [[nodiscard]] Status open() noexcept;
    void close() noexcept;
    [[nodiscard]] Status try_copy(Address from, void* to, std::size_t bytes) noexcept;

private:
    [[nodiscard]] Status copy_chunk_locked(Address from, void* to, std::size_t bytes) noexcept;

    Mutex mutex_;
    int read_end_ = -1;  // invariant: both ends are open, or both are -1
    int write_end_ = -1;
};

}  // namespace tierup::os
