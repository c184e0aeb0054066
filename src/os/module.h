// What     Finds a loaded module of this process by its file name.
// What not Loads nothing, parses no symbols (library.h), knows no runtime names.
// Threads  Any; holds the loader's lock for the walk, so not from inside a loader callback.
// Failure  Status::absent where no such module is loaded, Status::exhausted where its path is longer than kPathBytes.
// Source   dl_iterate_phdr(3); PT_GNU_RELRO is what the loader makes read-only after relocation, in whole pages.
#pragma once

#include <cstddef>

#include "base/address.h"
#include "base/status.h"

namespace tierup::os {

inline constexpr std::size_t kPathBytes = 4096;  // Linux PATH_MAX, <linux/limits.h>

struct Module {
    Address base;  ///< Where the module's first byte is mapped.
    Address end;   ///< Behind its last mapped byte.
    Address data;  ///< Its variables: the largest writable part that stays writable after relocation. Null where there is none.
    Address data_end;
    char path[kPathBytes] = {};  ///< Absolute, zero-terminated.
};

/// `file_name` is the exact last part of the path ("libcoreclr.so"); the empty name never matches.
[[nodiscard]] Status find_loaded_module(const char* file_name, Module& module) noexcept;

}  // namespace tierup::os
