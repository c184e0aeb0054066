// What     The one matcher: from a copied window of bytes to the stub shape and the addresses of its slots.
// What not Reads no memory, asks no OS, branches on no version, follows no slot.
// Threads  Pure.
// Failure  Shape::unknown with null slots where no row fits; never a nearest guess.
// Source   The rows name theirs; the distance to the data: GetStubCodePageSize, see is_data_distance.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "base/address.h"
#include "decode/architecture.h"
#include "decode/rows_arm64.h"
#include "decode/rows_x64.h"
#include "decode/shape.h"

namespace tierup::decode {

/// Addresses of slots, to be read by the caller; null where the shape has no such slot.
struct Match {
    Shape shape = Shape::unknown;
    const Row* row = nullptr;  ///< Null exactly where the shape is unknown.
    Address target_slot;
    Address method_slot;
    Address cell_slot;
    Address threshold_slot;
    Address unprepared_target;  ///< What a fixup precode's target slot holds while nothing is prepared; null for other shapes.
};

/// How far behind a stub its data may lie: the stub page sizes of thunktemplates.S (16, 32 and 64 KiB; x64 has 16 only).
/// Code that happens to begin with a row's bytes, such as a tail call, has no operands that agree on one of these.
[[nodiscard]] constexpr bool is_data_distance(std::uint64_t bytes) noexcept {
    return bytes == 0x4000 || bytes == 0x8000 || bytes == 0x10000;
}

namespace matching {

static_assert(std::endian::native == std::endian::little, "windows are compared as little-endian words");
static_assert(kWindowBytes % sizeof(std::uint64_t) == 0);

using Words = std::array<std::uint64_t, kWindowBytes / sizeof(std::uint64_t)>;

[[nodiscard]] consteval Words words_of(const std::array<std::uint8_t, kWindowBytes>& bytes) {
    Words words{};
    for (std::size_t i = 0; i < kWindowBytes; ++i) {
        words[i / 8] |= std::uint64_t{bytes[i]} << (8 * (i % 8));
    }
    return words;
}

template <std::size_t Rows>
[[nodiscard]] consteval std::size_t longest_of(const std::array<Row, Rows>& rows) {
    std::size_t longest = 0;
    for (const Row& row : rows) {
        longest = row.length > longest ? row.length : longest;
    }
    return longest;
}

// The table and the indices of row and operand are template arguments, so that a row's offsets and masks become constants in the
// code: a poll matches up to three windows, and this is most of its time. (clang 14 takes no part of an object as an argument.)

template <const auto& kRows, std::size_t kRow>
[[nodiscard]] constexpr bool does_row_fit(const Words& window) noexcept {
    constexpr Words match = words_of(kRows[kRow].match);
    constexpr Words mask = words_of(kRows[kRow].mask);
    for (std::size_t i = 0; i < window.size(); ++i) {
        if (((window[i] ^ match[i]) & mask[i]) != 0) {
            return false;
        }
    }
    return true;
}

template <const auto& kRows, std::size_t kRow, std::size_t kIndex>
[[nodiscard]] constexpr Address slot_of(Address at, const Words& window) noexcept {
    constexpr Operand operand = kRows[kRow].operands[kIndex];
    constexpr std::size_t word = operand.offset / 8;
    constexpr unsigned shift = 8 * (operand.offset % 8);
    std::uint64_t bits = window[word] >> shift;
    if constexpr (shift > 32) {
        bits |= window[word + 1] << (64 - shift);
    }
    const auto raw = static_cast<std::uint32_t>(bits);
    if constexpr (operand.encoding == OperandEncoding::relative32) {
        return at.plus(std::int64_t{operand.offset} + std::int64_t{kOperandBytes} + static_cast<std::int32_t>(raw));
    } else {
        // The 19 bits moved to the top, then back down with the sign to where they stand for units of four bytes.
        const std::int32_t distance = (static_cast<std::int32_t>(raw << 8) >> 13) * 4;
        return at.plus(std::int64_t{operand.offset} + distance);
    }
}

/// False where the slot is not where the stub's data would have it: then it is not this stub.
template <const auto& kRows, std::size_t kRow, std::size_t kIndex>
[[nodiscard]] constexpr bool try_resolve(Address at, const Words& window, std::uint64_t data, Match& match) noexcept {
    constexpr Operand operand = kRows[kRow].operands[kIndex];
    if constexpr (operand.kind == OperandKind::none) {
        return true;
    } else {
        const Address slot = slot_of<kRows, kRow, kIndex>(at, window);
        switch (operand.kind) {
            case OperandKind::target: match.target_slot = slot; break;
            case OperandKind::method: match.method_slot = slot; break;
            case OperandKind::cell: match.cell_slot = slot; break;
            case OperandKind::threshold: match.threshold_slot = slot; break;
            case OperandKind::prestub:
            case OperandKind::none: break;
        }
        return slot.value() - operand.base == data;
    }
}

template <const auto& kRows, std::size_t kRow>
[[nodiscard]] constexpr bool try_match_row(Address at, const Words& window, Match& result) noexcept {
    if (!does_row_fit<kRows, kRow>(window)) {
        return false;
    }
    constexpr Row row = kRows[kRow];
    static_assert(kMaxOperands == 3);
    const std::uint64_t data = slot_of<kRows, kRow, 0>(at, window).value() - row.operands[0].base;
    Match match;
    if (!is_data_distance(data - at.value()) || !try_resolve<kRows, kRow, 0>(at, window, data, match) ||
        !try_resolve<kRows, kRow, 1>(at, window, data, match) || !try_resolve<kRows, kRow, 2>(at, window, data, match)) {
        return false;
    }
    match.shape = row.shape;
    match.row = &kRows[kRow];
    match.unprepared_target = row.unprepared_offset != 0 ? at.plus(row.unprepared_offset) : Address();
    result = match;
    return true;
}

template <const auto& kRows, std::size_t... kIndex>
[[nodiscard]] inline Match match_rows(Address at, const std::uint8_t* bytes, std::index_sequence<kIndex...>) noexcept {
    Words window{};
    std::memcpy(window.data(), bytes, kWindowBytes);
    Match match;
    (void)(try_match_row<kRows, kIndex>(at, window, match) || ...);  // rows are exclusive: at most one fits
    return match;
}

}  // namespace matching

/// The longest row of the architecture that this library is compiled for.
inline constexpr std::size_t kLongestHostRowBytes =
    kHostArchitecture == Architecture::x64 ? matching::longest_of(kRowsX64) : matching::longest_of(kRowsArm64);

/// `bytes` was copied from `at`. Where fewer than kWindowBytes could be copied, the rest is zero: no row compares equal to it by chance.
[[nodiscard]] inline Match match_stub(Architecture architecture, Address at, std::span<const std::uint8_t, kWindowBytes> bytes) noexcept {
    switch (architecture) {
        case Architecture::x64: return matching::match_rows<kRowsX64>(at, bytes.data(), std::make_index_sequence<kRowsX64.size()>());
        case Architecture::arm64: return matching::match_rows<kRowsArm64>(at, bytes.data(), std::make_index_sequence<kRowsArm64.size()>());
    }
    return Match{};
}

}  // namespace tierup::decode
