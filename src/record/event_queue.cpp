// What     A log of records in chunks: reserve by one exchange of the cursor, copy, commit by storing the record's first word last.
// What not No lock anywhere.
// Threads  Every order stronger than relaxed names its partner.
// Failure  A reader that meets a record not committed yet stops before it: its writer is inside a runtime callback.
#include "record/event_queue.h"

#include <algorithm>
#include <cstring>

#include "os/clock.h"

namespace tierup::record {

namespace {

/// The first word of a record: size, kind, tier, name units. Zero until it is committed; the reader makes it zero again.
constexpr std::size_t kFirstWordBytes = sizeof(std::uint64_t);
static_assert(offsetof(TieringEvent, sequence) == kFirstWordBytes);

/// The kind of what fills a chunk whose rest is too short for a record. No tierup_event_kind.
constexpr auto kPadding = static_cast<TieringEventKind>(0xFF);

constexpr std::uint32_t units_of(std::uint32_t bytes) noexcept {
    return bytes / kUnitBytes;
}

std::byte* place(std::byte* chunk, std::uint64_t position) noexcept {
    return chunk + position % kChunkUnits * kUnitBytes;
}

std::uint64_t first_word_of(const TieringEvent& event) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, &event, kFirstWordBytes);
    return word;
}

std::atomic_ref<std::uint64_t> first_word_at(std::byte* record) noexcept {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(record));
}

/// Null where nothing is committed.
bool try_read_head(std::byte* record, TieringEvent& head) noexcept {
    const std::uint64_t word = first_word_at(record).load(std::memory_order_acquire);  // partner: commit
    std::memcpy(static_cast<void*>(&head), &word, kFirstWordBytes);
    return word != 0;
}

/// All of the event but its first word, then its texts, then the word.
void commit(std::byte* record, const TieringEvent& event, const MeasuredNames& names) noexcept {
    std::memcpy(record + kFirstWordBytes, reinterpret_cast<const std::byte*>(&event) + kFirstWordBytes, kEventBytes - kFirstWordBytes);
    copy_names(names, record + kEventBytes);
    first_word_at(record).store(first_word_of(event), std::memory_order_release);  // partner: try_read_head
}

TieringEvent gap_of(std::uint32_t lost, std::uint64_t time_ns, std::uint32_t thread) noexcept {
    TieringEvent gap;
    gap.size = kEventBytes;
    gap.kind = TieringEventKind::gap;
    gap.time_ns = time_ns;
    gap.thread = thread;
    gap.count = lost;
    gap.flags = lost == kMaxLost ? kEventCountIsAtLeast : 0;
    return gap;
}

}  // namespace

/// What a successful exchange of the cursor made one writer's own.
struct EventQueue::Reservation {
    std::byte* chunk = nullptr;
    std::uint64_t begin = 0;  ///< Of the gap record if `lost` is not 0, else of the event.
    std::uint32_t lost = 0;
};

Status EventQueue::open(PageSource& pages, std::uint64_t capacity_bytes) noexcept {
    const Status status = chunks_.open(pages, first_position_);
    if (status != Status::ok) {
        return status;
    }
    const std::uint64_t bounded_units = std::max(capacity_bytes, kSmallestCapacityBytes) / kUnitBytes;
    capacity_units_ = capacity_bytes == 0 ? kMaxUnreadUnits : std::min(bounded_units, kMaxUnreadUnits);
    sequence_ = 0;
    read_position_.store(first_position_, std::memory_order_relaxed);
    cursor_.store(Cursor{first_position_, 0}.word(), std::memory_order_relaxed);
    return Status::ok;
}

void EventQueue::close() noexcept {
    chunks_.close();
}

bool EventQueue::has_room(const Cursor& cursor, std::uint64_t units) const noexcept {
    const std::uint64_t read = read_position_.load(std::memory_order_acquire);  // partner: advance; the slots behind it are empty
    // Race: the cursor is older than the read position. Window: between the two loads. Harmless because the distance is then enormous (modulo
    // 2^34), there seems to be no room, and the exchange of an old cursor fails. Test: EventQueueStress.in_a_bounded_queue_seen_and_missing_make_up_all_written
    return units_between(read, cursor.position) + units <= capacity_units_;
}

bool EventQueue::reserve(std::uint32_t bytes, Reservation& reservation) noexcept {
    std::uint64_t word = cursor_.load(std::memory_order_acquire);  // partner: the exchange below, by who put the chunk there
    for (;;) {
        const Cursor cursor = Cursor::of_word(word);
        const std::uint64_t units = units_of(bytes) + (cursor.lost != 0 ? units_of(kEventBytes) : 0);
        const std::uint64_t rest_units = kChunkUnits - cursor.position % kChunkUnits;
        const std::uint64_t padding_units = rest_units < units ? rest_units : 0;
        const std::uint64_t begin = advanced(cursor.position, padding_units);
        std::byte* chunk = has_room(cursor, units) ? chunks_.find_or_map(begin) : nullptr;
        const Cursor next = chunk != nullptr ? Cursor{advanced(begin, units), 0} : cursor.with_one_more_lost();
        // release: to the reader's load in find_next; acquire: as the load above
        if (!cursor_.compare_exchange_weak(word, next.word(), std::memory_order_acq_rel, std::memory_order_acquire)) {
            continue;
        }
        if (chunk == nullptr) {
            return false;
        }
        if (padding_units != 0) {
            TieringEvent padding;
            padding.size = static_cast<std::uint32_t>(padding_units * kUnitBytes);
            padding.kind = kPadding;
            std::byte* at = place(chunks_.find(cursor.position), cursor.position);
            first_word_at(at).store(first_word_of(padding), std::memory_order_release);  // partner: try_read_head
        }
        reservation = {chunk, begin, cursor.lost};
        return true;
    }
}

bool EventQueue::write(const TieringEvent& event, const EventNames* names) noexcept {
    const MeasuredNames measured = measure_names(names);
    TieringEvent record = event;
    record.size = event_bytes(measured.units);
    record.name_units = measured.units;
    record.flags |= measured.is_cut ? kEventNamesCut : 0;
    Reservation reservation;
    if (!reserve(record.size, reservation)) {
        return false;
    }
    std::byte* at = place(reservation.chunk, reservation.begin);
    if (reservation.lost != 0) {
        commit(at, gap_of(reservation.lost, event.time_ns, event.thread), {});
        at += kEventBytes;
    }
    commit(at, record, measured);
    return true;
}

EventQueue::Next EventQueue::find_next(std::uint32_t& bytes) noexcept {
    for (;;) {
        const Cursor cursor = Cursor::of_word(cursor_.load(std::memory_order_acquire));  // partner: the exchange in reserve
        const std::uint64_t position = own_read_position();
        if (cursor.position == position) {
            bytes = kEventBytes;
            return cursor.lost != 0 ? Next::gap : Next::none;
        }
        std::byte* record = place(chunks_.find(position), position);
        TieringEvent head;
        if (!try_read_head(record, head)) {
            return Next::none;
        }
        bytes = head.size;
        if (head.kind != kPadding) {
            return Next::record;
        }
        std::memset(record, 0, kFirstWordBytes);
        advance(units_of(head.size));
    }
}

void EventQueue::copy_record(std::byte* to, std::uint32_t bytes) noexcept {
    const std::uint64_t position = own_read_position();
    std::byte* record = place(chunks_.find(position), position);
    std::memcpy(to, record, bytes);
    std::memset(record, 0, bytes);
    TieringEvent event;
    std::memcpy(&event, to, kEventBytes);
    sequence_ += event.kind == TieringEventKind::gap ? event.count : 1;
    std::memcpy(to + offsetof(TieringEvent, sequence), &sequence_, sizeof sequence_);
    advance(units_of(bytes));
}

/// The reader has read all, and after that events were lost: nobody wrote a gap record, so the reader makes it. False: a writer did meanwhile.
bool EventQueue::try_tell_gap(std::byte* to) noexcept {
    std::uint64_t word = cursor_.load(std::memory_order_relaxed);
    const Cursor cursor = Cursor::of_word(word);
    // release keeps the chain from the writer before to who loads this word in reserve
    if (cursor.position != own_read_position() || cursor.lost == 0 ||
        !cursor_.compare_exchange_strong(word, Cursor{cursor.position, 0}.word(), std::memory_order_acq_rel, std::memory_order_relaxed)) {
        return false;
    }
    TieringEvent gap = gap_of(cursor.lost, os::monotonic_now_ns(), 0);
    sequence_ += cursor.lost;
    gap.sequence = sequence_;
    std::memcpy(to, &gap, kEventBytes);
    return true;
}

void EventQueue::advance(std::uint64_t units) noexcept {
    const std::uint64_t position = own_read_position();
    const std::uint64_t next = advanced(position, units);
    if (next % kChunkUnits == 0) {
        chunks_.retire(position);
    }
    read_position_.store(next, std::memory_order_release);  // partner: has_room
}

Status EventQueue::read(std::span<std::byte> buffer, std::size_t& bytes) noexcept {
    bytes = 0;
    chunks_.prepare_spares();
    std::uint32_t next_bytes = 0;
    for (Next next = find_next(next_bytes); next != Next::none; next = find_next(next_bytes)) {
        if (next_bytes > buffer.size() - bytes) {
            if (bytes != 0) {
                return Status::ok;
            }
            bytes = next_bytes;
            return Status::exhausted;
        }
        if (next == Next::record) {
            copy_record(buffer.data() + bytes, next_bytes);
        } else if (!try_tell_gap(buffer.data() + bytes)) {
            continue;
        }
        bytes += next_bytes;
    }
    return Status::ok;
}

bool EventQueue::has_data() const noexcept {
    const Cursor cursor = Cursor::of_word(cursor_.load(std::memory_order_acquire));  // partner: the exchange in reserve
    std::uint64_t position = own_read_position();
    if (cursor.position == position) {
        return cursor.lost != 0;
    }
    TieringEvent head;
    if (!try_read_head(place(chunks_.find(position), position), head)) {
        return false;
    }
    if (head.kind != kPadding) {
        return true;
    }
    position = advanced(position, units_of(head.size));
    return try_read_head(place(chunks_.find(position), position), head);
}

}  // namespace tierup::record
