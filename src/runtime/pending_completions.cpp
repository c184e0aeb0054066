// What     Locating, counting and listing of pending_completions.h.
// What not See there.
#include "runtime/pending_completions.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "memory/plain_window.h"
#include "os/clock.h"

namespace tierup::runtime {

namespace {

constexpr std::uint32_t kTries = 3;
/// A search of all of libcoreclr's variables takes 6 to 20 ms, on a busy machine more.
constexpr std::uint32_t kMaxFailedSearches = 8;
constexpr std::uint32_t kRecordsPerCopy = 128;  // bounds our stack

bool is_same(const layout::RecordArray& one, const layout::RecordArray& other) noexcept {
    return one.size_bytes == other.size_bytes && one.allocated_bytes == other.allocated_bytes && one.buffer == other.buffer;
}

}  // namespace

Status PendingCompletions::open(const memory::Reader& reader, Address range, std::uint32_t range_bytes) noexcept {
    if (state_.load(std::memory_order_relaxed) != State::closed || range.is_null() || range.value() % 8 != 0 ||
        range_bytes > layout::kMaxManagerRangeBytes) {
        return Status::invalid_argument;
    }
    reader_ = &reader;
    range_ = range;
    range_bytes_ = range_bytes;
    set_state(State::searching);
    return Status::ok;
}

Status PendingCompletions::offer_cell(Address cell) noexcept {
    const State state = state_.load(std::memory_order_acquire);  // partner: set_state
    if (state != State::searching) {
        return state == State::located ? Status::ok : Status::unsupported;
    }
    if (is_searching_.exchange(true, std::memory_order_acquire)) {  // partner: the release below
        return Status::exhausted;
    }
    Status status = Status::ok;
    Address hash(hash_.load(std::memory_order_relaxed));  // only who searches writes it
    if (hash.is_null()) {
        const std::uint64_t began_ns = os::monotonic_now_ns();
        status = layout::search_record_hash(*reader_, range_, range_bytes_, cell, hash);
        const std::uint64_t took_ns = os::monotonic_now_ns() - began_ns;
        search_ns_.store(std::max(took_ns, search_ns_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
        if (status == Status::ok) {
            hash_.store(hash.value(), std::memory_order_relaxed);
        } else if (++failed_searches_ == kMaxFailedSearches) {
            set_state(State::disabled);
        }
    }
    if (status == Status::ok) {
        std::uint32_t array_offset = 0;
        status = layout::search_record_array(*reader_, hash, cell, array_offset);
        if (status == Status::ok && state_.load(std::memory_order_relaxed) == State::searching) {
            array_offset_ = array_offset;
            set_state(State::located);
        }
    }
    is_searching_.store(false, std::memory_order_release);  // partner: the exchange above
    return status;
}

// Race: the worker clears the array, or another thread appends. Window: one load.
// Harmless because the count is one aligned word: it was right a moment ago.
// Test: counts_the_array_by_one_load (tests/unit/pending_completions_test.cpp).
PendingCount PendingCompletions::count() const noexcept {
    if (!is_located()) {
        return {};
    }
    const Address at = Address(hash_.load(std::memory_order_relaxed)).plus(array_offset_);
    const auto size_bytes = memory::load_plain<std::uint32_t>(at.plus(offsetof(layout::RecordArray, size_bytes)));
    if (size_bytes % 8 != 0 || size_bytes / 8 > layout::kMaxPendingRecords) {
        return {};
    }
    return {size_bytes / 8, true};
}

Status PendingCompletions::read_array(layout::RecordArray& array) noexcept {
    const Address at = Address(hash_.load(std::memory_order_relaxed)).plus(array_offset_);
    for (std::uint32_t i = 0; i < kTries; ++i) {
        if (const Status status = reader_->try_read_value(at, array); status != Status::ok) {
            set_state(State::disabled);
            return status;
        }
        if (array.fits()) {
            return Status::ok;
        }
    }
    // The runtime sets its four fields one after the other; a copy can fall between, but hardly each time.
    layout::RecordHash hash;
    if (reader_->try_read_value(Address(hash_.load(std::memory_order_relaxed)), hash) != Status::ok || !hash.fits()) {
        set_state(State::disabled);
    }
    return Status::unknown;
}

Status PendingCompletions::list(std::span<PendingCompletion> items, std::uint32_t& count) noexcept {
    count = 0;
    if (!is_located()) {
        return Status::unsupported;
    }
    Status status = Status::unknown;
    for (std::uint32_t i = 0; i < kTries && status == Status::unknown && is_located(); ++i) {
        status = list_once(items, count);
    }
    return status;
}

// Race: the worker completes and clears the array while it is copied; records are deleted later, with the stubs. Window: the copies, microseconds.
// Harmless because copies are checked, each record must be at stage 2 (or 3: just completed, left out), and array and content must be the same afterwards:
// a record that stood in the array all the while was not deleted.
// Test: a_list_that_changes_while_it_is_copied_is_copied_again (tests/unit/pending_completions_test.cpp).
Status PendingCompletions::list_once(std::span<PendingCompletion> items, std::uint32_t& count) noexcept {
    layout::RecordArray array;
    if (const Status status = read_array(array); status != Status::ok) {
        return status;
    }
    std::uint32_t listed = 0;
    for (std::uint32_t done = 0; done < array.count();) {
        const std::uint32_t step = std::min(array.count() - done, kRecordsPerCopy);
        const Address from = Address(array.buffer).plus(std::int64_t{done} * 8);
        std::array<std::uint64_t, kRecordsPerCopy> records;
        std::array<std::uint64_t, kRecordsPerCopy> after;
        if (reader_->try_read(from, records.data(), std::size_t{step} * 8) != Status::ok) {
            return Status::unknown;
        }
        for (std::uint32_t i = 0; i < step; ++i) {
            layout::CountingRecord record;
            if (reader_->try_read_value(Address(records[i]), record) != Status::ok || !record.fits() ||
                record.stage < layout::kStagePending) {
                return Status::unknown;
            }
            if (record.stage != layout::kStagePending) {
                continue;
            }
            if (listed < items.size()) {
                items[listed] = {Address(record.version), record.version_kind == layout::kVersionIsNode,
                                 Address(records[i]).plus(layout::kCellInRecord)};
            }
            ++listed;
        }
        if (reader_->try_read(from, after.data(), std::size_t{step} * 8) != Status::ok ||
            !std::equal(records.begin(), records.begin() + step, after.begin())) {
            return Status::unknown;
        }
        done += step;
    }
    layout::RecordArray array_after;
    if (const Status status = read_array(array_after); status != Status::ok) {
        return status;
    }
    if (!is_same(array, array_after)) {
        return Status::unknown;
    }
    count = listed;
    return Status::ok;
}

PendingCompletionsFigures PendingCompletions::figures() const noexcept {
    PendingCompletionsFigures figures;
    const State state = state_.load(std::memory_order_acquire);  // partner: set_state
    figures.hash = Address(hash_.load(std::memory_order_relaxed));
    figures.search_ns = search_ns_.load(std::memory_order_relaxed);
    figures.array_offset = state == State::located ? array_offset_ : 0;
    switch (state) {
        case State::closed: figures.reason = "the runtime's variables were not found"; break;
        case State::searching:
            figures.reason =
                figures.hash.is_null() ? "the call counting manager was not found yet" : "no method was seen to reach its threshold yet";
            break;
        case State::located: break;
        case State::disabled:
            figures.reason =
                figures.hash.is_null() ? "the call counting manager was not found" : "the call counting manager's fields did not fit";
            break;
    }
    return figures;
}

}  // namespace tierup::runtime
