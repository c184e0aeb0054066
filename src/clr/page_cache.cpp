// What     The lookup of page_cache.h.
// What not See there.
#include "clr/page_cache.h"

#include <cstring>

namespace tierup::clr {

void PageCache::begin_query(const memory::Reader& reader, QueryKind kind) noexcept {
    forget_all();
    has_read_past_ = false;
    kind_ = static_cast<std::size_t>(kind);
    const std::uint64_t query = ++queries_[kind_];
    std::array<Copy, kCachedPages> copies;
    std::array<Slot*, kCachedPages> slots{};
    std::size_t count = 0;
    for (Slot& slot : slots_) {
        slot.lines = 0;
        if (slot.touched[kind_] != 0 && query - slot.touched[kind_] <= kQueriesAhead) {
            copies[count] = {.from = Address(slot.page), .to = slot.bytes.data(), .bytes = kPageBytes};
            slots[count++] = &slot;
            slot.generation = 0;
        }
    }
    // A page that is gone ends the batch; what comes behind it is copied when it is asked for.
    const std::size_t copied = count == 0 ? 0 : reader.try_read_each(copies.data(), count);
    for (std::size_t i = 0; i < copied; ++i) {
        slots[i]->generation = generation_;
    }
    if (copied < count) {
        slots[copied]->touched = {};
    }
    pages_read_ += copied;
}

PageCache::Slot* PageCache::find_slot(std::uint64_t page) noexcept {
    Slot* free = nullptr;
    for (std::size_t i = 0; i < kPlacesPerPage; ++i) {
        Slot& slot = slots_[(slot_index(page) + i) % kCachedPages];
        if (is_current(slot) && slot.page == page) {
            return &slot;
        }
        if (free == nullptr && (!is_current(slot) || slot.touched[kind_] != queries_[kind_])) {
            free = &slot;
        }
    }
    return free;
}

Status PageCache::copy_within_page(const memory::Reader& reader, Address from, void* to, std::size_t bytes) noexcept {
    const std::uint64_t offset = from.value() % kPageBytes;
    if (bytes > kPageBytes - offset) {
        return Status::invalid_argument;
    }
    const std::uint64_t page = from.value() - offset;
    Slot* const place = find_slot(page);
    if (place == nullptr) {
        has_read_past_ = true;
        return reader.try_read(from, to, bytes);
    }
    Slot& slot = *place;
    if (!is_current(slot) || slot.page != page) {
        slot.generation = 0;
        slot.touched = {};
        slot.lines = 0;
        // race: the runtime publishes code versions and code addresses while their page is copied
        // window: from this copy to the query's last one; within a query every later read of the page sees the same copy
        // harmless because: each word goes from 0 to its value once and callers match whole addresses; a "no" counts only of memory that is still
        // test: a_query_sees_memory_that_changed_before_it_and_keeps_what_it_saw, a_no_of_changing_memory_is_asked_again
        const Status status = reader.try_read(Address(page), slot.bytes.data(), kPageBytes);
        if (status != Status::ok) {
            return status;
        }
        ++pages_read_;
        slot.page = page;
        slot.generation = generation_;
    }
    slot.touched[kind_] = queries_[kind_];
    if (bytes > 0) {
        const std::size_t first = offset / kLineBytes;
        const std::size_t last = (offset + bytes - 1) / kLineBytes;
        slot.lines |= (~std::uint64_t{0} >> (63 - (last - first))) << first;
    }
    std::memcpy(to, slot.bytes.data() + offset, bytes);
    return Status::ok;
}

bool PageCache::is_still(const memory::Reader& reader) const noexcept {
    std::array<unsigned char, kPageBytes> now;
    for (const Slot& slot : slots_) {
        if (!is_current(slot) || slot.lines == 0) {
            continue;
        }
        if (reader.try_read(Address(slot.page), now.data(), kPageBytes) != Status::ok) {
            return false;
        }
        for (std::size_t line = 0; line < kPageBytes / kLineBytes; ++line) {
            const std::size_t at = line * kLineBytes;
            if ((slot.lines >> line & 1) != 0 && std::memcmp(slot.bytes.data() + at, now.data() + at, kLineBytes) != 0) {
                return false;
            }
        }
    }
    return !has_read_past_;
}

}  // namespace tierup::clr
