// What     The runtime's count: the configured number if there is one, else the affinity mask, cut by the cgroup quota.
// Source   dotnet/runtime src/coreclr/utilcode/util.cpp GetCurrentProcessCpuCount (a configured count is 1 to 0xffff);
//          pal/src/misc/sysinfo.cpp PAL_GetLogicalCpuCountFromOS; clrconfignative for the reading of the variable.
#include "os/processors.h"

#include <sched.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>

#include "os/cgroup.h"
#include "os/environment.h"

namespace tierup::os {

namespace {

constexpr unsigned long kMaxConfiguredProcessors = 0xFFFF;  // MAX_PROCESSOR_COUNT in util.cpp

/// 0 where nothing valid is configured. Numbers are hexadecimal, what follows them is ignored, an empty variable is no variable.
std::uint32_t configured_processors() noexcept {
    const char* text = find_environment_value("DOTNET_PROCESSOR_COUNT");
    if (text == nullptr || text[0] == '\0') {
        text = find_environment_value("COMPlus_PROCESSOR_COUNT");
    }
    if (text == nullptr) {
        return 0;
    }
    char* end = nullptr;
    errno = 0;
    const unsigned long value = std::strtoul(text, &end, 16);
    return end != text && errno == 0 && value <= kMaxConfiguredProcessors ? static_cast<std::uint32_t>(value) : 0;
}

std::uint32_t affinity_processors() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return static_cast<std::uint32_t>(CPU_COUNT(&set));
    }
    const long online = sysconf(_SC_NPROCESSORS_ONLN);  // more processors than a cpu_set_t has bits
    return online > 0 ? static_cast<std::uint32_t>(online) : 1;
}

}  // namespace

std::uint32_t count_process_processors() noexcept {
    if (const std::uint32_t configured = configured_processors(); configured != 0) {
        return configured;
    }
    const std::uint32_t affinity = affinity_processors();
    std::uint32_t quota = 0;
    return try_read_cgroup_processors(CgroupFiles{}, quota) && quota < affinity ? quota : affinity;
}

}  // namespace tierup::os
