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

/// CallCountingInfo around the cell, in words: the code version, the stub, then the u16 count with the stage in the byte behind it.
/// Source: dotnet/runtime src/coreclr/vm/callcounting.h, class CallCountingInfo; offsets measured on 8.0.34, 9.0.23, 10.0.15, 11.0.0.
inline constexpr std::int64_t kRecordFromCellBytes = -16;
inline constexpr int kStageShiftBits = 16;

/// Where a walk begins. With `first_slot` (validated at registration) it spares the entry point's own bytes.
struct WalkStart {
    Address entry_point{};
    Address first_slot{};
    Address unprepared_target{};
};

struct WalkPlace {
    decode::Architecture architecture = decode::kHostArchitecture;
    ImageRange runtime_image;
};

namespace detail {

enum class HopResult : std::uint8_t { forwarded, ended, changed, unreadable };

template <typename Loads>
[[nodiscard]] HopResult read_counting_stub(const Loads& loads, const decode::Match& match, Address at, EntryState& state) noexcept {
    std::uint64_t data[2];  // cell and counted code stand side by side in every row: see the static_assert in decode
    std::uint64_t record[3];
    if (match.target_slot != match.cell_slot.plus(sizeof data[0]) || !loads.load_words(match.cell_slot, data) ||
        !loads.load_words(Address(data[0]).plus(kRecordFromCellBytes), record)) {
        return HopResult::unreadable;
    }
    const auto stage = static_cast<std::uint8_t>(record[2] >> kStageShiftBits);
    // Race: on a native thread the stub can be deleted, and its memory given to something else, between two of our copies.
    // Window: from the load of the slot that led here to the last load above.
    // Harmless because the counting record must point back at this stub, and walk_once loads the slot that led here again.
    // Test: stub_deleted_underfoot_is_seen_as_a_changed_chain (tests/unit/entry_walk_test.cpp), and the deletion stress of the matrix.
    if (Address(record[1]) != at || stage > static_cast<std::uint8_t>(CountingStage::complete)) {
        return HopResult::changed;
    }
    state.kind = EntryKind::counting;
    state.code = Address(data[1]);
    state.stub = at;
    state.cell = Address(data[0]);
    state.remaining_calls = static_cast<std::uint16_t>(record[2]);
    state.stage = static_cast<CountingStage>(stage);
    return HopResult::ended;
}

template <typename Loads>
[[nodiscard]] HopResult walk_once(const Loads& loads, const WalkPlace& place, const WalkStart& start, Address known_code,
                                  EntryState& state) noexcept {
    Address at = start.entry_point;
    if (!start.first_slot.is_null()) {
        std::uint64_t target = 0;
        if (!loads.load(start.first_slot, target)) {
            return HopResult::unreadable;
        }
        if (Address(target) == start.unprepared_target) {
            state.kind = EntryKind::prestub;
            return HopResult::ended;
        }
        at = Address(target);
        state.slot = start.first_slot;
    }
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
            if (result == HopResult::ended && !state.slot.is_null() && (!loads.load(state.slot, still) || Address(still) != at)) {
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
        state.slot = match.target_slot;
        at = Address(target);
    }
    state.kind = EntryKind::unknown;
    return HopResult::ended;
}

}  // namespace detail

/// `known_code`: an address that was already told to be this method's code, or null.
template <typename Loads>
[[nodiscard]] EntryState walk_entry(const Loads& loads, const WalkPlace& place, const WalkStart& start, Address known_code) noexcept {
    for (int attempt = 0; attempt < kMaxTries; ++attempt) {
        EntryState state;
        const detail::HopResult result = detail::walk_once(loads, place, start, known_code, state);
        if (result == detail::HopResult::ended) {
            return state;
        }
    }
    return EntryState{};
}

}  // namespace tierup::runtime
