// What     Opens a shared library and finds its exports.
// What not Never closes one: a library such as the DAC starts threads and can't be unloaded.
// Threads  Any; runs the library's initialisers on the calling thread.
// Failure  Status::absent with the loader's own words in `error`; a null symbol means that there is none.
// Source   dlopen(3), dlsym(3).
#pragma once

#include <cstddef>

#include "base/status.h"

namespace tierup::os {

/// `error` is always zero-terminated where `error_bytes` > 0, and empty on success. It may be null.
[[nodiscard]] Status open_library(const char* path, void*& handle, char* error, std::size_t error_bytes) noexcept;

[[nodiscard]] void* find_symbol(void* handle, const char* name) noexcept;

}  // namespace tierup::os
