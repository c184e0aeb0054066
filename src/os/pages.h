// What     Maps and unmaps zeroed private memory: ordinary pages, or one large page where the system has them.
// What not No heap, no bookkeeping: the caller remembers the size.
// Threads  Any.
// Failure  Null where the system refuses memory. Without large pages the same memory comes in ordinary ones.
// Source   mmap(2), madvise(2) MADV_HUGEPAGE; the kernel's Documentation/admin-guide/mm/transhuge.rst.
#pragma once

#include <cstddef>

namespace tierup::os {

/// A transparent huge page on x64, and on arm64 with 4 KiB pages.
inline constexpr std::size_t kLargePageBytes = std::size_t{2} * 1024 * 1024;

/// Untouched: each page costs at its first use.
[[nodiscard]] void* map_pages(std::size_t bytes) noexcept;
/// kLargePageBytes, aligned to as much, so that one fault can bring all of it.
[[nodiscard]] void* map_large_page() noexcept;

void unmap_pages(void* pages, std::size_t bytes) noexcept;

}  // namespace tierup::os
