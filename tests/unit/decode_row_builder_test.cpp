// What     The compile-time checks themselves: tables that break a rule are refused.
#include <array>

#include <gtest/gtest.h>

#include "decode/row_builder.h"
#include "decode/rows_x64.h"

namespace {

using namespace tierup::decode;

consteval std::array<Row, 3> good() {
    return kRowsX64;
}

consteval std::array<Row, 3> with_operand_at(std::uint8_t offset) {
    auto rows = good();
    rows[1].operands[1].offset = offset;
    return rows;
}

consteval std::array<Row, 3> with_mask_byte(std::size_t byte, std::uint8_t mask) {
    auto rows = good();
    rows[1].mask[byte] = mask;
    return rows;
}

consteval std::array<Row, 3> with_first_twice() {
    auto rows = good();
    rows[2] = rows[0];
    rows[2].mask[18] = 0;  // compares less than the first, so that both can match
    return rows;
}

consteval std::array<Row, 3> with_length(std::uint8_t length) {
    auto rows = good();
    rows[1].length = length;
    return rows;
}

consteval std::array<Row, 3> with_architecture(Architecture architecture) {
    auto rows = good();
    rows[2].architecture = architecture;
    return rows;
}

static_assert(are_operands_inside_rows(with_operand_at(9)) && !are_operands_inside_rows(with_operand_at(10)));
static_assert(are_masks_clear_under_operands(good()) && !are_masks_clear_under_operands(with_mask_byte(9, 0x01)));
static_assert(are_rows_exclusive(good()) && !are_rows_exclusive(with_first_twice()));
static_assert(do_rows_fit_window(good()) && !do_rows_fit_window(with_length(41)) && !do_rows_fit_window(with_length(0)));
static_assert(!do_rows_fit_window(with_mask_byte(13, 0xFF)));  // compares a byte behind its length
static_assert(are_rows_of(good(), Architecture::x64) && !are_rows_of(with_architecture(Architecture::arm64), Architecture::x64));

TEST(RowBuilder, words_are_laid_out_little_endian) {
    constexpr auto bytes = bytes_of_words({0x5802000B});
    EXPECT_EQ(bytes[0], 0x0B);
    EXPECT_EQ(bytes[1], 0x00);
    EXPECT_EQ(bytes[2], 0x02);
    EXPECT_EQ(bytes[3], 0x58);
    EXPECT_EQ(bytes[4], 0x00);
}

TEST(RowBuilder, a_literal_load_is_compared_in_opcode_and_register_only) {
    constexpr Row row = finish_row(Row{.name = "",
                                       .architecture = Architecture::arm64,
                                       .shape = Shape::stub_precode,
                                       .length = 4,
                                       .unprepared_offset = 0,
                                       .match = bytes_of_words({0x58FFFFEA}),
                                       .mask = {},
                                       .operands = {Operand{OperandKind::target, 0, 0, OperandEncoding::literal_load_19}},
                                       .source = "",
                                       .fixture = ""});
    EXPECT_EQ(row.mask[0], 0x1F);  // (w & 0xFF00001F) == (0x58000000 | N): the load-literal encoding of the arm64 manual
    EXPECT_EQ(row.mask[1], 0x00);
    EXPECT_EQ(row.mask[2], 0x00);
    EXPECT_EQ(row.mask[3], 0xFF);
    EXPECT_EQ(row.match[0], 0x0A);
    EXPECT_EQ(row.match[3], 0x58);
}

}  // namespace
