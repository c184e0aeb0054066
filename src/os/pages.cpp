// What     Anonymous private mappings.
// Source   mmap(2), munmap(2), madvise(2).
#include "os/pages.h"

#include <sys/mman.h>
#include <cstdint>

namespace tierup::os {

void* map_pages(std::size_t bytes) noexcept {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

void* map_large_page() noexcept {
    auto* const all = static_cast<std::byte*>(map_pages(2 * kLargePageBytes));
    if (all == nullptr) {
        return nullptr;
    }
    const std::size_t before = (kLargePageBytes - reinterpret_cast<std::uintptr_t>(all) % kLargePageBytes) % kLargePageBytes;
    std::byte* const page = all + before;
    if (before != 0) {
        unmap_pages(all, before);
    }
    unmap_pages(page + kLargePageBytes, kLargePageBytes - before);
    (void)madvise(page, kLargePageBytes, MADV_HUGEPAGE);  // only advice: EINVAL where the kernel has none
    return page;
}

void unmap_pages(void* pages, std::size_t bytes) noexcept {
    (void)munmap(pages, bytes);
}

}  // namespace tierup::os
