// What     Which numbers can be pointers to the runtime's objects.
// What not Not whether anything is mapped there.
// Threads  A pure function.
// Source   x64: 47 bits, 56 with five-level paging (Linux Documentation/arch/x86/x86_64/mm.rst); arm64: 52 at most. The first page is never mapped;
//          malloc aligns by 8 at least.
#pragma once

#include <cstdint>

namespace tierup::layout {

inline constexpr std::uint64_t kFirstAddress = 4096;
inline constexpr std::uint64_t kEndOfAddresses = std::uint64_t{1} << 56;
inline constexpr std::uint64_t kPointerAlignment = 8;

[[nodiscard]] constexpr bool is_object_pointer(std::uint64_t value) noexcept {
    return value >= kFirstAddress && value < kEndOfAddresses && value % kPointerAlignment == 0;
}

}  // namespace tierup::layout
