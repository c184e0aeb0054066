// What     The stubs of arm64, on every operating system and in every supported runtime.
// What not The literal's distance is not compared here: it depends on the page size (match.h, is_data_distance).
// Threads  Constants.
// Source   dotnet/runtime src/coreclr/vm/arm64/thunktemplates.S; words seen on 9.0.23, 10.0.15, 11.0.0 under qemu-user.
#pragma once

#include <array>

#include "decode/row_builder.h"
#include "decode/shape.h"

namespace tierup::decode {

inline constexpr std::array kRowsArm64 = {
    finish_row(Row{
        // ldr x11, target; br x11; dmb ishld; ldr x12, method; ldr x11, prestub; br x11
        .name = "arm64 fixup precode with barrier",
        .architecture = Architecture::arm64,
        .shape = Shape::fixup_precode,
        .length = 24,
        .unprepared_offset = 8,
        .match = bytes_of_words({0x5802000B, 0xD61F0160, 0xD50339BF, 0x5801FFEC, 0x5802000B, 0xD61F0160}),
        .mask = {},
        .operands = {Operand{OperandKind::target, 0, 0, OperandEncoding::literal_load_19},
                     Operand{OperandKind::method, 12, 8, OperandEncoding::literal_load_19},
                     Operand{OperandKind::prestub, 16, 16, OperandEncoding::literal_load_19}},
        .source = "arm64/thunktemplates.S FixupPrecodeCode (10, 11)",
        .fixture = "fixup_precode_with_barrier",
    }),
    finish_row(Row{
        // ldr x11, target; br x11; ldr x12, method; ldr x11, prestub; br x11
        .name = "arm64 fixup precode",
        .architecture = Architecture::arm64,
        .shape = Shape::fixup_precode,
        .length = 20,
        .unprepared_offset = 8,
        .match = bytes_of_words({0x5802000B, 0xD61F0160, 0x5802000C, 0x5802002B, 0xD61F0160}),
        .mask = {},
        .operands = {Operand{OperandKind::target, 0, 0, OperandEncoding::literal_load_19},
                     Operand{OperandKind::method, 8, 8, OperandEncoding::literal_load_19},
                     Operand{OperandKind::prestub, 12, 16, OperandEncoding::literal_load_19}},
        .source = "arm64/thunktemplates.S FixupPrecodeCode (8, 9)",
        .fixture = "fixup_precode",
    }),
    finish_row(Row{
        // ldr x10, target; ldr x12, method; br x10
        .name = "arm64 stub precode",
        .architecture = Architecture::arm64,
        .shape = Shape::stub_precode,
        .length = 12,
        .unprepared_offset = 0,
        .match = bytes_of_words({0x5802004A, 0x5801FFEC, 0xD61F0140}),
        .mask = {},
        .operands = {Operand{OperandKind::target, 0, 8, OperandEncoding::literal_load_19},
                     Operand{OperandKind::method, 4, 0, OperandEncoding::literal_load_19}},
        .source = "arm64/thunktemplates.S StubPrecodeCode",
        .fixture = "stub_precode",
    }),
    finish_row(Row{
        // ldr x9, cell; ldrh w10, [x9]; subs w10, w10, #1; strh w10, [x9]; b.eq +12;
        // ldr x9, target; br x9; ldr x10, threshold; br x10
        .name = "arm64 call counting stub",
        .architecture = Architecture::arm64,
        .shape = Shape::call_counting_stub,
        .length = 36,
        .unprepared_offset = 0,
        .match =
            bytes_of_words({0x58020009, 0x7940012A, 0x7100054A, 0x7900012A, 0x54000060, 0x5801FFA9, 0xD61F0120, 0x5801FFAA, 0xD61F0140}),
        .mask = {},
        .operands = {Operand{OperandKind::cell, 0, 0, OperandEncoding::literal_load_19},
                     Operand{OperandKind::target, 20, 8, OperandEncoding::literal_load_19},
                     Operand{OperandKind::threshold, 28, 16, OperandEncoding::literal_load_19}},
        .source = "arm64/thunktemplates.S CallCountingStubCode",
        .fixture = "call_counting_stub",
    }),
};

static_assert(are_rows_of(kRowsArm64, Architecture::arm64));
static_assert(do_rows_fit_window(kRowsArm64), "a row is empty, too long, or compares bytes behind its length");
static_assert(are_operands_inside_rows(kRowsArm64), "an operand leaves its row");
static_assert(are_masks_clear_under_operands(kRowsArm64), "a row compares bits of an operand");
static_assert(are_rows_exclusive(kRowsArm64), "two rows can match the same bytes");

}  // namespace tierup::decode
