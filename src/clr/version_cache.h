// What     Code version lists that were complete when read, by method, to answer "which tier is this code" without the DAC.
// What not Never says that a list is up to date: only that the code address asked for is in it.
// Threads  One at a time (DataAccess's mutex).
// Failure  Long lists and lists that lose their slot to another method are simply not found.
// Source   A code version's tier is fixed once it has code: dotnet/runtime src/coreclr/vm/codeversion.cpp, prestub.cpp (SetNativeCode).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/code_version.h"

namespace tierup::clr {

inline constexpr std::size_t kCachedMethods = 1024;  ///< Direct mapped; 200 KiB that stay untouched until used.
inline constexpr std::size_t kCachedVersions = 8;    ///< A ladder has 3 or 4 and OSR bodies come on top; longer lists are not cached.

class VersionCache {
public:
    /// True if a list of this method, of whatever content, was stored and has not lost its slot.
    [[nodiscard]] bool knows(Address method) const noexcept { return !method.is_null() && slots_[slot_of(method)].method == method; }
    /// True if a list that holds `code` was found and copied.
    [[nodiscard]] bool try_find(Address method, Address code, CodeVersionList& versions) const noexcept;
    /// Remembers a complete list; a list too long or truncated leaves the method known, with no versions.
    void store(Address method, const CodeVersionList& versions) noexcept;

private:
    struct Slot {
        Address method;
        std::uint32_t count = 0;
        std::array<CodeVersion, kCachedVersions> items{};
    };

    [[nodiscard]] static std::size_t slot_of(Address method) noexcept;

    std::array<Slot, kCachedMethods> slots_{};
};

}  // namespace tierup::clr
