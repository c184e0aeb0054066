// What     The cgroup limit from files in the kernel's formats.
// Source   proc(5) and cgroups(7) for the formats; dotnet/runtime pal/src/misc/cgroup.cpp for which limit counts.
#include "os/cgroup.h"

#include <string>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace {

using tierup::os::CgroupFiles;
using tierup::os::processors_of_quota;
using tierup::os::try_read_cgroup_processors;
using tierup::testing::TemporaryFolder;

/// 0 where no limit was found.
std::uint32_t limit_of(const TemporaryFolder& folder, int version, const std::string& mount_info, const std::string& groups) {
    const std::string mounts = folder.write("mountinfo", mount_info);
    const std::string own = folder.write("cgroup", groups);
    std::uint32_t processors = 0;
    return try_read_cgroup_processors(CgroupFiles{mounts.c_str(), own.c_str(), version}, processors) ? processors : 0;
}

const char* const kOtherMounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n23 22 0:21 / /proc rw - proc proc rw\n";

std::string mount2(const TemporaryFolder& folder, const std::string& root = "/") {
    return kOtherMounts + ("30 22 0:26 " + root + " " + folder.path() + "/cg rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
}

std::string mount1(const TemporaryFolder& folder, const std::string& root = "/") {
    return kOtherMounts + ("31 22 0:27 / " + folder.path() + "/memory rw - cgroup cgroup rw,memory\n") + "32 22 0:28 " + root + " " +
           folder.path() + "/cg rw - cgroup cgroup rw,cpuacct,cpu\n";
}

TEST(CgroupQuota, is_rounded_up_and_at_least_one) {
    EXPECT_EQ(processors_of_quota(1, 100'000), 1u);
    EXPECT_EQ(processors_of_quota(100'000, 100'000), 1u);
    EXPECT_EQ(processors_of_quota(100'001, 100'000), 2u);
    EXPECT_EQ(processors_of_quota(150'000, 100'000), 2u);
    EXPECT_EQ(processors_of_quota(200'000, 100'000), 2u);
    EXPECT_EQ(processors_of_quota(INT64_MAX, 1), UINT32_MAX);
}

TEST(Cgroup2, reads_the_quota_of_the_own_group) {
    const TemporaryFolder folder;
    folder.write("cg/app.slice/one/cpu.max", "250000 100000\n");
    EXPECT_EQ(limit_of(folder, 2, mount2(folder), "0::/app.slice/one\n"), 3u);
}

TEST(Cgroup2, no_limit_is_no_limit) {
    const TemporaryFolder folder;
    folder.write("cg/a/cpu.max", "max 100000\n");
    EXPECT_EQ(limit_of(folder, 2, mount2(folder), "0::/a\n"), 0u);
    EXPECT_EQ(limit_of(folder, 2, mount2(folder), "0::/not-there\n"), 0u);
    EXPECT_EQ(limit_of(folder, 2, kOtherMounts, "0::/a\n"), 0u);
    EXPECT_EQ(limit_of(folder, 2, mount2(folder), ""), 0u);
}

TEST(Cgroup2, a_container_sees_its_own_part_of_the_hierarchy_without_the_common_prefix) {
    const TemporaryFolder folder;
    folder.write("cg/inner/cpu.max", "100000 50000\n");
    EXPECT_EQ(limit_of(folder, 2, mount2(folder, "/docker/87ee"), "0::/docker/87ee/inner\n"), 2u);
}

TEST(Cgroup2, garbage_in_the_file_is_no_limit) {
    const TemporaryFolder folder;
    for (const char* text : {"", "\n", "100000", "x 100000", "100000 x", "-5 100000", "100000 0", "99999999999999999999 1"}) {
        folder.write("cg/a/cpu.max", text);
        EXPECT_EQ(limit_of(folder, 2, mount2(folder), "0::/a\n"), 0u) << text;
    }
}

TEST(Cgroup1, reads_the_quota_of_the_cpu_subsystem_and_no_other) {
    const TemporaryFolder folder;
    folder.write("cg/box/cpu.cfs_quota_us", "400000\n");
    folder.write("cg/box/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(limit_of(folder, 1, mount1(folder), "5:memory:/elsewhere\n4:cpuacct,cpu:/box\n"), 4u);
    EXPECT_EQ(limit_of(folder, 1, mount1(folder), "5:memory:/box\n3:cpuset:/box\n"), 0u);
}

TEST(Cgroup1, a_quota_of_minus_one_is_no_limit) {
    const TemporaryFolder folder;
    folder.write("cg/box/cpu.cfs_quota_us", "-1\n");
    folder.write("cg/box/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(limit_of(folder, 1, mount1(folder), "4:cpu:/box\n"), 0u);
}

}  // namespace
