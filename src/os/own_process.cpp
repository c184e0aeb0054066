// What     getpid, /proc/self/stat, dladdr.
// What not See own_process.h.
#include "os/own_process.h"

#include <dlfcn.h>
#include <unistd.h>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "os/glibc_floor.h"
#include "os/line_reader.h"

TIERUP_USE_BASE_VERSION(dladdr);

namespace tierup::os {

namespace {

/// Counted from the field behind the name, which is field 3.
constexpr int kFieldsBeforeStartTime = 22 - 3;

bool try_parse_number(const char* text, std::uint64_t& number) noexcept {
    const char* at = text;
    number = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
        const auto digit = static_cast<std::uint64_t>(*at - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    return at != text && (*at == ' ' || *at == '\0');
}

Status copy_path(const char* from, std::span<char> path) noexcept {
    const std::size_t bytes = std::strlen(from) + 1;
    if (bytes > path.size()) {
        return Status::exhausted;
    }
    std::memcpy(path.data(), from, bytes);
    return Status::ok;
}

}  // namespace

std::uint32_t own_process_id() noexcept {
    return static_cast<std::uint32_t>(getpid());
}

Status try_read_start_time(std::uint64_t& start_time, const char* stat_path) noexcept {
    start_time = 0;
    LineReader reader(stat_path);
    // The name may hold spaces, parentheses and newlines: the last ')' of a line that goes on as the file does is the one that ends it.
    bool has_name = false;
    for (const char* line = reader.try_read_line(); line != nullptr; line = reader.try_read_line()) {
        const char* at = std::strrchr(line, ')');
        if (at == nullptr) {
            continue;
        }
        has_name = true;
        ++at;
        for (int field = 0; at != nullptr && *at == ' ' && field < kFieldsBeforeStartTime; ++field) {
            at = std::strchr(at + 1, ' ');
        }
        if (at != nullptr && *at == ' ' && try_parse_number(at + 1, start_time)) {
            return Status::ok;
        }
    }
    start_time = 0;
    return has_name ? Status::unknown : Status::absent;
}

Status find_library_path(const void* code, std::span<char> path) noexcept {
    Dl_info found{};
    if (path.empty() || dladdr(code, &found) == 0 || found.dli_fname == nullptr || found.dli_fname[0] == '\0') {
        return Status::absent;
    }
    if (found.dli_fname[0] == '/') {
        return copy_path(found.dli_fname,
                         path);  // as the loader has it: it knows the library by this name even if the file was replaced since
    }
    char absolute[PATH_MAX];
    return realpath(found.dli_fname, absolute) != nullptr ? copy_path(absolute, path) : Status::absent;
}

}  // namespace tierup::os
