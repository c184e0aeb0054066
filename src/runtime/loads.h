// What     The two doors of memory in the form that entry_walk.h takes.
// What not No policy: who may use plain loads is said in memory/plain_window.h.
// Threads  PlainLoads: cooperative mode only. CheckedLoads: any thread.
// Failure  false: the bytes could not be had through this door.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "decode/match.h"
#include "memory/plain_window.h"
#include "memory/reader.h"

namespace tierup::runtime {

struct PlainLoads {
    template <typename Value>
    [[nodiscard]] bool load(Address from, Value& to) const noexcept {
        to = memory::load_plain<Value>(from);
        return true;
    }

    template <std::size_t Words>
    [[nodiscard]] bool load_words(Address from, std::uint64_t (&to)[Words]) const noexcept {
        for (std::size_t i = 0; i < Words; ++i) {
            to[i] = memory::load_plain<std::uint64_t>(from.plus(static_cast<std::int64_t>(i * sizeof to[0])));
        }
        return true;
    }

    /// Only as many bytes as a row of this architecture can have, so that as few stubs as possible are too near the end of a page.
    [[nodiscard]] bool load_code_window(Address at, std::uint8_t (&window)[decode::kWindowBytes]) const noexcept {
        std::uint8_t bytes[decode::kLongestHostRowBytes];
        if (!memory::load_code_window(at, bytes)) {
            return false;
        }
        __builtin_memcpy(window, bytes, sizeof bytes);
        __builtin_memset(window + sizeof bytes, 0, sizeof window - sizeof bytes);
        return true;
    }
};

struct CheckedLoads {
    const memory::Reader& reader;

    template <typename Value>
    [[nodiscard]] bool load(Address from, Value& to) const noexcept {
        return reader.try_read_value(from, to) == Status::ok;
    }

    template <std::size_t Words>
    [[nodiscard]] bool load_words(Address from, std::uint64_t (&to)[Words]) const noexcept {
        return reader.try_read(from, to, sizeof to) == Status::ok;
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
