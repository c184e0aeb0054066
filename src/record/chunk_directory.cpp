// What     Chunks by position.
// Threads  See chunk_directory.h.
// Failure  See chunk_directory.h.
#include "record/chunk_directory.h"

namespace tierup::record {

namespace {

using Slot = std::atomic<std::byte*>;
static_assert(Slot::is_always_lock_free && sizeof(Slot) == sizeof(std::byte*), "zeroed pages are slots that hold null");

constexpr std::size_t kDirectoryBytes = kDirectorySlots * sizeof(Slot);
constexpr std::size_t kPageBytes = 4096;  // the smallest of any system; larger ones are touched more than once

constexpr std::uint64_t slot_index(std::uint64_t position) noexcept {
    return position / kChunkUnits % kDirectorySlots;
}

}  // namespace

Status ChunkDirectory::open(PageSource& pages, std::uint64_t first_position) noexcept {
    pages_ = &pages;
    first_slot_ = slot_index(first_position);
    used_slots_.store(0, std::memory_order_relaxed);
    mapped_by_writers_.store(0, std::memory_order_relaxed);
    slots_ = static_cast<Slot*>(pages.map(kDirectoryBytes));
    if (slots_ == nullptr) {
        return Status::exhausted;
    }
    for (std::size_t i = 0; i < kReadySpares; ++i) {
        if (!add_touched_spare()) {
            close();
            return Status::exhausted;
        }
    }
    return Status::ok;
}

void ChunkDirectory::close() noexcept {
    for (Slot& spare : spares_) {
        if (std::byte* chunk = spare.exchange(nullptr, std::memory_order_acquire); chunk != nullptr) {  // partner: give_spare
            pages_->unmap(chunk, kChunkBytes);
        }
    }
    if (slots_ == nullptr) {
        return;
    }
    const std::uint64_t used = used_slots_.load(std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < used; ++i) {
        Slot& slot = slots_[(first_slot_ + i) % kDirectorySlots];
        if (std::byte* chunk = slot.load(std::memory_order_acquire); chunk != nullptr) {  // partner: find_or_map
            pages_->unmap(chunk, kChunkBytes);
        }
    }
    pages_->unmap(slots_, kDirectoryBytes);
    slots_ = nullptr;
}

std::atomic<std::byte*>& ChunkDirectory::slot_of(std::uint64_t position) const noexcept {
    return slots_[slot_index(position)];
}

std::byte* ChunkDirectory::find(std::uint64_t position) const noexcept {
    return slot_of(position).load(std::memory_order_acquire);  // partner: the exchange in find_or_map, by who put the chunk there
}

std::byte* ChunkDirectory::find_or_map(std::uint64_t position) noexcept {
    Slot& slot = slot_of(position);
    std::byte* present = slot.load(std::memory_order_acquire);  // partner: the exchange below
    if (present != nullptr) {
        return present;
    }
    std::byte* chunk = take_spare();
    if (chunk == nullptr) {
        chunk = static_cast<std::byte*>(pages_->map_chunk());
        if (chunk == nullptr) {
            return nullptr;
        }
        mapped_by_writers_.fetch_add(1, std::memory_order_relaxed);
    }
    // Race: a writer that slept since it read the cursor puts a chunk where the reader has retired one. Window: from its read of the cursor on.
    // Harmless because the chunk is zero and waits there for the position that comes to this slot next; close finds it.
    // Test: EventQueueStress.eight_writers_and_a_reader_lose_nothing_and_keep_each_writers_order
    if (slot.compare_exchange_strong(present, chunk, std::memory_order_acq_rel,  // release: to find; acquire: as the load above
                                     std::memory_order_acquire)) {
        remember_used(position);
        return chunk;
    }
    give_spare(chunk);
    return present;
}

void ChunkDirectory::remember_used(std::uint64_t position) noexcept {
    const std::uint64_t needed = (slot_index(position) + kDirectorySlots - first_slot_) % kDirectorySlots + 1;
    std::uint64_t used = used_slots_.load(std::memory_order_relaxed);
    while (used < needed && !used_slots_.compare_exchange_weak(used, needed, std::memory_order_relaxed)) {
    }
}

void ChunkDirectory::prepare_spares() noexcept {
    std::size_t ready = 0;
    for (const Slot& spare : spares_) {
        ready += spare.load(std::memory_order_relaxed) != nullptr ? 1u : 0u;
    }
    while (ready < kReadySpares && add_touched_spare()) {
        ++ready;
    }
}

bool ChunkDirectory::add_touched_spare() noexcept {
    auto* chunk = static_cast<std::byte*>(pages_->map_chunk());
    if (chunk == nullptr) {
        return false;
    }
    for (std::size_t page = 0; page < kChunkBytes; page += kPageBytes) {
        *const_cast<volatile std::byte*>(chunk + page) = std::byte{0};  // the page comes now, not when a writer needs it
    }
    give_spare(chunk);
    return true;
}

void ChunkDirectory::retire(std::uint64_t position) noexcept {
    Slot& slot = slot_of(position);
    std::byte* chunk = slot.load(std::memory_order_relaxed);  // the reader has read in it
    slot.store(nullptr, std::memory_order_relaxed);           // seen by who sees the read position behind it: EventQueue::advance
    give_spare(chunk);
}

std::byte* ChunkDirectory::take_spare() noexcept {
    for (Slot& spare : spares_) {
        if (spare.load(std::memory_order_relaxed) == nullptr) {
            continue;
        }
        if (std::byte* chunk = spare.exchange(nullptr, std::memory_order_acquire); chunk != nullptr) {  // partner: give_spare
            return chunk;
        }
    }
    return nullptr;
}

void ChunkDirectory::give_spare(std::byte* chunk) noexcept {
    for (Slot& spare : spares_) {
        std::byte* none = nullptr;
        if (spare.compare_exchange_strong(none, chunk, std::memory_order_release, std::memory_order_relaxed)) {  // partner: take_spare
            return;
        }
    }
    pages_->unmap(chunk, kChunkBytes);
}

}  // namespace tierup::record
