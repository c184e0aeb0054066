// What     The process's own facts against what the kernel and the loader say by other ways.
#include "os/own_process.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace {

using namespace tierup;
using tierup::testing::TemporaryFolder;

/// A stat line with the fields 3 to 24 in a row, so that the value is the field's own number.
std::string stat_line(const std::string& name) {
    std::string line = "4711 (" + name + ") S";
    for (int field = 4; field <= 24; ++field) {
        line += " " + std::to_string(field);
    }
    return line + "\n";
}

std::uint64_t start_time_of(const std::string& text, Status expected = Status::ok) {
    const TemporaryFolder folder;
    std::uint64_t start_time = 99;
    EXPECT_EQ(os::try_read_start_time(start_time, folder.write("stat", text).c_str()), expected) << text;
    return start_time;
}

TEST(OwnProcess, the_start_time_is_field_22_whatever_the_name_is) {
    for (const char* name :
         {"dotnet", "a b", "(", ")", "a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", "", "two\nlines", "x)\ny"}) {
        EXPECT_EQ(start_time_of(stat_line(name)), 22u) << name;
    }
}

TEST(OwnProcess, a_stat_file_of_another_form_has_no_start_time) {
    EXPECT_EQ(start_time_of("", Status::absent), 0u);
    EXPECT_EQ(start_time_of("no parentheses\n", Status::absent), 0u);
    EXPECT_EQ(start_time_of("1 (x)", Status::unknown), 0u);
    EXPECT_EQ(start_time_of("1 (x) S 4 5 6\n", Status::unknown), 0u);
    EXPECT_EQ(start_time_of("1 (x) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 -5 23\n", Status::unknown), 0u);
    EXPECT_EQ(start_time_of("1 (x) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 99999999999999999999999 23\n", Status::unknown), 0u);
    std::uint64_t start_time = 99;
    EXPECT_EQ(os::try_read_start_time(start_time, "/no/such/file"), Status::absent);
    EXPECT_EQ(start_time, 0u);
}

// The kernel's other word for it: the directory's change time is the start as a date; here only that it is plausible and the same twice.
TEST(OwnProcess, the_own_start_time_lies_before_now_and_stays) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    ASSERT_EQ(os::try_read_start_time(first), Status::ok);
    ASSERT_EQ(os::try_read_start_time(second), Status::ok);
    EXPECT_EQ(first, second);
    double uptime_seconds = 0;
    std::ifstream("/proc/uptime") >> uptime_seconds;
    const double start_seconds = static_cast<double>(first) / static_cast<double>(sysconf(_SC_CLK_TCK));
    EXPECT_LE(start_seconds, uptime_seconds + 0.02);
    EXPECT_EQ(os::own_process_id(), static_cast<std::uint32_t>(std::stoi(std::filesystem::read_symlink("/proc/self").string())));
}

int code_of_ours() {
    return 1;
}

TEST(OwnProcess, code_of_the_program_leads_to_the_program_and_of_libc_to_libc) {
    std::array<char, 4096> path{};
    ASSERT_EQ(os::find_library_path(reinterpret_cast<const void*>(&code_of_ours), path), Status::ok);
    EXPECT_TRUE(std::filesystem::equivalent(path.data(), "/proc/self/exe"));
    EXPECT_EQ(path[0], '/');
    const void* libc_function = dlsym(RTLD_DEFAULT, "getenv");
    ASSERT_EQ(os::find_library_path(libc_function, path), Status::ok);
    void* reopened = dlopen(path.data(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(reopened, nullptr) << "the loader knows the library by that path";
    EXPECT_EQ(dlsym(reopened, "getenv"), libc_function);
    (void)dlclose(reopened);
}

TEST(OwnProcess, code_of_no_file_is_absent_and_a_small_buffer_exhausted) {
    std::array<char, 4096> path{};
    int on_the_stack = 0;
    EXPECT_EQ(os::find_library_path(&on_the_stack, path), Status::absent);
    EXPECT_EQ(os::find_library_path(nullptr, path), Status::absent);
    std::array<char, 4> small{};
    EXPECT_EQ(os::find_library_path(dlsym(RTLD_DEFAULT, "getenv"), small), Status::exhausted);
    EXPECT_EQ(os::find_library_path(dlsym(RTLD_DEFAULT, "getenv"), std::span<char>()), Status::absent);
}

}  // namespace
