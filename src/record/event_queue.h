// What     One stream's events: many writers that never wait, one reader, no loss; where memory or room ends, one gap record tells how many are missing.
// What not Does not wake the reader and knows no streams.
// Threads  write: any, several at once, inside runtime callbacks. read, has_data: one at a time. open, close: alone.
// Failure  write: false, and the event is counted; a gap record stands in its place. read: exhausted where the next record does not fit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "base/tiering_event.h"
#include "record/chunk_directory.h"
#include "record/cursor.h"
#include "record/event_names.h"

namespace tierup::record {

/// A bounded queue takes at least its largest record with a gap before it.
inline constexpr std::uint64_t kSmallestCapacityBytes = kMaxEventBytes + kEventBytes;

class EventQueue {
public:
    constexpr EventQueue() noexcept = default;
    /// A test begins near the end of the positions.
    constexpr explicit EventQueue(std::uint64_t first_position) noexcept : first_position_(first_position) {}
    EventQueue(const EventQueue&) = delete;
    EventQueue& operator=(const EventQueue&) = delete;

    /// `capacity_bytes` 0: unbounded. exhausted: no memory, nothing is open.
    Status open(PageSource& pages, std::uint64_t capacity_bytes) noexcept;
    /// No writer and no reader may be inside. Idempotent.
    void close() noexcept;

    /// `size`, `name_units`, `sequence` of the event are filled in here. `names` null: none.
    bool write(const TieringEvent& event, const EventNames* names) noexcept;

    /// Copies whole records, in order; `bytes` 0: none is complete now. exhausted: `bytes` is what the next one needs, nothing is lost.
    Status read(std::span<std::byte> buffer, std::size_t& bytes) noexcept;
    /// Whether a read would give something now.
    [[nodiscard]] bool has_data() const noexcept;

    [[nodiscard]] std::uint64_t chunks_mapped_by_writers() const noexcept { return chunks_.mapped_by_writers(); }

private:
    enum class Next : std::uint8_t { none, record, gap };
    struct Reservation;  // see event_queue.cpp

    [[nodiscard]] bool has_room(const Cursor& cursor, std::uint64_t units) const noexcept;
    [[nodiscard]] bool reserve(std::uint32_t bytes, Reservation& reservation) noexcept;

    [[nodiscard]] std::uint64_t own_read_position() const noexcept { return read_position_.load(std::memory_order_relaxed); }
    [[nodiscard]] Next find_next(std::uint32_t& bytes) noexcept;
    void copy_record(std::byte* to, std::uint32_t bytes) noexcept;
    [[nodiscard]] bool try_tell_gap(std::byte* to) noexcept;
    void advance(std::uint64_t units) noexcept;

    alignas(64) std::atomic<std::uint64_t> cursor_{0};         // a Cursor; changed by writers, and by the reader where it tells a gap
    alignas(64) std::atomic<std::uint64_t> read_position_{0};  // written by the reader
    std::uint64_t sequence_ = 0;                               // the reader's: of the last record that it gave out
    std::uint64_t first_position_ = 0;
    alignas(64) std::uint64_t capacity_units_ = 0;  // read-only while open
    ChunkDirectory chunks_;
};

}  // namespace tierup::record
