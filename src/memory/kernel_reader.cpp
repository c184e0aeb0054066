// What     Chooses the kernel-checked door by trying it on memory whose content is known, and on an address that no process has.
// Source   os/memory_copy.h.
#include "memory/kernel_reader.h"

namespace tierup::memory {

namespace {

/// Non-canonical on x64, the kernel's half on arm64: unreadable in every process, which the null page is not quite.
constexpr Address kUnreadable{std::uint64_t{1} << 63};
constexpr std::uint64_t kProbeValue = 0x7469657275702121u;  // any value that a failed copy does not leave by chance

}  // namespace

bool KernelReader::does_door_work(Door door) noexcept {
    door_ = door;
    const volatile std::uint64_t source = kProbeValue;
    std::uint64_t copy = 0;
    const Address at(reinterpret_cast<std::uint64_t>(&source));
    return try_read(at, &copy, sizeof copy) == Status::ok && copy == kProbeValue &&
           try_read(kUnreadable, &copy, sizeof copy) == Status::faulted;
}

Status KernelReader::open(Door preferred) noexcept {
    const bool is_any = preferred == Door::automatic;
    if ((is_any || preferred == Door::process_vm_readv) && does_door_work(Door::process_vm_readv)) {
        return Status::ok;
    }
    if (is_any || preferred == Door::pipe) {
        if (pipe_.open() == Status::ok && does_door_work(Door::pipe)) {
            return Status::ok;
        }
        pipe_.close();
    }
    door_ = Door::none;
    return preferred == Door::none ? Status::ok : Status::unsupported;
}

void KernelReader::close() noexcept {
    door_ = Door::none;
    pipe_.close();
}

const char* KernelReader::door_name() const noexcept {
    switch (door_) {
        case Door::process_vm_readv: return "process_vm_readv";
        case Door::pipe: return "pipe";
        case Door::automatic:
        case Door::none: break;
    }
    return "none";
}

Status KernelReader::try_read(Address from, void* to, std::size_t bytes) const noexcept {
    switch (door_) {
        case Door::process_vm_readv: return os::copy_by_process_vm_readv(from, to, bytes);
        case Door::pipe: return pipe_.try_copy(from, to, bytes);
        case Door::automatic:
        case Door::none: break;
    }
    return Status::unsupported;
}

std::size_t KernelReader::try_read_each(const Copy* copies, std::size_t count) const noexcept {
    return door_ == Door::process_vm_readv ? os::copy_each_by_process_vm_readv(copies, count) : Reader::try_read_each(copies, count);
}

}  // namespace tierup::memory
