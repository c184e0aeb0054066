// What     The two doors of memory in the form that entry_walk.h takes.
// What not No policy: who may use plain loads is said in memory/plain_window.h.
// Threads  PlainLoads: cooperative mode only. CheckedLoads: any thread.
// Failure  false: the bytes could not be had through this door.
#pragma once

#include "base/address.h"
#include "base/status.h"
#include "decode/shape.h"
#include "memory/plain_window.h"
#include "memory/reader.h"

namespace tierup::runtime {

struct PlainLoads {
    template <typename Value>
    [[nodiscard]] bool load(Address from, Value& to) const noexcept {
        to = memory::load_plain<Value>(from);
        return true;
    }

    [[nodiscard]] bool load_code_window(Address at, std::uint8_t (&window)[decode::kWindowBytes]) const noexcept {
        return memory::load_code_window(at, window);
    }
};

struct CheckedLoads {
    const memory::Reader& reader;

    template <typename Value>
    [[nodiscard]] bool load(Address from, Value& to) const noexcept {
        return reader.try_read_value(from, to) == Status::ok;
    }

    /// A window cut short by the end of readable memory is filled with zeros, which no row's bytes are.
    [[nodiscard]] bool load_code_window(Address at, std::uint8_t (&window)[decode::kWindowBytes]) const noexcept {
        if (reader.try_read(at, window, sizeof window) == Status::ok) {
            return true;
        }
        constexpr std::uint64_t kPageBytes = memory::kSmallestPageBytes;
        const std::uint64_t in_page = kPageBytes - at.value() % kPageBytes;
        __builtin_memset(window, 0, sizeof window);
        return in_page < sizeof window && reader.try_read(at, window, in_page) == Status::ok;
    }
};

}  // namespace tierup::runtime
