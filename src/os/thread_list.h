// What     Asks whether this process has a thread whose kernel name begins with a prefix.
// What not Allocates nothing, stops no thread: the answer is about a moment that has passed.
// Threads  Any. Threads that start or end during the scan may be missed.
// Failure  Status::unsupported where /proc is not there; `found` is then unspecified.
// Source   proc(5), /proc/self/task/<tid>/comm.
#pragma once

#include "base/status.h"

namespace tierup::os {

/// Status::invalid_argument for a null or empty prefix or one longer than a kernel name (15 bytes).
[[nodiscard]] Status is_thread_named(const char* prefix, bool& found) noexcept;

}  // namespace tierup::os
