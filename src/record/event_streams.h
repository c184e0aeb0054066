// What     The open streams: up to eight, each with its own queue and an id that is never given twice.
// What not Wakes nobody and switches no session on: the caller does, by what write says.
// Threads  write, is_listening, wants_names: any, inside runtime callbacks, never waiting. The rest: any thread that may take a lock; a read and a
//          close of the same stream wait for each other.
// Failure  absent: no such stream. exhausted: all slots are taken, or no memory. Closing never frees what a writer still touches.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "os/mutex.h"
#include "record/event_queue.h"
#include "record/page_source.h"
#include "record/tiering_event_sink.h"

namespace tierup::record {

inline constexpr std::size_t kMaxStreams = 8;  // tierup_events_open says so

/// How long a close waits for writers inside; a copy takes less than a microsecond, so only a thread that was taken off its processor is met.
inline constexpr std::uint64_t kCloseWaitNs = 20'000'000;

struct StreamOptions {
    bool names = false;  ///< With JIT starts and texts.
    std::uint64_t capacity_bytes = 0;
};

class EventStreams final : public TieringEventSink {
public:
    constexpr explicit EventStreams(PageSource& pages) noexcept : pages_(pages) {}
    EventStreams(const EventStreams&) = delete;
    EventStreams& operator=(const EventStreams&) = delete;

    Status open(const StreamOptions& options, std::uint64_t& id) noexcept;
    /// See EventQueue::read.
    Status read(std::uint64_t id, std::span<std::byte> buffer, std::size_t& bytes) noexcept;
    Status close(std::uint64_t id) noexcept;

    /// True also where the stream is not (any longer) open, and where another thread is at it: look again.
    [[nodiscard]] bool has_data(std::uint64_t id) noexcept;

    [[nodiscard]] bool is_listening() const noexcept override { return open_mask_.load(std::memory_order_relaxed) != 0; }
    [[nodiscard]] bool wants_names() const noexcept { return open_mask_.load(std::memory_order_relaxed) >> kMaxStreams != 0; }

    /// To all streams; a stream without names gets no JIT starts and no texts.
    bool write(const TieringEvent& event, const EventNames* names) noexcept override;

private:
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> id{0};       // 0: not open
        std::atomic<std::uint32_t> writers{0};  // inside write, whether they found it open or not
        bool has_names = false;                 // written before the id, read behind it
        bool is_left_behind = false;            // under mutex: closed, but a writer was inside too long; the next open frees it
        os::Mutex mutex;
        EventQueue queue;
    };

    static constexpr std::uint64_t kSlotBits = 3;
    static_assert(kMaxStreams == std::size_t{1} << kSlotBits);

    [[nodiscard]] Slot& slot_of(std::uint64_t id) noexcept { return slots_[id % kMaxStreams]; }
    [[nodiscard]] static bool is_free_locked(Slot& slot) noexcept;
    void publish_locked(Slot& slot, std::size_t index, bool has_names, std::uint64_t& id) noexcept;

    PageSource& pages_;
    std::atomic<std::uint32_t> open_mask_{0};  // bit n: slot n is open; bit kMaxStreams + n: with names
    std::atomic<std::uint64_t> generation_{0};
    std::array<Slot, kMaxStreams> slots_{};
};

}  // namespace tierup::record
