// What     An AppDomain in a BufferReader with a tiering manager in it, in each of the three ways in which runtimes keep the queue's ends.
// What not Not a copy of real memory: offsets and forms are those measured on the runtimes (layout/manager_layout.h says where).
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.h"
#include "layout/manager_fields.h"
#include "layout/manager_layout.h"
#include "memory/testing/buffer_reader.h"

namespace tierup::layout::testing {

/// sentinel: 8.0.34, 9.0.23, 10.0.15. last_then_first: 11.0.0. first_then_last: the runtime's main branch.
enum class Form : std::uint8_t { sentinel, last_then_first, first_then_last };
inline constexpr Form kForms[] = {Form::sentinel, Form::last_then_first, Form::first_then_last};

inline constexpr Address kAppDomain{0x560000001830};  // not at a page's start, as seen
inline constexpr Address kList{0x560000100000};
inline constexpr Address kListBuffer{0x560000200000};
inline constexpr std::uint64_t kNodes = 0x560000300000;
inline constexpr std::uint64_t kVersions = 0x560000400000;
inline constexpr std::uint64_t kMethods = 0x7f0000600000;

constexpr Address method(std::uint64_t number) {
    return Address(kMethods + 0x40 * number);
}
constexpr Address node(std::uint64_t number) {
    return Address(kNodes + 0x20 * number);
}
constexpr Address version(std::uint64_t number) {
    return Address(kVersions + 0x40 * number);
}

struct ManagerImage {
    explicit ManagerImage(memory::testing::BufferReader& reader, std::uint32_t offset = 0x758, Form queue_form = Form::sentinel)
        : memory(reader), list_offset(offset), form(queue_form) {
        memory.add(kAppDomain, std::vector<std::uint8_t>(kAppDomainBytes, 0));
        queue_holds({});
    }

    [[nodiscard]] Address list_at() const { return kAppDomain.plus(list_offset); }

    template <typename Value>
    void put(std::int64_t behind_list, Value value) {
        memory.add_value(list_at().plus(behind_list), value);
    }

    void ends(std::uint64_t first, std::uint64_t last) {
        const std::uint64_t sentinel = list_at().plus(-32).value();
        switch (form) {
            case Form::sentinel:
                put(-32, first);
                put(-24, sentinel);
                put(-16, last == 0 ? sentinel : last);
                break;
            case Form::last_then_first:
                put(-24, last);
                put(-16, first);
                break;
            case Form::first_then_last:
                put(-24, first);
                put(-16, last);
                break;
        }
    }
    void count_is(std::uint32_t count) { put(-8, count); }
    void completion_is_pending(bool is_pending) { put(9, static_cast<std::uint8_t>(is_pending)); }

    static void put_node(memory::testing::BufferReader& memory, std::uint64_t number, std::uint64_t next, std::uint32_t kind = 1) {
        memory.add_value(node(number), next);
        memory.add_value(node(number).plus(8), kind);
        memory.add_value(node(number).plus(12), std::uint32_t{0x7f84});  // the runtime leaves what was there
        memory.add_value(node(number).plus(16), version(number).value());
    }
    void queue_holds(const std::vector<std::uint64_t>& numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            put_node(memory, numbers[i], i + 1 < numbers.size() ? node(numbers[i + 1]).value() : 0);
        }
        ends(numbers.empty() ? 0 : node(numbers.front()).value(), numbers.empty() ? 0 : node(numbers.back()).value());
        count_is(static_cast<std::uint32_t>(numbers.size()));
    }

    void list_holds(const std::vector<std::uint64_t>& numbers, std::uint32_t allocated_bytes = 8192) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            memory.add_value(kListBuffer.plus(static_cast<std::int64_t>(i * 8)), method(numbers[i]).value());
        }
        list_header(static_cast<std::uint32_t>(numbers.size() * 8), allocated_bytes);
        put(0, kList.value());
    }
    void list_header(std::uint32_t size_bytes, std::uint32_t allocated_bytes, Address buffer = kListBuffer) {
        memory.add_value(kList, size_bytes);
        memory.add_value(kList.plus(4), allocated_bytes);
        memory.add_value(kList.plus(8), std::uint32_t{8});  // as seen
        memory.add_value(kList.plus(12), std::uint32_t{0});
        memory.add_value(kList.plus(16), buffer.value());
    }

    memory::testing::BufferReader& memory;
    std::uint32_t list_offset;
    Form form;
};

}  // namespace tierup::layout::testing
