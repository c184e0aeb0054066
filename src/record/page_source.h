// What     Where queues take their memory from: the system, or a test's own source that can refuse.
// What not Keeps no account of what is mapped.
// Threads  Any, several at once; map_chunk is called inside a runtime callback.
// Failure  Null: refused. What was mapped is zero.
#pragma once

#include <cstddef>

#include "os/pages.h"

namespace tierup::record {

/// A chunk is one large page where the system has them.
inline constexpr std::size_t kChunkBytes = os::kLargePageBytes;

class PageSource {
public:
    // Not pure: a pure function would make the library need libstdc++'s handler.
    virtual void* map(std::size_t bytes) noexcept {
        (void)bytes;
        return nullptr;
    }
    virtual void* map_chunk() noexcept { return nullptr; }
    virtual void unmap(void* pages, std::size_t bytes) noexcept { (void)pages, (void)bytes; }

protected:
    constexpr PageSource() noexcept = default;
    PageSource(const PageSource&) noexcept = default;
    PageSource& operator=(const PageSource&) noexcept = default;
    ~PageSource() = default;
};

class SystemPages final : public PageSource {
public:
    constexpr SystemPages() noexcept = default;
    void* map(std::size_t bytes) noexcept override;
    void* map_chunk() noexcept override;
    void unmap(void* pages, std::size_t bytes) noexcept override;
};

}  // namespace tierup::record
