// What     Opening, closing and writing under fire: a writer enters a slot by counting itself, a closer takes the id away and waits for the count.
// Threads  See event_streams.h.
// Failure  See event_streams.h.
#include "record/event_streams.h"

#include <bit>

#include "os/clock.h"
#include "os/thread.h"

namespace tierup::record {

namespace {

constexpr std::uint32_t bits_of(std::size_t index, bool has_names) noexcept {
    return (1u | (has_names ? 1u << kMaxStreams : 0u)) << index;
}

bool is_left_by_writers(const std::atomic<std::uint32_t>& writers) noexcept {
    return writers.load(std::memory_order_seq_cst) == 0;  // partner: write's entry (either sees the other) and its exit
}

}  // namespace

/// Frees what an earlier close had to leave behind, if its writer has gone.
bool EventStreams::is_free_locked(Slot& slot) noexcept {
    if (slot.is_left_behind && is_left_by_writers(slot.writers)) {
        slot.queue.close();
        slot.is_left_behind = false;
    }
    return slot.id.load(std::memory_order_relaxed) == 0 && !slot.is_left_behind;
}

void EventStreams::publish_locked(Slot& slot, std::size_t index, bool has_names, std::uint64_t& id) noexcept {
    slot.has_names = has_names;
    id = (generation_.fetch_add(1, std::memory_order_relaxed) + 1) << kSlotBits | index;
    slot.id.store(id, std::memory_order_seq_cst);  // partner: write's load of the id
    open_mask_.fetch_or(bits_of(index, has_names), std::memory_order_relaxed);
}

Status EventStreams::open(const StreamOptions& options, std::uint64_t& id) noexcept {
    id = 0;
    for (std::size_t index = 0; index < kMaxStreams; ++index) {
        Slot& slot = slots_[index];
        os::LockGuard guard(slot.mutex);
        if (!is_free_locked(slot)) {
            continue;
        }
        const Status status = slot.queue.open(pages_, options.capacity_bytes);
        if (status == Status::ok) {
            publish_locked(slot, index, options.names, id);
        }
        return status;
    }
    return Status::exhausted;
}

Status EventStreams::close(std::uint64_t id) noexcept {
    Slot& slot = slot_of(id);
    os::LockGuard guard(slot.mutex);
    if (id == 0 || slot.id.load(std::memory_order_relaxed) != id) {
        return Status::absent;
    }
    open_mask_.fetch_and(~bits_of(id % kMaxStreams, true), std::memory_order_relaxed);
    slot.id.store(0, std::memory_order_seq_cst);  // partner: write's load of the id, behind its entry
    slot.is_left_behind = true;
    const std::uint64_t deadline_ns = os::monotonic_now_ns() + kCloseWaitNs;
    while (!is_free_locked(slot) && os::monotonic_now_ns() < deadline_ns) {
        os::yield_processor();
    }
    return Status::ok;
}

Status EventStreams::read(std::uint64_t id, std::span<std::byte> buffer, std::size_t& bytes) noexcept {
    bytes = 0;
    Slot& slot = slot_of(id);
    os::LockGuard guard(slot.mutex);
    if (id == 0 || slot.id.load(std::memory_order_relaxed) != id) {
        return Status::absent;
    }
    return slot.queue.read(buffer, bytes);
}

bool EventStreams::has_data(std::uint64_t id) noexcept {
    Slot& slot = slot_of(id);
    if (!slot.mutex.try_lock()) {
        return true;
    }
    const bool is_open = id != 0 && slot.id.load(std::memory_order_relaxed) == id;
    const bool result = !is_open || slot.queue.has_data();
    slot.mutex.unlock();
    return result;
}

bool EventStreams::write(const TieringEvent& event, const EventNames* names) noexcept {
    // Race: a stream is opened or closed just now. Window: from the load of the mask to the slot's id. Harmless because the id decides, behind the
    // entry: an event at the very beginning or end of a stream is in it or is not. Test: EventStreamsStress.closing_under_fire_frees_nothing_that_a_writer_touches
    const std::uint32_t open = open_mask_.load(std::memory_order_relaxed) & ((1u << kMaxStreams) - 1);
    bool is_any_written = false;
    for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
        Slot& slot = slots_[static_cast<std::size_t>(std::countr_zero(rest))];
        slot.writers.fetch_add(1, std::memory_order_seq_cst);  // partner: is_left_by_writers, behind the store of the id
        if (slot.id.load(std::memory_order_seq_cst) != 0 &&    // partner: publish_locked, close
            (slot.has_names || event.kind != TieringEventKind::jit_started)) {
            (void)slot.queue.write(event, slot.has_names ? names : nullptr);
            is_any_written = true;
        }
        slot.writers.fetch_sub(1, std::memory_order_seq_cst);  // partner: is_left_by_writers; what was written is behind us
    }
    return is_any_written;
}

}  // namespace tierup::record
