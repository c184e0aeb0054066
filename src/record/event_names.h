// What     The three texts of a method event, and how they stand behind the event in a stream: UTF-16, each with its zero.
// What not No conversion to UTF-8, no search for zeros: the lengths are given.
// Threads  Values only.
// Failure  A text longer than kMaxTextUnits is cut there, not inside a surrogate pair, and kEventNamesCut is set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/tiering_event.h"

namespace tierup::record {

struct EventText {
    const char16_t* text = nullptr;  ///< Need not be aligned.
    std::uint32_t units = 0;         ///< Without the zero.
};

struct EventNames {
    EventText method_namespace;
    EventText method_name;
    EventText method_signature;
};

/// Bounds the copy inside the runtime's callback. The longest signature of the core library has some 600 units.
inline constexpr std::uint32_t kMaxTextUnits = 4096;
inline constexpr std::uint32_t kMaxNameUnits = 3 * (kMaxTextUnits + 1);
static_assert(kMaxNameUnits <= UINT16_MAX, "name_units holds it");

inline constexpr std::uint32_t kEventBytes = sizeof(TieringEvent);

/// The bytes of an event with so many units of names behind it.
[[nodiscard]] constexpr std::uint32_t event_bytes(std::uint32_t name_units) noexcept {
    return kEventBytes + (name_units * 2 + 7) / 8 * 8;
}

inline constexpr std::uint32_t kMaxEventBytes = event_bytes(kMaxNameUnits);

/// The texts as they will be copied, measured.
struct MeasuredNames {
    std::array<EventText, 3> texts{};
    std::uint16_t units = 0;  ///< With the zeros; 0: there are none to copy.
    bool is_cut = false;
};

/// Null: no names.
[[nodiscard]] MeasuredNames measure_names(const EventNames* names) noexcept;

/// Writes `names.units` units, zeros included; the bytes up to a multiple of 8 are left as they are.
void copy_names(const MeasuredNames& names, std::byte* to) noexcept;

}  // namespace tierup::record
