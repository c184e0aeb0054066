// What     The system's pages.
// Threads  Any.
// Failure  See page_source.h.
#include "record/page_source.h"

namespace tierup::record {

void* SystemPages::map(std::size_t bytes) noexcept {
    return os::map_pages(bytes);
}

void* SystemPages::map_chunk() noexcept {
    return os::map_large_page();
}

void SystemPages::unmap(void* pages, std::size_t bytes) noexcept {
    os::unmap_pages(pages, bytes);
}

}  // namespace tierup::record
