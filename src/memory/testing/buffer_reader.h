// What     A reader for tests: serves the byte ranges that the test gave it, at the addresses that it gave.
// What not Never reads the process's own memory; not in the shipped library.
// Threads  One at a time.
// Failure  faulted for every byte outside the ranges. A read may cross from one range into an adjacent one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "memory/reader.h"

namespace tierup::memory::testing {

class BufferReader final : public Reader {
public:
    /// Replaces bytes that are there already; adjacent and overlapping ranges melt together.
    void add(Address at, std::vector<std::uint8_t> bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes_[at.plus(static_cast<std::int64_t>(i)).value()] = bytes[i];
        }
    }
    void add(Address at, std::initializer_list<std::uint8_t> bytes) { add(at, std::vector<std::uint8_t>(bytes)); }

    template <typename Value>
    void add_value(Address at, Value value) {
        std::vector<std::uint8_t> bytes(sizeof value);
        std::memcpy(bytes.data(), &value, sizeof value);
        add(at, std::move(bytes));
    }

    void remove(Address at, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            bytes_.erase(at.plus(static_cast<std::int64_t>(i)).value());
        }
    }

    [[nodiscard]] Status try_read(Address from, void* to, std::size_t count) const noexcept override {
        auto* out = static_cast<std::uint8_t*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            const auto found = bytes_.find(from.value() + i);
            if (from.value() + i < from.value() || found == bytes_.end()) {
                return Status::faulted;
            }
            out[i] = found->second;
        }
        return Status::ok;
    }

private:
    std::map<std::uint64_t, std::uint8_t> bytes_;
};

}  // namespace tierup::memory::testing
