// What     The slots of waiter_table.h: chunks, free list, list of pending waiters, the round's cursor.
// What not No lock.
// Threads  One at a time, under the watcher's lock.
// Failure  See waiter_table.h.
#include "watch/waiter_table.h"

#include <bit>
#include <cassert>
#include <new>

namespace tierup::watch {
namespace {

constexpr int kFirstChunkBits = 6;
static_assert(kFirstChunkWaiters == 1u << kFirstChunkBits);

constexpr std::uint32_t slot_of(std::uint64_t id) noexcept {
    return static_cast<std::uint32_t>(id);
}
constexpr std::uint32_t generation_of(std::uint64_t id) noexcept {
    return static_cast<std::uint32_t>(id >> 32);
}
constexpr std::uint64_t id_of(std::uint32_t generation, std::uint32_t slot) noexcept {
    return static_cast<std::uint64_t>(generation) << 32 | slot;
}

struct Place {
    std::uint32_t chunk;
    std::uint32_t offset;
};

/// Chunk k begins at index F * 2^k - F with F = kFirstChunkWaiters.
constexpr Place place_of(std::uint32_t index) noexcept {
    const std::uint32_t shifted = index + kFirstChunkWaiters;
    const auto chunk = static_cast<std::uint32_t>(std::bit_width(shifted) - 1 - kFirstChunkBits);
    return {chunk, shifted - (kFirstChunkWaiters << chunk)};
}
static_assert(place_of(0).chunk == 0 && place_of(0).offset == 0);
static_assert(place_of(63).chunk == 0 && place_of(64).chunk == 1 && place_of(64).offset == 0);
static_assert(place_of(kMaxWaiters - 1).chunk == kMaxChunks - 1 && place_of(kMaxWaiters).chunk == kMaxChunks);

}  // namespace

WaiterTable::Slot& WaiterTable::slot_at(std::uint32_t index) noexcept {
    const Place place = place_of(index);
    return chunks_[place.chunk][place.offset];
}

Status WaiterTable::try_take_slot(Resources& resources, std::uint32_t& index) noexcept {
    if (first_free_ != kNone) {
        index = first_free_;
        first_free_ = slot_at(index).next;
        --free_count_;
        return Status::ok;
    }
    if (used_count_ == kMaxWaiters) {
        return Status::exhausted;
    }
    const Place place = place_of(used_count_);
    if (chunks_[place.chunk] == nullptr) {
        const std::size_t bytes = sizeof(Slot) * (static_cast<std::size_t>(kFirstChunkWaiters) << place.chunk);
        void* memory = resources.allocate(bytes);
        if (memory == nullptr) {
            return Status::exhausted;
        }
        chunks_[place.chunk] = static_cast<Slot*>(memory);
    }
    index = used_count_++;
    ::new (static_cast<void*>(&slot_at(index))) Slot{{}, first_generation_, kNone, kNone, false};
    return Status::ok;
}

Status WaiterTable::try_add(const Waiter& waiter, Resources& resources, std::uint64_t& id) noexcept {
    std::uint32_t index = kNone;
    const Status status = try_take_slot(resources, index);
    if (status != Status::ok) {
        return status;
    }
    Slot& slot = slot_at(index);
    slot.waiter = waiter;
    slot.is_pending = true;
    link_last(index);
    count(waiter, true);
    id = id_of(slot.generation, index);
    assert(invariant());
    return Status::ok;
}

Waiter* WaiterTable::find(std::uint64_t id) noexcept {
    const std::uint32_t index = slot_of(id);
    if (index >= used_count_) {
        return nullptr;
    }
    Slot& slot = slot_at(index);
    return slot.is_pending && slot.generation == generation_of(id) ? &slot.waiter : nullptr;
}

void WaiterTable::remove(std::uint64_t id) noexcept {
    assert(find(id) != nullptr);
    const std::uint32_t index = slot_of(id);
    unlink(index);
    Slot& slot = slot_at(index);
    count(slot.waiter, false);
    slot.is_pending = false;
    if (slot.generation == UINT32_MAX) {
        ++retired_count_;  // its ids are used up; one slot is lost in 4 billion waits
    } else {
        ++slot.generation;
        slot.next = first_free_;
        first_free_ = index;
        ++free_count_;
    }
    assert(invariant());
}

void WaiterTable::count(const Waiter& waiter, bool is_coming) noexcept {
    const std::uint32_t bit = bit_of_condition(waiter.condition);
    std::uint32_t& waiting = waiting_for_[static_cast<std::size_t>(std::countr_zero(bit))];
    const std::uint32_t step = is_coming ? 1u : UINT32_MAX;  // adds or, wrapping, takes away one
    pending_count_ += step;
    self_serving_count_ += waiter.serves_itself ? step : 0;
    waiting += step;
    conditions_ = waiting != 0 ? conditions_ | bit : conditions_ & ~bit;
}

void WaiterTable::begin_round() noexcept {
    cursor_ = first_pending_;
    round_last_ = last_pending_;
}

Waiter* WaiterTable::next_in_round(std::uint64_t& id) noexcept {
    if (cursor_ == kNone) {
        return nullptr;
    }
    const std::uint32_t index = cursor_;
    Slot& slot = slot_at(index);
    cursor_ = index == round_last_ ? kNone : slot.next;
    id = id_of(slot.generation, index);
    return &slot.waiter;
}

void WaiterTable::link_last(std::uint32_t index) noexcept {
    Slot& slot = slot_at(index);
    slot.previous = last_pending_;
    slot.next = kNone;
    if (last_pending_ == kNone) {
        first_pending_ = index;
    } else {
        slot_at(last_pending_).next = index;
    }
    last_pending_ = index;
}

void WaiterTable::unlink(std::uint32_t index) noexcept {
    const Slot& slot = slot_at(index);
    // The round goes on behind a waiter that leaves, and never past the one that was last when it began. While the round is
    // not over, cursor_ stands at or before round_last_, so round_last_'s predecessor is still ahead unless it is the cursor.
    if (cursor_ == index) {
        cursor_ = index == round_last_ ? kNone : slot.next;
    } else if (round_last_ == index) {
        round_last_ = slot.previous;
    }
    if (slot.previous == kNone) {
        first_pending_ = slot.next;
    } else {
        slot_at(slot.previous).next = slot.next;
    }
    if (slot.next == kNone) {
        last_pending_ = slot.previous;
    } else {
        slot_at(slot.next).previous = slot.previous;
    }
}

}  // namespace tierup::watch
