// What     Which numbers can be addresses of user space.
// What not Not whether anything is mapped there.
// Threads  A pure function.
// Source   x64: 47 bits, 56 with five-level paging (Linux Documentation/arch/x86/x86_64/mm.rst); arm64: 52 at most. The first page is never mapped.
#pragma once

#include <cstdint>

namespace tierup::clr {

inline constexpr std::uint64_t kFirstAddress = 4096;
inline constexpr std::uint64_t kEndOfAddresses = std::uint64_t{1} << 56;

[[nodiscard]] constexpr bool is_plausible(std::uint64_t address) noexcept {
    return address >= kFirstAddress && address < kEndOfAddresses;
}
[[nodiscard]] constexpr bool is_null_or_plausible(std::uint64_t address) noexcept {
    return address == 0 || is_plausible(address);
}

}  // namespace tierup::clr
