// What     What is kept about one registered method: fixed facts, and a few remembered addresses that make later looks cheap.
// What not Not for methods that can be unloaded: those have no record.
// Threads  The fixed facts are written before the record is published and never after. The remembered ones are hints: any thread may
//          write any of them at any time with a value that was true once; each reader checks a hint against the present entry point.
// Failure  A record lives as long as the process; so do the addresses in it (the loader heap of a context that can't be unloaded).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "base/tier.h"
#include "runtime/entry_walk.h"

namespace tierup::runtime {

struct MethodRecord {
    Address real_method;
    WalkStart start;
    Address native_code_slot;  ///< Null where the data access library named none.
    std::uint32_t kinds = 0;   ///< MethodKind bits.

    /// Code whose verdict can't change while the entry point leads to it, and that verdict, packed; code 0: none yet.
    std::atomic<std::uint64_t> settled_code = 0;
    std::atomic<std::uint64_t> settled_answer = 0;

    /// Code last seen under a counting stub of this method, and that stub's cell.
    std::atomic<std::uint64_t> counted_code = 0;
    std::atomic<std::uint64_t> counted_cell = 0;

    /// The last full look by a waiter: what the first slot held, what came of it, when. See method_probe.cpp.
    std::atomic<std::uint64_t> looked_at_target = 0;
    std::atomic<std::uint64_t> looked_answer = 0;
    std::atomic<std::uint64_t> looked_at_ns = 0;

    /// What the runtime's last load event for this method said: code | tier << kTierShift; 0: none. Written in the event's callback, before the
    /// entry point leads there.
    std::atomic<std::uint64_t> loaded = 0;
    /// Set by a waiter before it looks; a callback that finds it set counts news and rings.
    std::atomic<bool> is_waited_for = false;
    std::atomic<std::uint32_t> news = 0;

    static constexpr unsigned kTierShift = 56;  ///< User-space addresses of x64 and arm64 (52 bits at most) leave the top byte free.
};

struct LoadedCode {
    Address code;
    Tier tier = Tier::unknown;
};

[[nodiscard]] constexpr std::uint64_t pack(const LoadedCode& loaded) noexcept {
    return loaded.code.value() | static_cast<std::uint64_t>(loaded.tier) << MethodRecord::kTierShift;
}
[[nodiscard]] constexpr LoadedCode unpack_loaded(std::uint64_t bits) noexcept {
    return {.code = Address(bits & ((std::uint64_t{1} << MethodRecord::kTierShift) - 1)),
            .tier = static_cast<Tier>(bits >> MethodRecord::kTierShift)};
}

}  // namespace tierup::runtime
