// What     Where a method's entry point leads at one moment.
// What not No judgement about tiers: decide.h makes that from this and more.
// Threads  Values only; the moment is the walk's (entry_walk.h).
// Failure  `unreadable` and `unknown` are states of their own.
#pragma once

#include <cstdint>

#include "base/address.h"

namespace tierup::runtime {

enum class EntryKind : std::uint8_t {
    unreadable,      ///< A load failed, or plain loads are not allowed there.
    unknown,         ///< More forwarding hops than any known runtime makes.
    prestub,         ///< The next call goes through the runtime's prestub.
    inside_runtime,  ///< Leads into the runtime's own image: no jitted code (P/Invoke, internal call, …).
    code,            ///< Leads to code (anything that is no stub of a known shape).
    counting,        ///< Leads to a call counting stub.
};

/// The byte behind the remaining-count cell. Source: dotnet/runtime src/coreclr/vm/callcounting.h, CallCountingInfo::Stage, 8.0–11.0.
enum class CountingStage : std::uint8_t { not_active = 0, may_be_active = 1, pending_completion = 2, complete = 3 };

struct EntryState {
    EntryKind kind = EntryKind::unreadable;
    Address code{};  ///< kind code: where it leads; kind counting: the code that is counted.
    Address stub{};  ///< kind counting: the stub.
    Address cell{};  ///< kind counting: the remaining-count cell.
    Address slot{};  ///< The slot whose content led to code or stub; null where the entry point itself is that.
    std::uint16_t remaining_calls = 0;
    CountingStage stage = CountingStage::not_active;

    friend constexpr bool operator==(const EntryState&, const EntryState&) noexcept = default;
};

}  // namespace tierup::runtime
