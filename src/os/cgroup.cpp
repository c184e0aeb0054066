// What     Finds the group's folder from mountinfo and the process's group list, and reads its quota.
// Source   dotnet/runtime src/coreclr/pal/src/misc/cgroup.cpp; proc(5) and cgroups(7) for the formats.
#include "os/cgroup.h"

#include <sys/vfs.h>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "os/line_reader.h"
#include "os/module.h"

namespace tierup::os {

namespace {

constexpr decltype(statfs::f_type) kCgroup2Magic = 0x63677270;  // <linux/magic.h> CGROUP2_SUPER_MAGIC

struct Path {
    char text[kPathBytes] = {};

    [[nodiscard]] bool append(const char* more) noexcept {
        const std::size_t used = std::strlen(text);
        const std::size_t added = std::strlen(more);
        if (used + added >= sizeof text) {
            return false;
        }
        std::memcpy(text + used, more, added + 1);
        return true;
    }
};

int find_version() noexcept {
    struct statfs stats {};
    if (statfs("/sys/fs/cgroup", &stats) != 0) {
        return 0;
    }
    return stats.f_type == kCgroup2Magic ? 2 : 1;
}

bool does_list_have(char* list, const char* word) noexcept {
    char* rest = nullptr;
    for (char* item = strtok_r(list, ",", &rest); item != nullptr; item = strtok_r(nullptr, ",", &rest)) {
        if (std::strcmp(item, word) == 0) {
            return true;
        }
    }
    return false;
}

/// mountinfo: id, parent, device, root, mount point, options, optional fields, "-", type, source, super options.
bool find_mount(const char* mount_info, int version, Path& root, Path& mount) noexcept {
    LineReader lines(mount_info);
    while (char* line = lines.try_read_line()) {
        char* tail = std::strstr(line, " - ");
        if (tail == nullptr) {
            continue;
        }
        *tail = '\0';
        char* rest = nullptr;
        const char* type = strtok_r(tail + 3, " ", &rest);
        (void)strtok_r(nullptr, " ", &rest);
        char* options = strtok_r(nullptr, " ", &rest);
        if (type == nullptr || options == nullptr || std::strncmp(type, "cgroup", 6) != 0 ||
            (version == 1 && !does_list_have(options, "cpu"))) {
            continue;
        }
        const char* field = strtok_r(line, " ", &rest);
        for (int i = 0; i < 3 && field != nullptr; ++i) {
            field = strtok_r(nullptr, " ", &rest);
        }
        const char* point = field == nullptr ? nullptr : strtok_r(nullptr, " ", &rest);
        return point != nullptr && root.append(field) && mount.append(point);
    }
    return false;
}

/// The group list: "0::/path" for version 2, "id:subsystem,subsystem:/path" for version 1.
bool find_group(const char* own_groups, int version, Path& group) noexcept {
    LineReader lines(own_groups);
    while (char* line = lines.try_read_line()) {
        if (version == 2) {
            if (std::strncmp(line, "0::", 3) == 0) {
                return group.append(line + 3);
            }
            continue;
        }
        char* subsystems = std::strchr(line, ':');
        char* path = subsystems == nullptr ? nullptr : std::strchr(subsystems + 1, ':');
        if (path == nullptr) {
            continue;
        }
        *path = '\0';
        if (does_list_have(subsystems + 1, "cpu")) {
            return group.append(path + 1);
        }
    }
    return false;
}

/// The mount may show a part of the hierarchy only (a container): the common prefix is then not repeated.
bool find_folder(const CgroupFiles& files, int version, Path& folder) noexcept {
    Path root;
    Path group;
    if (!find_mount(files.mount_info, version, root, folder) || !find_group(files.own_groups, version, group)) {
        return false;
    }
    std::size_t common = std::strlen(root.text);
    if (common == 1 || std::strncmp(root.text, group.text, common) != 0) {
        common = 0;
    }
    return folder.append(group.text + common);
}

bool parse_number(const char* text, std::int64_t& value) noexcept {
    char* end = nullptr;
    value = std::strtoll(text, &end, 10);
    return end != text && value != INT64_MAX && value != INT64_MIN;
}

bool read_number(const Path& folder, const char* file, std::int64_t& value) noexcept {
    Path path = folder;
    if (!path.append(file)) {
        return false;
    }
    LineReader lines(path.text);
    const char* line = lines.try_read_line();
    return line != nullptr && parse_number(line, value);
}

bool read_quota_1(const Path& folder, std::int64_t& quota, std::int64_t& period) noexcept {
    return read_number(folder, "/cpu.cfs_quota_us", quota) && read_number(folder, "/cpu.cfs_period_us", period);
}

/// cpu.max: "<quota or max> <period>".
bool read_quota_2(Path folder, std::int64_t& quota, std::int64_t& period) noexcept {
    if (!folder.append("/cpu.max")) {
        return false;
    }
    LineReader lines(folder.text);
    char* line = lines.try_read_line();
    char* rest = nullptr;
    const char* quota_text = line == nullptr ? nullptr : strtok_r(line, " ", &rest);
    const char* period_text = quota_text == nullptr ? nullptr : strtok_r(nullptr, " ", &rest);
    return period_text != nullptr && parse_number(quota_text, quota) && parse_number(period_text, period);  // "max" is no number
}

}  // namespace

std::uint32_t processors_of_quota(std::int64_t quota, std::int64_t period) noexcept {
    if (quota <= period) {
        return 1;
    }
    const std::int64_t whole = quota / period + (quota % period != 0 ? 1 : 0);
    return whole < std::int64_t{UINT32_MAX} ? static_cast<std::uint32_t>(whole) : UINT32_MAX;
}

bool try_read_cgroup_processors(const CgroupFiles& files, std::uint32_t& processors) noexcept {
    const int version = files.version != 0 ? files.version : find_version();
    Path folder;
    if (version == 0 || !find_folder(files, version, folder)) {
        return false;
    }
    std::int64_t quota = 0;
    std::int64_t period = 0;
    if (!(version == 1 ? read_quota_1(folder, quota, period) : read_quota_2(folder, quota, period)) || quota <= 0 || period <= 0) {
        return false;
    }
    processors = processors_of_quota(quota, period);
    return true;
}

}  // namespace tierup::os
