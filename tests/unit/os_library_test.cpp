// What     Modules, libraries, symbols and the environment.
#include "os/library.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "os/environment.h"
#include "os/module.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::os::find_environment_value;
using tierup::os::find_loaded_module;
using tierup::os::find_symbol;
using tierup::os::Module;
using tierup::os::open_library;

TEST(Module, finds_the_c_library_with_its_path_and_base) {
    Module module;
    ASSERT_EQ(find_loaded_module("libc.so.6", module), Status::ok);
    EXPECT_EQ(module.path[0], '/');
    EXPECT_STREQ(std::strrchr(module.path, '/'), "/libc.so.6");
    Dl_info info;
    ASSERT_NE(dladdr(dlsym(dlopen(module.path, RTLD_NOW | RTLD_NOLOAD), "abort"), &info), 0);
    EXPECT_EQ(module.base, Address(reinterpret_cast<std::uint64_t>(info.dli_fbase)));
}

TEST(Module, matches_the_whole_file_name_only) {
    Module module;
    for (const char* name : {"libc.so", "ibc.so.6", "libc.so.66", "libcoreclr.so", "lib"}) {
        EXPECT_EQ(find_loaded_module(name, module), Status::absent) << name;
        EXPECT_TRUE(module.base.is_null());
        EXPECT_STREQ(module.path, "");
    }
}

TEST(Module, refuses_an_empty_name_rather_than_find_the_main_program) {
    Module module;
    EXPECT_EQ(find_loaded_module("", module), Status::invalid_argument);
    EXPECT_EQ(find_loaded_module(nullptr, module), Status::invalid_argument);
}

TEST(Library, opens_one_and_finds_its_symbols) {
    void* handle = nullptr;
    char error[100] = "old";
    ASSERT_EQ(open_library("libm.so.6", handle, error, sizeof error), Status::ok);
    EXPECT_STREQ(error, "");
    auto* cosine = reinterpret_cast<double (*)(double)>(find_symbol(handle, "cos"));
    ASSERT_NE(cosine, nullptr);
    EXPECT_DOUBLE_EQ(cosine(0.0), 1.0);
    EXPECT_EQ(find_symbol(handle, "no_such_symbol_here"), nullptr);
    EXPECT_EQ(find_symbol(nullptr, "cos"), nullptr);
}

TEST(Library, says_in_the_loaders_words_why_it_cannot) {
    void* handle = &handle;
    char error[200] = {};
    EXPECT_EQ(open_library("/no/such/library.so", handle, error, sizeof error), Status::absent);
    EXPECT_EQ(handle, nullptr);
    EXPECT_NE(std::string(error).find("/no/such/library.so"), std::string::npos);
}

TEST(Library, cuts_the_reason_to_the_room_that_it_is_given) {
    void* handle = nullptr;
    char error[8] = {'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'};
    EXPECT_EQ(open_library("/no/such/library.so", handle, error, 5), Status::absent);
    EXPECT_EQ(std::string(error), "/no/");
    EXPECT_EQ(error[5], 'x');
    EXPECT_EQ(open_library("/no/such/library.so", handle, nullptr, 0), Status::absent);
}

TEST(Library, refuses_an_empty_path_rather_than_open_the_main_program) {
    void* handle = nullptr;
    EXPECT_EQ(open_library("", handle, nullptr, 0), Status::invalid_argument);
    EXPECT_EQ(open_library(nullptr, handle, nullptr, 0), Status::invalid_argument);
}

TEST(Environment, gives_the_value_or_null) {
    setenv("TIERUP_TEST_VALUE", "1E", 1);
    EXPECT_STREQ(find_environment_value("TIERUP_TEST_VALUE"), "1E");
    unsetenv("TIERUP_TEST_VALUE");
    EXPECT_EQ(find_environment_value("TIERUP_TEST_VALUE"), nullptr);
}

}  // namespace
