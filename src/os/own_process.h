// What     Facts about this process: its id, its start time as the kernel counts it, and the file that a piece of our code was loaded from.
// What not No other process.
// Threads  Any; find_library_path holds the loader's lock for a moment, so not from inside a loader callback.
// Failure  absent: no /proc, or no file behind the code. unknown: a stat file of another form. exhausted: a path longer than the buffer.
// Source   getpid(2); proc(5), /proc/self/stat: field 22 is starttime, field 2 the program's name in parentheses; dladdr(3).
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"

namespace tierup::os {

[[nodiscard]] std::uint32_t own_process_id() noexcept;

/// In clock ticks since boot. `stat_path` is for tests.
[[nodiscard]] Status try_read_start_time(std::uint64_t& start_time, const char* stat_path = "/proc/self/stat") noexcept;

/// The path by which the loader knows the library that holds `code`, absolute. Opening it again gives the same copy of the library.
[[nodiscard]] Status find_library_path(const void* code, std::span<char> path) noexcept;

}  // namespace tierup::os
