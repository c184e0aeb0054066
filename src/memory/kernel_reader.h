// What     The kernel-checked door: copies from any address, with the way to do it chosen once at open.
// What not Not for the poll's fast path (plain_window.h); installs no signal handler.
// Threads  open once, before the first read and from one thread; reads from any thread at once (the pipe door serialises).
// Failure  faulted for addresses that can't be read, never a crash; unsupported where no door works (door_name "none").
// Source   reference: qemu-user has no process_vm_readv, seccomp profiles refuse it: hence the second door.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/reader.h"
#include "os/memory_copy.h"

namespace tierup::memory {

enum class Door : std::uint8_t { automatic, process_vm_readv, pipe, none };

class KernelReader final : public Reader {
public:
    constexpr KernelReader() noexcept = default;
    KernelReader(const KernelReader&) = delete;
    KernelReader& operator=(const KernelReader&) = delete;

    /// Automatic tries process_vm_readv, then the pipe. A preferred door that does not work is unsupported, and no door is open.
    [[nodiscard]] Status open(Door preferred = Door::automatic) noexcept;

    /// Only after the last read. Not called at exit: a global reader needs no destructor, its pipe ends with the process.
    void close() noexcept;

    [[nodiscard]] Door door() const noexcept { return door_; }
    [[nodiscard]] const char* door_name() const noexcept;

    [[nodiscard]] Status try_read(Address from, void* to, std::size_t bytes) const noexcept override;
    [[nodiscard]] std::size_t try_read_each(const Copy* copies, std::size_t count) const noexcept override;

private:
    [[nodiscard]] bool does_door_work(Door door) noexcept;

    mutable os::CopyPipe pipe_;
    Door door_ = Door::none;
};

}  // namespace tierup::memory
