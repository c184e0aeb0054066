// What     Counts the processors that the runtime sees: affinity mask, cgroup quota, DOTNET_PROCESSOR_COUNT.
// What not Not the machine's processors. Read once by the runtime at its start; a later change of the mask is ours only.
// Threads  Any.
// Failure  At least 1; a limit that can't be read is no limit, as in the runtime.
// Source   See processors.cpp.
#pragma once

#include <cstdint>

namespace tierup::os {

[[nodiscard]] std::uint32_t count_process_processors() noexcept;

}  // namespace tierup::os
