// What     Builds rows from bytes or words plus operands, and checks a table of rows; all of it at compile time.
// What not No rows of its own; nothing of it remains in the binary.
// Threads  Compile time only.
// Failure  A row that breaks a rule does not compile: the static_assert beside each table names the rule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "decode/shape.h"

namespace tierup::decode {

/// Bits of the operand's four bytes (little-endian) that the encoding takes.
[[nodiscard]] consteval std::uint32_t operand_bits(OperandEncoding encoding) {
    return encoding == OperandEncoding::relative32 ? 0xFFFFFFFFu : 0x00FFFFE0u;
}

/// Computes mask and match of a row whose `match` holds the whole bytes: everything up to the length counts but operands.
[[nodiscard]] consteval Row finish_row(Row row) {
    for (std::size_t i = 0; i < kWindowBytes; ++i) {
        row.mask[i] = i < row.length ? 0xFF : 0x00;
    }
    for (const Operand& operand : row.operands) {
        if (operand.kind == OperandKind::none) {
            continue;
        }
        for (std::size_t i = 0; i < kOperandBytes; ++i) {
            row.mask[operand.offset + i] &= static_cast<std::uint8_t>(~(operand_bits(operand.encoding) >> (8 * i)));
        }
    }
    for (std::size_t i = 0; i < kWindowBytes; ++i) {
        row.match[i] &= row.mask[i];
    }
    return row;
}

/// Instruction words as a debugger prints them, laid out as arm64 stores them.
template <std::size_t Words>
[[nodiscard]] consteval std::array<std::uint8_t, kWindowBytes> bytes_of_words(const std::uint32_t (&words)[Words]) {
    static_assert(Words * 4 <= kWindowBytes);
    std::array<std::uint8_t, kWindowBytes> bytes{};
    for (std::size_t i = 0; i < Words * 4; ++i) {
        bytes[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
    }
    return bytes;
}

[[nodiscard]] consteval bool are_operands_inside_rows(std::span<const Row> rows) {
    for (const Row& row : rows) {
        for (const Operand& operand : row.operands) {
            if (operand.kind != OperandKind::none && operand.offset + kOperandBytes > row.length) {
                return false;
            }
        }
    }
    return true;
}

[[nodiscard]] consteval bool are_masks_clear_under_operands(std::span<const Row> rows) {
    for (const Row& row : rows) {
        for (const Operand& operand : row.operands) {
            for (std::size_t i = 0; operand.kind != OperandKind::none && i < kOperandBytes; ++i) {
                if ((row.mask[operand.offset + i] & static_cast<std::uint8_t>(operand_bits(operand.encoding) >> (8 * i))) != 0) {
                    return false;
                }
            }
        }
    }
    return true;
}

[[nodiscard]] consteval bool do_rows_fit_window(std::span<const Row> rows) {
    for (const Row& row : rows) {
        if (row.length == 0 || row.length > kWindowBytes || row.shape == Shape::unknown) {
            return false;
        }
        for (std::size_t i = row.length; i < kWindowBytes; ++i) {
            if (row.mask[i] != 0 || row.match[i] != 0) {
                return false;
            }
        }
    }
    return true;
}

/// True where for every two rows some bit is compared by both and differs.
[[nodiscard]] consteval bool are_rows_exclusive(std::span<const Row> rows) {
    for (std::size_t a = 0; a < rows.size(); ++a) {
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            bool does_differ = false;
            for (std::size_t i = 0; i < kWindowBytes; ++i) {
                does_differ = does_differ || ((rows[a].match[i] ^ rows[b].match[i]) & rows[a].mask[i] & rows[b].mask[i]) != 0;
            }
            if (!does_differ) {
                return false;
            }
        }
    }
    return true;
}

[[nodiscard]] consteval bool are_rows_of(std::span<const Row> rows, Architecture architecture) {
    for (const Row& row : rows) {
        if (row.architecture != architecture) {
            return false;
        }
    }
    return true;
}

}  // namespace tierup::decode
