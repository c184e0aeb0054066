// What     The copies of method_list.h.
// What not See there.
#include "layout/method_list.h"

#include <algorithm>
#include <array>

#include "layout/foreign_pointer.h"

namespace tierup::layout {

namespace {

constexpr std::uint32_t kMethodsPerCopy = 256;  // bounds our stack
using Chunk = std::array<std::uint64_t, kMethodsPerCopy>;

Status copy_chunk(const memory::Reader& reader, const MethodList& list, std::uint32_t first, std::uint32_t count, Chunk& chunk) noexcept {
    return reader.try_read(Address(list.buffer).plus(std::int64_t{first} * kMethodPointerBytes), chunk.data(),
                           std::size_t{count} * kMethodPointerBytes);
}

}  // namespace

bool MethodList::fits() const noexcept {
    return size_bytes > 0 && size_bytes <= allocated_bytes && size_bytes % kMethodPointerBytes == 0 && is_object_pointer(buffer);
}

Status try_read_list(const memory::Reader& reader, Address at, MethodList& list) noexcept {
    if (const Status status = reader.try_read_value(at, list); status != Status::ok) {
        return status;
    }
    if (!list.fits()) {
        return Status::unknown;
    }
    return list.method_count() <= kMaxListMethods ? Status::ok : Status::exhausted;
}

Status find_in_list(const memory::Reader& reader, const MethodList& list, Address method) noexcept {
    for (std::uint32_t end = list.method_count(); end > 0;) {
        const std::uint32_t count = std::min(end, kMethodsPerCopy);
        end -= count;
        Chunk chunk;
        if (const Status status = copy_chunk(reader, list, end, count, chunk); status != Status::ok) {
            return status;
        }
        if (std::find(chunk.begin(), chunk.begin() + count, method.value()) != chunk.begin() + count) {
            return Status::ok;
        }
    }
    return Status::absent;
}

// Race: the list grows into another buffer, or is freed at the end of the delay, while it is copied. Window: microseconds.
// Harmless because the copy is checked by the kernel and taken only if the header still names the same buffer and at least as many methods.
// Test: a_list_that_moves_while_it_is_copied_is_not_taken (tests/unit/layout_method_list_test.cpp).
Status copy_list(const memory::Reader& reader, Address at, std::span<Address> methods, std::uint32_t& count) noexcept {
    count = 0;
    MethodList list;
    if (const Status status = try_read_list(reader, at, list); status != Status::ok) {
        return status;
    }
    const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(methods.size(), list.method_count()));
    for (std::uint32_t done = 0; done < wanted;) {
        const std::uint32_t step = std::min(wanted - done, kMethodsPerCopy);
        Chunk chunk;
        if (const Status status = copy_chunk(reader, list, done, step, chunk); status != Status::ok) {
            return status;
        }
        for (std::uint32_t i = 0; i < step; ++i) {
            if (!is_object_pointer(chunk[i])) {
                return Status::unknown;
            }
            methods[done + i] = Address(chunk[i]);
        }
        done += step;
    }
    MethodList after;
    if (const Status status = try_read_list(reader, at, after); status != Status::ok) {
        return status;
    }
    if (after.buffer != list.buffer || after.size_bytes < list.size_bytes) {
        return Status::unknown;
    }
    count = list.method_count();
    return Status::ok;
}

}  // namespace tierup::layout
