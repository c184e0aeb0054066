// What     The plain-load door: loads without any check, for the poll's fast path.
// What not Not for first validation, native threads or scans: those take the kernel-checked door (kernel_reader.h).
// Threads  Only a thread in the runtime's cooperative mode, and only along a chain that was validated once for a handle that the
//          caller holds.
// Failure  None is reported: a load from an address outside the argument below is a fault. load_code_window says false instead.
// Source   dotnet/runtime src/coreclr/vm/callcounting.cpp, CallCountingManager::StopAndDeleteAllCallCountingStubs; precode.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/address.h"

#if defined(__clang__) || defined(__GNUC__)
#define TIERUP_UNCHECKED_LOAD __attribute__((no_sanitize("address"), no_sanitize("thread")))
#else
#define TIERUP_UNCHECKED_LOAD
#endif

namespace tierup::memory {

// Why these loads can't fault and can't see a half-made stub, where the rules of the header comment are kept:
//
// Stubs   A call counting stub's memory is given back only by StopAndDeleteAllCallCountingStubs, which first suspends the runtime
//         (ThreadSuspend::SuspendEE) and restarts it after the deletion. A thread in cooperative mode is waited for by that
//         suspension, so no deletion happens between two loads of one poll. The entry point is read anew by every poll.
// Pages   A stub and its data are a pair of pages of the loader heap of the method's loader allocator; they are unmapped with the
//         allocator, that is never for ordinary assemblies. For a collectible one the caller's handle keeps it alive, and such
//         methods take the other door all the same. The cell lies in a CallCountingInfo, freed under the same suspension.
// Code    Jitted and precompiled code stays mapped as long as its loader allocator or image. A code address that was read from a
//         slot is therefore mapped, and with it the page that it is in, but not the page after it: hence the bound at the page's
//         end. The bytes behind a short method in the same page are mapped too; whatever they hold is compared, never followed.
// Slots   Are eight bytes, naturally aligned and written by the runtime in one store: a load sees the old or the new value. A poll
//         that saw an old one gives the answer of a moment ago.
//
// Race        a slot changes between two loads of one chain (a stub is installed, completed or bypassed)
// Window      a poll of tens of nanoseconds
// Harmless    each value leads to memory that is still mapped and still that method's; the answer is that of a moment ago
// Test        the stub-deletion stress of the runtime tests; here: a_window_loads_up_to_the_last_byte_of_a_page_and_not_beyond

/// The smallest page of any supported platform: memory is mapped and unmapped in multiples of it.
inline constexpr std::uint64_t kSmallestPageBytes = 4096;

/// One load of 1, 2, 4 or 8 naturally aligned bytes.
template <typename Value>
[[nodiscard]] TIERUP_UNCHECKED_LOAD inline Value load_plain(Address from) noexcept {
    static_assert(std::is_integral_v<Value> && (sizeof(Value) == 1 || sizeof(Value) == 2 || sizeof(Value) == 4 || sizeof(Value) == 8));
    return __atomic_load_n(reinterpret_cast<const Value*>(from.value()), __ATOMIC_RELAXED);
}

/// Loads `Bytes` bytes at a code address, unless they would leave the page that the code address itself is in.
/// False says: take the kernel-checked door.
template <std::size_t Bytes>
[[nodiscard]] TIERUP_UNCHECKED_LOAD inline bool load_code_window(Address code, std::uint8_t (&window)[Bytes]) noexcept {
    static_assert(Bytes > 0 && Bytes <= kSmallestPageBytes);
    if (code.value() % kSmallestPageBytes > kSmallestPageBytes - Bytes) {
        return false;
    }
    // Word by word, not memcpy: the sanitizers check memcpy's source also inside a function that they are told to leave alone.
    using Word = std::uint64_t __attribute__((aligned(1), may_alias));
    const auto* from = reinterpret_cast<const std::uint8_t*>(code.value());
    std::size_t at = 0;
    for (; at + sizeof(Word) <= Bytes; at += sizeof(Word)) {
        *reinterpret_cast<Word*>(window + at) = *reinterpret_cast<const Word*>(from + at);
    }
    for (; at < Bytes; ++at) {
        window[at] = from[at];
    }
    return true;
}

}  // namespace tierup::memory
