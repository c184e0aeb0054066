// What     dlopen and dlsym.
// Source   dlopen(3): RTLD_NOW so that a missing symbol is an error here, RTLD_LOCAL so that nothing is interposed.
#include "os/library.h"

#include <dlfcn.h>
#include <cstring>

#include "os/glibc_floor.h"

TIERUP_USE_BASE_VERSION(dlopen);
TIERUP_USE_BASE_VERSION(dlsym);
TIERUP_USE_BASE_VERSION(dlerror);

namespace tierup::os {

namespace {

void copy_text(const char* text, char* to, std::size_t bytes) noexcept {
    if (to == nullptr || bytes == 0) {
        return;
    }
    const std::size_t length = text == nullptr ? 0 : strnlen(text, bytes - 1);
    std::memcpy(to, text == nullptr ? "" : text, length);
    to[length] = '\0';
}

}  // namespace

Status open_library(const char* path, void*& handle, char* error, std::size_t error_bytes) noexcept {
    copy_text(nullptr, error, error_bytes);
    handle = nullptr;
    if (path == nullptr || path[0] == '\0') {  // dlopen would give the main program
        copy_text("no path was given", error, error_bytes);
        return Status::invalid_argument;
    }
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        copy_text(dlerror(), error, error_bytes);
        return Status::absent;
    }
    return Status::ok;
}

void* find_symbol(void* handle, const char* name) noexcept {
    return handle == nullptr ? nullptr : dlsym(handle, name);
}

}  // namespace tierup::os
