// What     The memory of one queue: chunks of pages, found by position, with a few spare ones in reserve.
// What not Knows no records and decides nothing about room.
// Threads  find, find_or_map: any, several at once. prepare_spares, retire: the reader. open, close: alone.
// Failure  find_or_map: null where the system refuses memory. Nothing is mapped after close.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "record/cursor.h"
#include "record/event_names.h"
#include "record/page_source.h"

namespace tierup::record {

inline constexpr std::uint64_t kChunkUnits = kChunkBytes / kUnitBytes;
static_assert(kMaxEventBytes + kEventBytes <= kChunkBytes, "a gap and the largest event fit a chunk");

/// Touched by the reader's side, for a page's first touch is what costs: 0.15 ms a chunk with large pages and up to 7 ms without, measured on a virtual
/// machine whose page faults take 5 to 15 us.
inline constexpr std::size_t kReadySpares = 1;

/// Chunk numbers are taken modulo this; at most two less are in use at a time (16 GiB unread).
inline constexpr std::uint64_t kDirectorySlots = 8192;
inline constexpr std::uint64_t kMaxUnreadUnits = (kDirectorySlots - 2) * kChunkUnits;
static_assert(kMaxUnreadUnits < kPositionMask / 2, "no distance of two positions is ambiguous");
static_assert((kPositionMask + 1) % (kDirectorySlots * kChunkUnits) == 0, "a wrapped position leads to the right slot");

class ChunkDirectory {
public:
    constexpr ChunkDirectory() noexcept = default;
    ChunkDirectory(const ChunkDirectory&) = delete;
    ChunkDirectory& operator=(const ChunkDirectory&) = delete;

    /// exhausted: no memory; nothing is left mapped. kReadySpares spare chunks are there afterwards.
    Status open(PageSource& pages, std::uint64_t first_position) noexcept;
    void close() noexcept;

    /// The chunk that holds the position, null if there is none yet.
    [[nodiscard]] std::byte* find(std::uint64_t position) const noexcept;
    /// The same, from the spares or the system where there is none yet. All its bytes are zero then.
    [[nodiscard]] std::byte* find_or_map(std::uint64_t position) noexcept;

    /// Makes sure that writers find kReadySpares spare chunks, if the system gives them, and that each of their pages was touched.
    void prepare_spares() noexcept;
    /// The chunk was read to its end and is all zero again; no writer is inside.
    void retire(std::uint64_t position) noexcept;

    [[nodiscard]] std::uint64_t mapped_by_writers() const noexcept { return mapped_by_writers_.load(std::memory_order_relaxed); }

private:
    /// Kept of those that were read, 8 MiB, so that the next burst meets no fresh page.
    static constexpr std::size_t kSpares = 4;

    [[nodiscard]] std::atomic<std::byte*>& slot_of(std::uint64_t position) const noexcept;
    [[nodiscard]] std::byte* take_spare() noexcept;
    void give_spare(std::byte* chunk) noexcept;
    [[nodiscard]] bool add_touched_spare() noexcept;
    void remember_used(std::uint64_t position) noexcept;

    PageSource* pages_ = nullptr;
    std::atomic<std::byte*>* slots_ = nullptr;
    std::uint64_t first_slot_ = 0;
    std::atomic<std::uint64_t> used_slots_{0};  // all slots that ever held a chunk are among so many from first_slot_ on
    std::array<std::atomic<std::byte*>, kSpares> spares_{};
    std::atomic<std::uint64_t> mapped_by_writers_{0};
};

}  // namespace tierup::record
