// What     Follows a method's entry point through its stubs to what a call would run now: one walk for both doors of memory.
// What not Does not judge tiers, does not ask the DAC, remembers nothing.
// Threads  With plain loads: cooperative mode only (memory/plain_window.h says why). With checked loads: any thread.
// Failure  EntryKind::unreadable, also when the chain kept changing for kMaxTries walks; `unknown` after kMaxHops forwarders.
// Source   Stub chain: dotnet/runtime src/coreclr/vm/precode.h, callcounting.h; seen on 8.0.34, 9.0.23, 10.0.15, 11.0.0.
#pragma once

#include <cstdint>

#include "base/address.h"
#include "decode/architecture.h"
#include "decode/match.h"
#include "decode/shape.h"
#include "runtime/entry_state.h"
#include "runtime/image_range.h"

namespace tierup::runtime {

/// Fixup precode → forwarder precode (virtual methods) → counting stub → code; one to spare.
inline constexpr int kMaxHops = 4;
inline constexpr int kMaxTries = 4;

/// CallCountingInfo around the cell: the stub pointer before it, the stage behind it.
/// Source: dotnet/runtime src/coreclr/vm/callcounting.h, class CallCountingInfo; offsets measured on 8.0.34–11.0.0.
inline constexpr std::int64_t kStubPointerFromCellBytes = -8;
inline constexpr std::int64_t kStageFromCellBytes = 2;

struct WalkPlace {
    decode::Architecture architecture = decode::kHostArchitecture;
    ImageRange runtime_image;
};

namespace detail {

enum class HopResult : std::uint8_t { forwarded, ended, changed, unreadable };

template <typename Loads>
[[nodiscard]] HopResult read_counting_stub(const Loads& loads, const decode::Match& match, Address at, EntryState& state) noexcept {
    std::uint64_t cell = 0;
    std::uint64_t code = 0;
    std::uint64_t stub = 0;
    std::uint8_t stage = 0;
    if (!loads.load(match.cell_slot, cell) || !loads.load(match.target_slot, code)) {
        return HopResult::unreadable;
    }
    const Address cell_address(cell);
    if (!loads.load(cell_address, state.remaining_calls) || !loads.load(cell_address.plus(kStageFromCellBytes), stage) ||
        !loads.load(cell_address.plus(kStubPointerFromCellBytes), stub)) {
        return HopResult::unreadable;
    }
    // Race: on a native thread the stub can be deleted, and its memory given to something else, between two of our copies.
    // Window: from the load of the slot that led here to the last load above.
    // Harmless because the counting record must point back at this stub, and the caller loads the slot that led here again.
    // Test: stub_deleted_underfoot_is_seen_as_a_changed_chain (tests/unit/entry_walk_test.cpp), and the deletion stress of the matrix.
    if (Address(stub) != at || stage > static_cast<std::uint8_t>(CountingStage::complete)) {
        return HopResult::changed;
    }
    state.kind = EntryKind::counting;
    state.code = Address(code);
    state.stub = at;
    state.cell = cell_address;
    state.stage = static_cast<CountingStage>(stage);
    return HopResult::ended;
}

template <typename Loads>
[[nodiscard]] HopResult walk_once(const Loads& loads, const WalkPlace& place, Address entry_point, Address known_code,
                                  EntryState& state) noexcept {
    Address at = entry_point;
    Address came_from;  // the slot whose content is `at`; null for the entry point itself
    for (int hop = 0; hop < kMaxHops; ++hop) {
        // Known code first: code that begins with a tail call looks like the first bytes of a fixup precode.
        if (!known_code.is_null() && at == known_code) {
            state.kind = EntryKind::code;
            state.code = at;
            return HopResult::ended;
        }
        if (place.runtime_image.contains(at)) {
            state.kind = EntryKind::inside_runtime;
            return HopResult::ended;
        }
        std::uint8_t window[decode::kWindowBytes];
        if (!loads.load_code_window(at, window)) {
            return HopResult::unreadable;
        }
        const decode::Match match = decode::match_stub(place.architecture, at, window);
        if (match.shape == decode::Shape::unknown) {
            state.kind = EntryKind::code;
            state.code = at;
            return HopResult::ended;
        }
        if (match.shape == decode::Shape::call_counting_stub) {
            const HopResult result = read_counting_stub(loads, match, at, state);
            std::uint64_t still = at.value();
            if (result == HopResult::ended && !came_from.is_null() && (!loads.load(came_from, still) || Address(still) != at)) {
                return HopResult::changed;
            }
            return result;
        }
        std::uint64_t target = 0;
        if (!loads.load(match.target_slot, target)) {
            return HopResult::unreadable;
        }
        if (match.shape == decode::Shape::fixup_precode && Address(target) == match.unprepared_target) {
            state.kind = EntryKind::prestub;
            return HopResult::ended;
        }
        came_from = match.target_slot;
        at = Address(target);
    }
    state.kind = EntryKind::unknown;
    return HopResult::ended;
}

}  // namespace detail

/// `known_code`: an address that was already told to be this method's code, or null.
template <typename Loads>
[[nodiscard]] EntryState walk_entry(const Loads& loads, const WalkPlace& place, Address entry_point, Address known_code) noexcept {
    for (int attempt = 0; attempt < kMaxTries; ++attempt) {
        EntryState state;
        const detail::HopResult result = detail::walk_once(loads, place, entry_point, known_code, state);
        if (result == detail::HopResult::ended) {
            return state;
        }
    }
    return EntryState{};
}

}  // namespace tierup::runtime
