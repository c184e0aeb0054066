// What     A method in memory of our own, as the runtime lays one out on x64: fixup precode, counting stub, cell, descriptor, code.
// What not No runtime, no executable memory: the bytes are only read.
// Threads  Built by one thread, then only read; states are switched between measurements.
// Source   x64 stub bytes and CallCountingInfo: src/decode/rows_x64.h, src/runtime/entry_walk.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "base/address.h"
#include "runtime/entry_walk.h"

namespace tierup::bench {

class StubScene {
public:
    static constexpr std::uint16_t kRemaining = 17;

    StubScene() {
        put_stub(kPrecodeAt, {0xFF, 0x25, 0xFA, 0x3F, 0, 0, 0x4C, 0x8B, 0x15, 0xFB, 0x3F, 0, 0, 0xFF, 0x25, 0xFD, 0x3F, 0, 0});
        put_stub(kStubAt, {0x48, 0x8B, 0x05, 0xF9, 0x3F, 0, 0,    0x66, 0xFF, 0x08, 0x74, 0x06,
                           0xFF, 0x25, 0xF6, 0x3F, 0,    0, 0xFF, 0x25, 0xF8, 0x3F, 0,    0});
        put(kStubAt + kDataDistance, address(kCellAt).value());
        put(kStubAt + kDataDistance + 8, code().value());
        put(kCellAt - 16, method().value());
        put(kCellAt - 8, address(kStubAt).value());
        put(kCellAt, kRemaining);
        put(kCellAt + 2, static_cast<std::uint8_t>(runtime::CountingStage::may_be_active));
        put(kMethodAt, kEligible);
        std::memset(bytes_ + kCodeAt, 0x90, kStubBytes);
        count();
    }

    /// The entry point leads to the counting stub.
    void count() { put(kPrecodeAt + kDataDistance, address(kStubAt).value()); }
    /// The entry point leads to code.
    void run_directly() { put(kPrecodeAt + kDataDistance, code().value()); }

    [[nodiscard]] Address entry_point() const { return address(kPrecodeAt); }
    [[nodiscard]] Address stub() const { return address(kStubAt); }
    [[nodiscard]] Address code() const { return address(kCodeAt); }
    [[nodiscard]] Address method() const { return address(kMethodAt); }

private:
    static constexpr std::size_t kDataDistance = 0x4000;
    static constexpr std::size_t kPrecodeAt = 0x100;
    static constexpr std::size_t kStubAt = 0x1100;
    static constexpr std::size_t kCodeAt = 0x2100;
    static constexpr std::size_t kCellAt = 0x3100;
    static constexpr std::size_t kMethodAt = 0x3200;
    static constexpr std::size_t kStubBytes = 64;
    static constexpr std::uint16_t kEligible = 0x8000;  // the bit that runtime/method_desc.h reads

    [[nodiscard]] Address address(std::size_t at) const { return Address(reinterpret_cast<std::uint64_t>(bytes_ + at)); }

    template <typename Value>
    void put(std::size_t at, Value value) {
        std::memcpy(bytes_ + at, &value, sizeof value);
    }

    void put_stub(std::size_t at, std::initializer_list<std::uint8_t> stub) {
        std::memset(bytes_ + at, 0xCC, kStubBytes);
        std::memcpy(bytes_ + at, stub.begin(), stub.size());
    }

    alignas(0x1000) std::uint8_t bytes_[2 * kDataDistance] = {};
};

}  // namespace tierup::bench
