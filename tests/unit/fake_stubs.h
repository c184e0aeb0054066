// What     Stubs of x64 in buffers, written by hand from the words of the runtime's own templates, and where the tests put them.
// What not Not recorded bytes (tests/recorded has those).
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.h"
#include "decode/shape.h"
#include "memory/testing/buffer_reader.h"

namespace tierup::runtime::testing {

using memory::testing::BufferReader;

inline constexpr std::int64_t kDataPageBytes = 0x4000;  // where the runtime puts a stub's data, reference: x64 stub bytes
inline constexpr Address kEntry{0x10000};
inline constexpr Address kForwarder{0x10100};
inline constexpr Address kStub{0x20000};
inline constexpr Address kCell{0x30010};
inline constexpr Address kCode{0x40000};
inline constexpr Address kOtherCode{0x41000};
inline constexpr Address kRuntimeCode{0x700000};

inline void append_displacement(std::vector<std::uint8_t>& bytes, std::int64_t displacement) {
    for (int i = 0; i < 4; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(displacement) >> (8 * i)));
    }
}

/// jmp [target]; mov r10,[method]; jmp [prestub].
inline void add_fixup_precode(BufferReader& memory, Address at, Address target, Address method = {}) {
    std::vector<std::uint8_t> bytes = {0xFF, 0x25};
    append_displacement(bytes, kDataPageBytes - 6);
    bytes.insert(bytes.end(), {0x4C, 0x8B, 0x15});
    append_displacement(bytes, kDataPageBytes + 8 - 13);
    bytes.insert(bytes.end(), {0xFF, 0x25});
    append_displacement(bytes, kDataPageBytes + 16 - 19);
    bytes.resize(decode::kWindowBytes, 0xCC);
    memory.add(at, bytes);
    memory.add_value(at.plus(kDataPageBytes), target.value());
    memory.add_value(at.plus(kDataPageBytes + 8), method.value());
}

inline void add_counting_stub(BufferReader& memory, Address at, Address code, std::uint16_t remaining, std::uint8_t stage) {
    std::vector<std::uint8_t> bytes = {0x48, 0x8B, 0x05};
    append_displacement(bytes, kDataPageBytes - 7);
    bytes.insert(bytes.end(), {0x66, 0xFF, 0x08, 0x74, 0x06, 0xFF, 0x25});
    append_displacement(bytes, kDataPageBytes + 8 - 18);
    bytes.insert(bytes.end(), {0xFF, 0x25});
    append_displacement(bytes, kDataPageBytes + 16 - 24);
    bytes.resize(decode::kWindowBytes, 0xCC);
    memory.add(at, bytes);
    memory.add_value(at.plus(kDataPageBytes), kCell.value());
    memory.add_value(at.plus(kDataPageBytes + 8), code.value());
    memory.add_value(kCell.plus(-8), at.value());
    memory.add_value(kCell.plus(-16), std::uint64_t{0});
    memory.add_value(kCell, std::uint64_t{remaining} | std::uint64_t{stage} << 16);
}

inline void add_code(BufferReader& memory, Address at) {
    memory.add(at, std::vector<std::uint8_t>(decode::kWindowBytes, 0x90));
}

}  // namespace tierup::runtime::testing
