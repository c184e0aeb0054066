// What     The processor count against the C library's own affinity mask, and the runtime's variable.
// Source   dotnet/runtime src/coreclr/utilcode/util.cpp GetCurrentProcessCpuCount; numbers in the environment are hexadecimal.
#include "os/processors.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <sched.h>

namespace {

using tierup::os::count_process_processors;

class ProcessorsTest : public ::testing::Test {
protected:
    void SetUp() override {
        unsetenv("DOTNET_PROCESSOR_COUNT");
        unsetenv("COMPlus_PROCESSOR_COUNT");
        ASSERT_EQ(sched_getaffinity(0, sizeof mask_, &mask_), 0);
        unset_ = count_process_processors();
    }
    void TearDown() override {
        sched_setaffinity(0, sizeof mask_, &mask_);
        unsetenv("DOTNET_PROCESSOR_COUNT");
        unsetenv("COMPlus_PROCESSOR_COUNT");
    }

    cpu_set_t mask_{};
    std::uint32_t unset_ = 0;
};

TEST_F(ProcessorsTest, is_at_least_one_and_no_more_than_the_mask) {
    EXPECT_GE(unset_, 1u);
    EXPECT_LE(unset_, static_cast<std::uint32_t>(CPU_COUNT(&mask_)));
}

TEST_F(ProcessorsTest, follows_the_affinity_mask_down_to_one) {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &mask_)) {
            CPU_SET(cpu, &one);
            break;
        }
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(count_process_processors(), 1u);
}

TEST_F(ProcessorsTest, the_variable_is_hexadecimal_and_beats_the_mask) {
    setenv("DOTNET_PROCESSOR_COUNT", "10", 1);
    EXPECT_EQ(count_process_processors(), 16u);
    setenv("DOTNET_PROCESSOR_COUNT", "5z", 1);
    EXPECT_EQ(count_process_processors(), 5u);
    setenv("DOTNET_PROCESSOR_COUNT", "FFFF", 1);
    EXPECT_EQ(count_process_processors(), 65535u);
}

TEST_F(ProcessorsTest, values_out_of_range_and_garbage_are_no_value) {
    for (const char* text : {"0", "10000", "zz", "", "99999999999999999999"}) {
        setenv("DOTNET_PROCESSOR_COUNT", text, 1);
        EXPECT_EQ(count_process_processors(), unset_) << text;
    }
}

TEST_F(ProcessorsTest, the_new_prefix_beats_the_old_one) {
    setenv("COMPlus_PROCESSOR_COUNT", "3", 1);
    EXPECT_EQ(count_process_processors(), 3u);
    setenv("DOTNET_PROCESSOR_COUNT", "4", 1);
    EXPECT_EQ(count_process_processors(), 4u);
}

}  // namespace
