// What     The two searches of counting_manager_search.h.
// What not See there.
#include "layout/counting_manager_search.h"

#include <algorithm>
#include <array>
#include <span>

#include "layout/foreign_pointer.h"

namespace tierup::layout {

namespace {

constexpr std::uint32_t kSmallestTable = 7;       // DefaultSHashTraits::s_minimum_allocation, inc/shash.h
constexpr std::uint32_t kArrayIsAllocated = 0x8;  // SBuffer: ALLOCATED, inc/sbuffer.h; the smaller bits are a string's
constexpr std::uint32_t kArrayFlags = 0xF;

constexpr std::uint32_t kWordsPerCopy = 512;  // bounds our stack
using Words = std::array<std::uint64_t, kWordsPerCopy>;

/// absent: `wanted` is not among the `count` words.
Status find_word(const memory::Reader& reader, Address at, std::uint32_t count, std::uint64_t wanted) noexcept {
    Words words;
    for (std::uint32_t done = 0; done < count;) {
        const std::uint32_t step = std::min(count - done, kWordsPerCopy);
        if (const Status status = reader.try_read(at.plus(std::int64_t{done} * 8), words.data(), std::size_t{step} * 8);
            status != Status::ok) {
            return status;
        }
        if (std::find(words.begin(), words.begin() + step, wanted) != words.begin() + step) {
            return Status::ok;
        }
        done += step;
    }
    return Status::absent;
}

/// The hash table in the object at `object` that holds the record; null: none.
Address hash_in(const memory::Reader& reader, Address object, std::uint64_t record) noexcept {
    std::array<std::uint8_t, kMaxHashOffset + sizeof(RecordHash)> bytes;
    if (reader.try_read(object, bytes.data(), bytes.size()) != Status::ok) {
        return {};  // the manager is larger than this
    }
    for (std::uint32_t offset = 0; offset <= kMaxHashOffset; offset += 8) {
        RecordHash hash;
        __builtin_memcpy(&hash, bytes.data() + offset, sizeof hash);
        if (hash.fits() && find_word(reader, Address(hash.table), hash.size, record) == Status::ok) {
            return object.plus(offset);
        }
    }
    return {};
}

Status read_record(const memory::Reader& reader, Address cell, CountingRecord& record) noexcept {
    if (cell.value() < kFirstAddress || !is_object_pointer(cell.value() - kCellInRecord)) {
        return Status::unknown;
    }
    if (const Status status = reader.try_read_value(cell.plus(-std::int64_t{kCellInRecord}), record); status != Status::ok) {
        return status;
    }
    return record.fits() ? Status::ok : Status::unknown;
}

}  // namespace

bool CountingRecord::fits() const noexcept {
    return (version_kind == kVersionIsNode || version_kind == kVersionIsMethod) && is_object_pointer(version) &&
           (stub == 0 || is_object_pointer(stub)) && stage <= kStageComplete;
}

bool RecordHash::fits() const noexcept {
    return is_object_pointer(table) && size >= kSmallestTable && size <= kMaxHashSize && count <= occupied && occupied <= most &&
           most == std::uint64_t{size} * 3 / 4;  // s_density_factor, inc/shash.h
}

bool RecordArray::fits() const noexcept {
    if (size_bytes > allocated_bytes || size_bytes % 8 != 0 || size_bytes / 8 > kMaxPendingRecords) {
        return false;
    }
    return allocated_bytes == 0 || (is_object_pointer(buffer) && (flags & kArrayFlags) == kArrayIsAllocated);
}

// Race: the runtime adds a record and puts a larger table in place of the one that is being searched. Window: a copy of some kilobytes.
// Harmless because the copies are checked; a table that is missed is absent, a freed one that still holds the record names the same hash.
// Test: a_table_that_is_replaced_while_it_is_searched_is_absent (tests/unit/layout_counting_manager_test.cpp).
Status search_record_hash(const memory::Reader& reader, Address range, std::uint32_t range_bytes, Address cell, Address& hash) noexcept {
    if (range_bytes > kMaxManagerRangeBytes || range.value() % 8 != 0) {
        return Status::invalid_argument;
    }
    CountingRecord record;
    if (const Status status = read_record(reader, cell, record); status != Status::ok) {
        return status;
    }
    const std::uint64_t wanted = cell.value() - kCellInRecord;
    Address found;
    std::uint64_t last = 0;
    Words words;
    const std::uint32_t count = range_bytes / 8;
    for (std::uint32_t done = 0; done < count;) {
        const std::uint32_t step = std::min(count - done, kWordsPerCopy);
        if (const Status status = reader.try_read(range.plus(std::int64_t{done} * 8), words.data(), std::size_t{step} * 8);
            status != Status::ok) {
            return status;
        }
        for (const std::uint64_t word : std::span(words).first(step)) {
            if (!is_object_pointer(word) || word == last) {
                continue;
            }
            last = word;
            const Address at = hash_in(reader, Address(word), wanted);
            if (at.is_null() || at == found) {
                continue;
            }
            if (!found.is_null()) {
                return Status::unknown;
            }
            found = at;
        }
        done += step;
    }
    if (found.is_null()) {
        return Status::absent;
    }
    hash = found;
    return Status::ok;
}

Status search_record_array(const memory::Reader& reader, Address hash, Address cell, std::uint32_t& array_offset) noexcept {
    CountingRecord record;
    if (const Status status = read_record(reader, cell, record); status != Status::ok) {
        return status;
    }
    if (record.stage < kStagePending) {
        return Status::not_started;
    }
    const std::uint64_t wanted = cell.value() - kCellInRecord;
    std::uint32_t found = 0;
    for (std::uint32_t offset = sizeof(RecordHash); offset <= kMaxArrayOffset; offset += 8) {
        RecordArray array;
        if (reader.try_read_value(hash.plus(offset), array) != Status::ok) {
            break;  // behind the manager
        }
        // At stage 2 the record is among the array's elements; at stage 3 perhaps in what the clearing left behind.
        const std::uint32_t words = record.stage == kStagePending ? array.count() : array.allocated_bytes / 8;
        if (array.allocated_bytes == 0 || !array.fits() || words > kMaxPendingRecords * 2 ||
            find_word(reader, Address(array.buffer), words, wanted) != Status::ok) {
            continue;
        }
        if (found != 0) {
            return Status::unknown;
        }
        found = offset;
    }
    if (found == 0) {
        return Status::absent;
    }
    array_offset = found;
    return Status::ok;
}

}  // namespace tierup::layout
