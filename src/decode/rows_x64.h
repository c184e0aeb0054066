// What     The stubs of x64, on every operating system and in every supported runtime.
// What not No version is asked for: 8.0.34, 9.0.23, 10.0.15 and 11.0.0 have the same bytes (tests/recorded/stubs).
// Threads  Constants.
// Source   dotnet/runtime src/coreclr/vm/amd64/thunktemplates.S and .asm; the slots' order: precode.h, callcounting.h.
#pragma once

#include <array>

#include "decode/row_builder.h"
#include "decode/shape.h"

namespace tierup::decode {

inline constexpr std::array kRowsX64 = {
    finish_row(Row{
        // jmp [target]; mov r10, [method]; jmp [prestub]
        .name = "x64 fixup precode",
        .architecture = Architecture::x64,
        .shape = Shape::fixup_precode,
        .length = 19,
        .unprepared_offset = 6,  // FixupPrecodeCode_Fixup: the instruction after the first jump
        .match = {0xFF, 0x25, 0, 0, 0, 0, 0x4C, 0x8B, 0x15, 0, 0, 0, 0, 0xFF, 0x25, 0, 0, 0, 0},
        .mask = {},
        .operands = {Operand{.kind = OperandKind::target, .offset = 2, .base = 0},
                     Operand{.kind = OperandKind::method, .offset = 9, .base = 8},
                     Operand{.kind = OperandKind::prestub, .offset = 15, .base = 16}},
        .source = "amd64/thunktemplates.S FixupPrecodeCode; precode.h FixupPrecodeData",
        .fixture = "fixup_precode",
    }),
    finish_row(Row{
        // mov r10, [method]; jmp [target]
        .name = "x64 stub precode",
        .architecture = Architecture::x64,
        .shape = Shape::stub_precode,
        .length = 13,
        .unprepared_offset = 0,
        .match = {0x4C, 0x8B, 0x15, 0, 0, 0, 0, 0xFF, 0x25, 0, 0, 0, 0},
        .mask = {},
        .operands = {Operand{.kind = OperandKind::method, .offset = 3, .base = 0},
                     Operand{.kind = OperandKind::target, .offset = 9, .base = 8}},
        .source = "amd64/thunktemplates.S StubPrecodeCode; precode.h StubPrecodeData",
        .fixture = "p_invoke",
    }),
    finish_row(Row{
        // mov rax, [cell]; dec word [rax]; je +6; jmp [target]; jmp [threshold]
        .name = "x64 call counting stub",
        .architecture = Architecture::x64,
        .shape = Shape::call_counting_stub,
        .length = 24,
        .unprepared_offset = 0,
        .match = {0x48, 0x8B, 0x05, 0, 0, 0, 0, 0x66, 0xFF, 0x08, 0x74, 0x06, 0xFF, 0x25, 0, 0, 0, 0, 0xFF, 0x25, 0, 0, 0, 0},
        .mask = {},
        .operands = {Operand{.kind = OperandKind::cell, .offset = 3, .base = 0},
                     Operand{.kind = OperandKind::target, .offset = 14, .base = 8},
                     Operand{.kind = OperandKind::threshold, .offset = 20, .base = 16}},
        .source = "amd64/thunktemplates.S CallCountingStubCode; callcounting.h CallCountingStubData",
        .fixture = "call_counting_stub",
    }),
};

static_assert(are_rows_of(kRowsX64, Architecture::x64));
static_assert(do_rows_fit_window(kRowsX64), "a row is empty, too long, or compares bytes behind its length");
static_assert(are_operands_inside_rows(kRowsX64), "an operand leaves its row");
static_assert(are_masks_clear_under_operands(kRowsX64), "a row compares bits of an operand");
static_assert(are_rows_exclusive(kRowsX64), "two rows can match the same bytes");

}  // namespace tierup::decode
