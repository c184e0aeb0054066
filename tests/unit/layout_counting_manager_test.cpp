// What     The search for the call counting manager over built memory images, and what it must reject.
// Source   The image: CallCountingManager as dumped from 10.0.15 and 11.0.0 (hash at +0 and +8, max = 3/4 size, array 0x148 and 0x188 behind it).
#include "layout/counting_manager_search.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "memory/testing/buffer_reader.h"
#include "memory/testing/faulty_reader.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::layout::CountingRecord;
using tierup::layout::kCellInRecord;
using tierup::layout::RecordArray;
using tierup::layout::RecordHash;
using tierup::layout::search_record_array;
using tierup::layout::search_record_hash;
using tierup::memory::testing::BufferReader;
using tierup::memory::testing::FaultyReader;

constexpr Address kRange(0x10000);
constexpr std::uint32_t kRangeBytes = 0x2000;
constexpr Address kManager(0x40000);
constexpr Address kTable(0x50000);
constexpr Address kBuffer(0x60000);
constexpr Address kRecord(0x70000);
constexpr Address kCell = kRecord.plus(kCellInRecord);
constexpr std::uint32_t kTableSize = 521;
constexpr std::uint32_t kArrayOffset = 0x148;

class CountingManagerTest : public testing::Test {
protected:
    CountingManagerTest() {
        fill(kRange, kRangeBytes);
        fill(kManager, 0x600);
        fill(kTable, kTableSize * 8);
        fill(kBuffer, 512);
        memory_.add_value(kRange.plus(0x7c8), kManager.value());
        memory_.add_value(kRange.plus(0x7d0), kBuffer.value());
        memory_.add_value(kRange.plus(0x18), std::uint64_t{0x123456});  // not an object's address
        put_hash(kManager, hash_);
        memory_.add_value(kTable.plus(111 * 8), kRecord.value());
        put_record(kRecord, 1);
        put_array(kArrayOffset, {0, 512, 8, 0, kBuffer.value()});
    }

    void fill(Address at, std::uint32_t bytes) { memory_.add(at, std::vector<std::uint8_t>(bytes, 0)); }
    void put_hash(Address at, const RecordHash& hash) { memory_.add_value(at, hash); }
    void put_array(std::uint32_t offset, const RecordArray& array) { memory_.add_value(kManager.plus(offset), array); }
    void put_record(Address at, std::uint8_t stage, std::uint32_t kind = 2, std::uint64_t version = 0x7f00'1000) {
        CountingRecord record;
        record.version_kind = kind;
        record.padding = 0x7ef1;  // seen on 11.0.0: the half of the word behind the kind holds anything
        record.version = version;
        record.stub = 0x7f00'2000;
        record.remaining_calls = 30;
        record.stage = stage;
        memory_.add_value(at, record);
    }
    Status find_hash() { return search_record_hash(memory_, kRange, kRangeBytes, kCell, found_); }
    Status find_array() { return search_record_array(memory_, kManager, kCell, array_offset_); }

    BufferReader memory_;
    RecordHash hash_{kTable.value(), kTableSize, 340, 340, 390};
    Address found_;
    std::uint32_t array_offset_ = 0;
};

TEST_F(CountingManagerTest, finds_the_hash_at_the_managers_beginning) {
    ASSERT_EQ(find_hash(), Status::ok);
    EXPECT_EQ(found_, kManager);
}

TEST_F(CountingManagerTest, finds_the_hash_behind_the_managers_first_word) {
    put_hash(kManager, {});
    put_hash(kManager.plus(8), hash_);
    ASSERT_EQ(find_hash(), Status::ok);
    EXPECT_EQ(found_, kManager.plus(8));
}

TEST_F(CountingManagerTest, two_pointers_to_the_same_manager_are_one) {
    memory_.add_value(kRange.plus(0x1ff8), kManager.value());
    EXPECT_EQ(find_hash(), Status::ok);
}

TEST_F(CountingManagerTest, two_tables_with_the_record_are_one_too_many) {
    const Address other(0x80000);
    fill(other, 0x100);
    put_hash(other, hash_);
    memory_.add_value(kRange.plus(0x100), other.value());
    EXPECT_EQ(find_hash(), Status::unknown);
    EXPECT_TRUE(found_.is_null());
}

TEST_F(CountingManagerTest, a_hash_whose_equations_do_not_hold_is_rejected) {
    const RecordHash good = hash_;
    const auto rejects = [&](const char* what) {
        put_hash(kManager, hash_);
        EXPECT_EQ(find_hash(), Status::absent) << what;
        hash_ = good;
    };
    hash_.occupied = hash_.count - 1;
    rejects("occupied below count");
    hash_.most = hash_.occupied - 1;
    rejects("occupied above most");
    hash_.most = 391;
    rejects("most is not 3/4 of the size");
    hash_.size = 5;
    rejects("smaller than the smallest table");
    hash_.size = 0x8000'0000;
    rejects("larger than any table");
    hash_.table += 4;
    rejects("table is not an object's");
    hash_.table = 0xDEAD'0000;
    rejects("table can't be read");
}

TEST_F(CountingManagerTest, a_hash_without_the_record_is_absent) {
    memory_.add_value(kTable.plus(111 * 8), kRecord.value() + 64);
    EXPECT_EQ(find_hash(), Status::absent);
}

TEST_F(CountingManagerTest, the_record_in_the_last_place_of_the_table_is_found) {
    memory_.add_value(kTable.plus(111 * 8), std::uint64_t{0});
    memory_.add_value(kTable.plus((kTableSize - 1) * 8), kRecord.value());
    EXPECT_EQ(find_hash(), Status::ok);
}

TEST_F(CountingManagerTest, a_cell_that_is_in_no_record_is_unknown) {
    for (const std::uint32_t kind : {0u, 3u, 0x100u}) {
        put_record(kRecord, 1, kind);
        EXPECT_EQ(find_hash(), Status::unknown) << kind;
    }
    put_record(kRecord, 4);
    EXPECT_EQ(find_hash(), Status::unknown);
    put_record(kRecord, 1, 2, 0x7f00'1001);
    EXPECT_EQ(find_hash(), Status::unknown);
    put_record(kRecord, 1);
    EXPECT_EQ(search_record_hash(memory_, kRange, kRangeBytes, kCell.plus(1), found_), Status::unknown);
    EXPECT_EQ(search_record_hash(memory_, kRange, kRangeBytes, Address(), found_), Status::unknown);
    EXPECT_EQ(search_record_hash(memory_, kRange, kRangeBytes, Address(0x9'0000'0018), found_), Status::faulted);
}

TEST_F(CountingManagerTest, a_range_that_can_not_be_read_or_is_none_is_said_so) {
    memory_.remove(kRange.plus(0x1000), 8);
    EXPECT_EQ(find_hash(), Status::faulted);
    EXPECT_EQ(search_record_hash(memory_, kRange.plus(4), 8, kCell, found_), Status::invalid_argument);
    EXPECT_EQ(search_record_hash(memory_, kRange, 0x7FFF'FFF8, kCell, found_), Status::invalid_argument);
}

TEST_F(CountingManagerTest, a_table_that_is_replaced_while_it_is_searched_is_absent) {
    FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == kTable) {
            memory_.remove(kTable, kTableSize * 8);
        }
    });
    EXPECT_EQ(search_record_hash(reader, kRange, kRangeBytes, kCell, found_), Status::absent);
    EXPECT_TRUE(found_.is_null());
}

TEST_F(CountingManagerTest, each_read_that_fails_leaves_the_hash_unfound_never_wrong) {
    for (std::uint64_t number = 1;; ++number) {
        FaultyReader reader(memory_);
        reader.fail_read(number);
        found_ = Address();
        const Status status = search_record_hash(reader, kRange, kRangeBytes, kCell, found_);
        if (!reader.was_fault_reached()) {
            EXPECT_EQ(status, Status::ok);
            EXPECT_GT(number, 5u);
            break;
        }
        EXPECT_TRUE(status != Status::ok || found_ == kManager) << number;
        EXPECT_EQ(status == Status::ok, !found_.is_null()) << number;
    }
}

TEST_F(CountingManagerTest, the_array_is_found_by_a_record_that_waits_in_it) {
    put_record(kRecord, 2);
    put_array(kArrayOffset, {16, 18, 8, 0x55aa, kBuffer.value()});  // grown by half of 12: not whole pointers
    memory_.add_value(kBuffer.plus(8), kRecord.value());
    ASSERT_EQ(find_array(), Status::ok);
    EXPECT_EQ(array_offset_, kArrayOffset);
}

TEST_F(CountingManagerTest, the_array_is_found_by_what_a_completed_record_left_in_it) {
    put_record(kRecord, 3);
    memory_.add_value(kBuffer.plus(16), kRecord.value());
    ASSERT_EQ(find_array(), Status::ok);
    EXPECT_EQ(array_offset_, kArrayOffset);
}

TEST_F(CountingManagerTest, a_record_that_still_counts_finds_no_array) {
    memory_.add_value(kBuffer, kRecord.value());
    EXPECT_EQ(find_array(), Status::not_started);
}

TEST_F(CountingManagerTest, left_over_content_does_not_count_for_a_waiting_record) {
    put_record(kRecord, 2);
    memory_.add_value(kBuffer, kRecord.value());  // size is 0
    EXPECT_EQ(find_array(), Status::absent);
}

TEST_F(CountingManagerTest, two_arrays_with_the_record_are_one_too_many) {
    put_record(kRecord, 2);
    memory_.add_value(kBuffer, kRecord.value());
    put_array(kArrayOffset, {8, 512, 8, 0, kBuffer.value()});
    put_array(0x60, {8, 512, 8, 0, kBuffer.value()});
    EXPECT_EQ(find_array(), Status::unknown);
    EXPECT_EQ(array_offset_, 0u);
}

TEST_F(CountingManagerTest, an_array_whose_equations_do_not_hold_is_rejected) {
    put_record(kRecord, 2);
    memory_.add_value(kBuffer, kRecord.value());
    const RecordArray bad[] = {
        {16, 8, 8, 0, kBuffer.value()},    // size above allocated
        {12, 512, 8, 0, kBuffer.value()},  // not whole pointers
        {8, 512, 0, 0, kBuffer.value()},   // not flagged as allocated
        {8, 512, 9, 0, kBuffer.value()},   // a string's flag
        {8, 512, 8, 0, kBuffer.value() + 1}, {8, 512, 8, 0, 0xDEAD'0000},
    };
    for (const RecordArray& array : bad) {
        put_array(kArrayOffset, array);
        EXPECT_EQ(find_array(), Status::absent) << array.size_bytes << " " << array.flags;
    }
}

TEST_F(CountingManagerTest, the_search_for_the_array_ends_with_readable_memory) {
    put_record(kRecord, 2);
    memory_.remove(kManager.plus(0x100), 0x500);
    EXPECT_EQ(find_array(), Status::absent);
}

}  // namespace
