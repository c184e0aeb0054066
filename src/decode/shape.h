// What     The stub shapes and the form of a row: what bytes a stub has, and where its operands are.
// What not No rows (rows_<architecture>.h), no matching (match.h).
// Threads  Values only.
// Failure  Shape::unknown is an answer: code, a stub that we don't know, or anything else.
// Source   dotnet/runtime src/coreclr/vm/precode.h, callcounting.h (the shapes' names are the runtime's own).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "decode/architecture.h"

namespace tierup::decode {

enum class Shape : std::uint8_t { unknown, fixup_precode, stub_precode, call_counting_stub };

/// The bytes that a caller loads at a code address before it asks; no row is longer.
inline constexpr std::size_t kWindowBytes = 40;

/// What the slot that an operand names holds.
enum class OperandKind : std::uint8_t {
    none,
    target,     ///< Where the stub jumps: the counted code, or where the precode leads.
    method,     ///< The method descriptor.
    cell,       ///< The address of the remaining-call count.
    threshold,  ///< Where a counting stub goes when the count reaches zero.
    prestub,    ///< Where an unprepared fixup precode goes.
};

/// How an operand's bits give the slot's address. Both are four bytes long.
enum class OperandEncoding : std::uint8_t {
    relative32,       ///< x64: all 32 bits, signed, from the end of the operand (which ends its instruction).
    literal_load_19,  ///< arm64 `ldr xN, literal`: bits 5..23, signed, times 4, from the instruction.
};

inline constexpr std::size_t kOperandBytes = 4;

struct Operand {
    OperandKind kind = OperandKind::none;
    std::uint8_t offset = 0;  ///< Of the operand's first byte within the row.
    std::uint8_t base = 0;    ///< Of its slot within the stub's data: all operands of a stub must agree where that data begins.
    OperandEncoding encoding = OperandEncoding::relative32;
};

inline constexpr std::size_t kMaxOperands = 3;

/// invariant: mask is zero from `length` on and under operands; match has no bit outside mask.
struct Row {
    const char* name;
    Architecture architecture;
    Shape shape;
    std::uint8_t length;             ///< Bytes compared; the stub may be longer.
    std::uint8_t unprepared_offset;  ///< A fixup precode whose target is the stub plus this is unprepared; 0 for other shapes.
    std::array<std::uint8_t, kWindowBytes> match;
    std::array<std::uint8_t, kWindowBytes> mask;
    std::array<Operand, kMaxOperands> operands;
    const char* source;   ///< Where the bytes were read.
    const char* fixture;  ///< The name of its recorded bytes in tests/recorded/stubs.
};

}  // namespace tierup::decode
