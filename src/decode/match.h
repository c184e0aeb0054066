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

struct RowWords {
    Words match{};
    Words mask{};
};

template <std::size_t Rows>
[[nodiscard]] consteval std::array<RowWords, Rows> words_of(const std::array<Row, Rows>& rows) {
    std::array<RowWords, Rows> result{};
    for (std::size_t r = 0; r < Rows; ++r) {
        for (std::size_t i = 0; i < kWindowBytes; ++i) {
            result[r].match[i / 8] |= std::uint64_t{rows[r].match[i]} << (8 * (i % 8));
            result[r].mask[i / 8] |= std::uint64_t{rows[r].mask[i]} << (8 * (i % 8));
        }
    }
    return result;
}

inline constexpr auto kWordsX64 = words_of(kRowsX64);
inline constexpr auto kWordsArm64 = words_of(kRowsArm64);

[[nodiscard]] inline bool does_row_fit(const RowWords& row, const Words& window) noexcept {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < window.size(); ++i) {
        difference |= (window[i] ^ row.match[i]) & row.mask[i];
    }
    return difference == 0;
}

[[nodiscard]] inline Address slot_of(const Operand& operand, Address at, const std::uint8_t* bytes) noexcept {
    std::uint32_t raw = 0;
    std::memcpy(&raw, bytes + operand.offset, sizeof raw);
    if (operand.encoding == OperandEncoding::relative32) {
        return at.plus(operand.offset + static_cast<std::int64_t>(kOperandBytes) + static_cast<std::int32_t>(raw));
    }
    // The 19 bits moved to the top, then back down with the sign to where they stand for units of four bytes.
    const std::int32_t distance = (static_cast<std::int32_t>(raw << 8) >> 13) * 4;
    return at.plus(operand.offset + std::int64_t{distance});
}

/// False where the operands do not agree on one data address at a possible distance: then it is not this stub.
[[nodiscard]] inline bool resolve_operands(const Row& row, Address at, const std::uint8_t* bytes, Match& match) noexcept {
    const std::uint64_t data = slot_of(row.operands[0], at, bytes).value() - row.operands[0].base;
    if (!is_data_distance(data - at.value())) {
        return false;
    }
    for (const Operand& operand : row.operands) {
        if (operand.kind == OperandKind::none) {
            break;
        }
        const Address slot = slot_of(operand, at, bytes);
        if (slot.value() - operand.base != data) {
            return false;
        }
        switch (operand.kind) {
            case OperandKind::target: match.target_slot = slot; break;
            case OperandKind::method: match.method_slot = slot; break;
            case OperandKind::cell: match.cell_slot = slot; break;
            case OperandKind::threshold: match.threshold_slot = slot; break;
            case OperandKind::prestub:
            case OperandKind::none: break;
        }
    }
    return true;
}

template <std::size_t Rows>
[[nodiscard]] inline Match match_rows(const std::array<Row, Rows>& rows, const std::array<RowWords, Rows>& words, Address at,
                                      const std::uint8_t* bytes) noexcept {
    Words window;
    std::memcpy(window.data(), bytes, kWindowBytes);
    for (std::size_t r = 0; r < Rows; ++r) {
        if (!does_row_fit(words[r], window)) {
            continue;
        }
        Match match;
        if (!resolve_operands(rows[r], at, bytes, match)) {
            break;  // rows are exclusive: no other can fit
        }
        match.shape = rows[r].shape;
        match.row = &rows[r];
        match.unprepared_target = rows[r].unprepared_offset != 0 ? at.plus(rows[r].unprepared_offset) : Address();
        return match;
    }
    return Match{};
}

}  // namespace matching

/// `bytes` was copied from `at`. Where fewer than kWindowBytes could be copied, the rest is zero: no row compares equal to it by chance.
[[nodiscard]] inline Match match_stub(Architecture architecture, Address at, std::span<const std::uint8_t, kWindowBytes> bytes) noexcept {
    switch (architecture) {
        case Architecture::x64: return matching::match_rows(kRowsX64, matching::kWordsX64, at, bytes.data());
        case Architecture::arm64: return matching::match_rows(kRowsArm64, matching::kWordsArm64, at, bytes.data());
    }
    return Match{};
}

}  // namespace tierup::decode
