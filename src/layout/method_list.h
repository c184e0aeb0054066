// What     The runtime's list of methods pending call counting, an array object, read by checked copies.
// What not Does not know whose pointer leads to it (pending_list_search.h).
// Threads  Any. The runtime appends to it and frees it meanwhile: what was copied is checked against a second look at its header.
// Failure  unknown: no such list, or it moved while it was copied. exhausted: longer than kMaxListMethods.
// Source   dotnet/runtime src/coreclr/inc/sbuffer.h (SBuffer: m_size, m_allocation, m_flags, m_buffer), sarray.h; seen so on 8.0.34, 9.0.23,
//          10.0.15 and 11.0.0.
#pragma once

#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "memory/reader.h"

namespace tierup::layout {

inline constexpr std::uint32_t kMethodPointerBytes = 8;
/// More methods than any program calls for the first time within one delay; bounds every loop.
inline constexpr std::uint32_t kMaxListMethods = 1u << 20;

struct MethodList {
    std::uint32_t size_bytes = 0;
    std::uint32_t allocated_bytes = 0;
    std::uint32_t flags = 0;
    std::uint32_t padding = 0;
    std::uint64_t buffer = 0;

    [[nodiscard]] std::uint32_t method_count() const noexcept { return size_bytes / kMethodPointerBytes; }
    /// Equations: 0 < size <= allocated, the size whole pointers (what is allocated grows by half and need not be: 8748 was seen); the buffer is an object's.
    [[nodiscard]] bool fits() const noexcept;
};
static_assert(sizeof(MethodList) == 24);

[[nodiscard]] Status try_read_list(const memory::Reader& reader, Address at, MethodList& list) noexcept;

/// Looks from the newest to the oldest. absent: not in it.
[[nodiscard]] Status find_in_list(const memory::Reader& reader, const MethodList& list, Address method) noexcept;

/// The oldest methods first, as many as there is room for; `count` is how many there are.
[[nodiscard]] Status copy_list(const memory::Reader& reader, Address at, std::span<Address> methods, std::uint32_t& count) noexcept;

}  // namespace tierup::layout
