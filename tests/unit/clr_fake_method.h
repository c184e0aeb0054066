// What     The memory of one method descriptor with its chunk, method table and class, as far as descriptor_check looks.
// What not Not a copy of real memory: offsets are those measured on the runtimes (descriptor_check.cpp says where).
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "memory/testing/buffer_reader.h"

namespace tierup::clr::testing {

/// Pages are what a query reads, so whole pages are served.
inline void add_zero_page(memory::testing::BufferReader& memory, std::uint64_t page) {
    memory.add(Address(page), std::vector<std::uint8_t>(4096, 0));
}

struct FakeMethod {
    static constexpr std::uint64_t kPage = 0x7f0000010000;
    static constexpr std::uint64_t kChunk = kPage + 0x100;
    static constexpr std::uint8_t kIndex = 4;  // 32 bytes behind the first descriptor
    static constexpr std::uint64_t kMethodTable = kPage + 0x800;
    static constexpr std::uint64_t kCanonical = kPage + 0xA00;
    static constexpr std::uint64_t kClass = kPage + 0xC00;
    static constexpr Address kMethod{kChunk + 24 + 8 * kIndex};

    explicit FakeMethod(memory::testing::BufferReader& memory) {
        add_zero_page(memory, kPage);
        memory.add_value<std::uint64_t>(Address(kChunk), kMethodTable);
        memory.add_value<std::uint8_t>(Address(kChunk + 16), 11);  // 12 units
        memory.add_value<std::uint8_t>(Address(kChunk + 17), 2);   // 3 descriptors
        memory.add_value<std::uint8_t>(Address(kMethod.value() + 2), kIndex);
        memory.add_value<std::uint64_t>(Address(kMethodTable + 0x28), kClass);
        memory.add_value<std::uint64_t>(Address(kClass + 16), kMethodTable);
    }
};

}  // namespace tierup::clr::testing
