// What     Where a module's variables are, against what the kernel says of these pages.
// Source   proc_pid_maps(5).
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "os/module.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::os::find_loaded_module;
using tierup::os::Module;

/// The end of the writable pages that begin with, or go on at, `at`; `at` itself where it is not writable.
std::uint64_t end_of_writable_pages(std::uint64_t at) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream words(line);
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        char dash = 0;
        std::string mode;
        words >> std::hex >> begin >> dash >> end >> mode;
        if (at >= begin && at < end && mode.starts_with("rw")) {
            at = end;
        }
    }
    return at;
}

class ModuleDataTest : public testing::TestWithParam<const char*> {};

TEST_P(ModuleDataTest, is_writable_from_its_first_to_its_last_byte) {
    Module module;
    ASSERT_EQ(find_loaded_module(GetParam(), module), Status::ok);
    ASSERT_LT(module.data, module.data_end);
    EXPECT_GE(module.data, module.base);
    EXPECT_LE(module.data_end, module.end);
    EXPECT_GE(end_of_writable_pages(module.data.value()), module.data_end.value());
}

INSTANTIATE_TEST_SUITE_P(libraries, ModuleDataTest, testing::Values("libc.so.6", "libstdc++.so.6", "libm.so.6"),
                         [](const auto& parameter) { return std::string(parameter.param).substr(0, 4) + std::to_string(parameter.index); });

TEST(ModuleData, holds_the_modules_variables) {
    Module module;
    ASSERT_EQ(find_loaded_module("libc.so.6", module), Status::ok);
    for (const char* variable : {"environ", "stdout"}) {
        const Address at(reinterpret_cast<std::uint64_t>(dlsym(RTLD_NEXT, variable)));
        ASSERT_FALSE(at.is_null());
        EXPECT_LE(module.data, at) << variable;
        EXPECT_LT(at, module.data_end) << variable;
    }
}

TEST(ModuleData, is_null_where_no_module_is_found) {
    Module module;
    ASSERT_EQ(find_loaded_module("libc.so.6", module), Status::ok);
    EXPECT_EQ(find_loaded_module("no_such_library.so", module), Status::absent);
    EXPECT_TRUE(module.data.is_null());
    EXPECT_TRUE(module.data_end.is_null());
}

}  // namespace
