// What     The processor limit that a control group (version 1 or 2) puts on this process, found as the runtime finds it.
// What not Only the process's own group is asked, not its parents: the runtime asks no more.
// Threads  Any.
// Failure  False: no group, no limit, or files that can't be read or parsed.
// Source   dotnet/runtime src/coreclr/pal/src/misc/cgroup.cpp (FindCGroupPath, GetCGroup1CpuLimit, GetCGroup2CpuLimit).
#pragma once

#include <cstdint>

namespace tierup::os {

/// Where to look; the defaults are the system's, tests name files of their own.
struct CgroupFiles {
    const char* mount_info = "/proc/self/mountinfo";
    const char* own_groups = "/proc/self/cgroup";
    int version = 0;  ///< 1 or 2; 0 asks the file system type of /sys/fs/cgroup.
};

[[nodiscard]] bool try_read_cgroup_processors(const CgroupFiles& files, std::uint32_t& processors) noexcept;

/// Quota over period, rounded up and at least 1; both are positive.
[[nodiscard]] std::uint32_t processors_of_quota(std::int64_t quota, std::int64_t period) noexcept;

}  // namespace tierup::os
