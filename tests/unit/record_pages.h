// What     A page source for tests: the system's pages, counted, that can refuse one or all from one on, or hold a caller up.
// What not No judging.
// Threads  Any.
// Failure  Null where it was told to refuse.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>

#include "record/page_source.h"

namespace tierup::record {

class TestPages final : public PageSource {
public:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    /// Numbers count the calls of map and map_chunk from 1 on.
    std::atomic<std::uint64_t> refuse_from{kNever};
    std::atomic<std::uint64_t> refuse_until{kNever};  ///< The first one that is not refused any longer.
    std::atomic<bool> hold{false};                    ///< A call waits while this is set.
    std::atomic<int> held{0};
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::int64_t> mapped_bytes{0};

    void* map(std::size_t bytes) noexcept override { return is_refused() ? nullptr : counted(system_.map(bytes), bytes); }
    void* map_chunk() noexcept override { return is_refused() ? nullptr : counted(system_.map_chunk(), kChunkBytes); }
    void unmap(void* pages, std::size_t bytes) noexcept override {
        mapped_bytes.fetch_sub(static_cast<std::int64_t>(bytes));
        system_.unmap(pages, bytes);
    }

private:
    bool is_refused() {
        const std::uint64_t number = calls.fetch_add(1) + 1;
        held.fetch_add(1);
        while (hold.load()) {
            std::this_thread::yield();
        }
        held.fetch_sub(1);
        return number >= refuse_from.load() && number < refuse_until.load();
    }
    void* counted(void* pages, std::size_t bytes) {
        mapped_bytes.fetch_add(static_cast<std::int64_t>(bytes));
        return pages;
    }

    SystemPages system_;
};

}  // namespace tierup::record
