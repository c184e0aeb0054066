// What     Copies of the pages that one DAC query has read, so that its thousands of small reads cost few kernel calls.
//          Within a query a page is read once, as long as it touches fewer pages than are kept: what was checked is what the DAC sees.
// What not Nothing survives `forget_all`: every query sees memory as it is, page by page as it first touches them.
// Threads  One at a time (DataAccess's mutex).
// Failure  Status::faulted for a page that can't be read; not remembered, so it is tried again.
// Source   Own measurement: tests/unit/clr_page_cache_test.cpp checks the rules, docs of DataAccess the gain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "memory/reader.h"

namespace tierup::clr {

inline constexpr std::size_t kPageBytes = 4096;  ///< The smallest page of the supported systems: a copy never reaches into another mapping.
inline constexpr std::size_t kCachedPages = 128;   ///< Placed by hash; a query was seen to touch up to 40 pages.
inline constexpr std::size_t kPlacesPerPage = 16;  ///< From its hash on: so many pages of one query must collide before one is not kept.
/// A page that none of so many queries touched is no longer copied ahead.
inline constexpr std::uint64_t kQueriesAhead = 4;

/// What is asked decides which pages are read.
enum class QueryKind : std::uint8_t { description, versions };
inline constexpr std::size_t kQueryKinds = 2;

class PageCache {
public:
    void forget_all() noexcept { ++generation_; }

    /// Forgets all, then copies what recent queries of this kind touched in as few kernel calls as can be: one is much like the next.
    void begin_query(const memory::Reader& reader, QueryKind kind) noexcept;

    /// Copies from one page only: `bytes` must end in the page that holds `from`.
    [[nodiscard]] Status copy_within_page(const memory::Reader& reader, Address from, void* to, std::size_t bytes) noexcept;

    /// True: all that this query has read here is the same now, so it was all there at one moment. False as well where that can't be told.
    [[nodiscard]] bool is_still(const memory::Reader& reader) const noexcept;

    [[nodiscard]] std::uint64_t pages_read() const noexcept { return pages_read_; }

    /// The first of the places where a page may be.
    [[nodiscard]] static constexpr std::size_t slot_index(std::uint64_t page) noexcept {
        return (page / kPageBytes * 0x9E3779B97F4A7C15ull >> 32) % kCachedPages;  // 2^64 divided by the golden ratio
    }

private:
    static constexpr std::size_t kLineBytes = kPageBytes / 64;

    struct Slot {
        std::uint64_t page = 0;
        std::uint64_t generation = 0;  // valid only where equal to generation_
        std::uint64_t lines = 0;       // one bit for each kLineBytes that this query has read
        std::array<std::uint64_t, kQueryKinds>
            touched{};  // for each kind, the number of its last query that read from the page; 0: none did
        std::array<unsigned char, kPageBytes> bytes{};
    };

    [[nodiscard]] bool is_current(const Slot& slot) const noexcept { return slot.generation == generation_ && generation_ != 0; }
    /// Where the page is, or where it may go: in place of one that this query has not read. Null: all its places are taken.
    [[nodiscard]] Slot* find_slot(std::uint64_t page) noexcept;

    std::size_t kind_ = 0;                              // of the query under way
    std::array<std::uint64_t, kQueryKinds> queries_{};  // so many queries of each kind have begun
    std::uint64_t generation_ = 0;                      // 0 only before the first forget_all: nothing is cached then
    std::uint64_t pages_read_ = 0;
    bool has_read_past_ = false;  // this query, a page that found no place
    std::array<Slot, kCachedPages> slots_{};
};

}  // namespace tierup::clr
