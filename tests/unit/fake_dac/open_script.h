// What     The fake data access library's script, as new: each test starts from the same answers.
// Failure  Null where the library or its script can't be had.
#pragma once

#include <new>

#include "os/library.h"
#include "script.h"

namespace tierup::clr::testing {

[[nodiscard]] inline FakeDacScript* open_fresh_script(const char* library_path) {
    void* library = nullptr;
    if (os::open_library(library_path, library, nullptr, 0) != Status::ok) {
        return nullptr;
    }
    auto* const script = static_cast<FakeDacScript*>(os::find_symbol(library, "script"));
    if (script != nullptr) {
        script->~FakeDacScript();
        new (script) FakeDacScript();
    }
    return script;
}

}  // namespace tierup::clr::testing
