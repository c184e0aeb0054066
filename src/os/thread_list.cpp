// What     Looks for a thread by its kernel name, with system calls and stack buffers only.
// Source   proc(5); getdents64(2), whose record layout is declared here because glibc has none.
#include "os/thread_list.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "os/thread.h"

namespace tierup::os {

namespace {

struct DirectoryRecord {
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t record_bytes;
    std::uint8_t type;
    char name[1];
};

/// invariant: a record and its name lie within the buffer, because the kernel writes whole records only.
constexpr std::size_t kDirectoryBufferBytes = 4096;
constexpr std::size_t kMaxThreadIdDigits = 20;

bool does_name_begin_with(int directory, const char* thread_id, const char* prefix, std::size_t prefix_bytes) noexcept {
    char path[kMaxThreadIdDigits + sizeof "/comm"];
    const std::size_t digits = strnlen(thread_id, kMaxThreadIdDigits + 1);
    if (digits > kMaxThreadIdDigits) {
        return false;
    }
    std::memcpy(path, thread_id, digits);
    std::memcpy(path + digits, "/comm", sizeof "/comm");
    const int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;  // the thread ended
    }
    char name[kThreadNameBytes];
    const ssize_t length = read(file, name, sizeof name);
    (void)close(file);
    return length >= 0 && static_cast<std::size_t>(length) >= prefix_bytes && std::memcmp(name, prefix, prefix_bytes) == 0;
}

}  // namespace

Status is_thread_named(const char* prefix, bool& found) noexcept {
    found = false;
    const std::size_t prefix_bytes = prefix == nullptr ? 0 : strnlen(prefix, kThreadNameBytes);
    if (prefix_bytes == 0 || prefix_bytes >= kThreadNameBytes) {
        return Status::invalid_argument;
    }
    const int directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return Status::unsupported;
    }
    Status status = Status::ok;
    alignas(DirectoryRecord) char buffer[kDirectoryBufferBytes];
    while (!found) {
        const long length = syscall(SYS_getdents64, directory, buffer, sizeof buffer);
        if (length <= 0) {
            status = length == 0 ? Status::ok : Status::unsupported;
            break;
        }
        for (long at = 0; at < length && !found;) {
            const auto* record = reinterpret_cast<const DirectoryRecord*>(buffer + at);
            const char* name = buffer + at + offsetof(DirectoryRecord, name);
            found = name[0] >= '0' && name[0] <= '9' && does_name_begin_with(directory, name, prefix, prefix_bytes);
            at += record->record_bytes;
        }
    }
    (void)close(directory);
    return status;
}

}  // namespace tierup::os
