// What     PendingCompletions over a call counting manager built in this process's memory.
// Source   The image: layout_counting_manager_test.cpp; the ways of the runtime: dotnet/runtime src/coreclr/vm/callcounting.cpp.
#include "runtime/pending_completions.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "memory/kernel_reader.h"
#include "memory/testing/faulty_reader.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::layout::CountingRecord;
using tierup::layout::kCellInRecord;
using tierup::layout::RecordArray;
using tierup::layout::RecordHash;
using tierup::memory::KernelReader;
using tierup::memory::testing::FaultyReader;
using tierup::runtime::PendingCompletion;
using tierup::runtime::PendingCompletions;

constexpr std::uint64_t kMethod = 0x7f00'1000;
constexpr std::uint64_t kNode = 0x7f00'2000;

struct Manager {
    RecordHash hash;
    std::array<std::uint64_t, 38> stubs{};
    RecordArray pending;
    std::array<std::uint64_t, 120> behind{};
};

template <typename Object>
Address address_of(const Object& object) {
    return Address(reinterpret_cast<std::uint64_t>(&object));
}

class PendingCompletionsTest : public testing::Test {
protected:
    PendingCompletionsTest() : reader_(kernel_) {
        EXPECT_EQ(kernel_.open(), Status::ok);
        variables_[77] = address_of(manager_).value();
        for (std::size_t i = 0; i < records_.size(); ++i) {
            records_[i].version_kind = i % 2 == 0 ? 2 : 1;
            records_[i].version = (i % 2 == 0 ? kMethod : kNode) + i * 0x20;
            records_[i].stage = 1;
            table_[i * 2 + 1] = address_of(records_[i]).value();
        }
        manager_.hash = {address_of(table_).value(), 31, 8, 8, 23};
        manager_.pending = {0, 512, 8, 0, address_of(buffer_).value()};
    }

    void open() { ASSERT_EQ(pending_.open(reader_, address_of(variables_), sizeof variables_), Status::ok); }
    Address cell(std::size_t record) const { return address_of(records_[record]).plus(kCellInRecord); }
    void append(std::size_t record) {
        buffer_[manager_.pending.count()] = address_of(records_[record]).value();
        manager_.pending.size_bytes += 8;
        records_[record].stage = 2;
    }
    void locate() {
        open();
        append(0);
        ASSERT_EQ(pending_.offer_cell(cell(0)), Status::ok);
    }
    Status list() { return pending_.list(items_, count_); }

    KernelReader kernel_;
    FaultyReader reader_;
    std::array<std::uint64_t, 512> variables_{};
    Manager manager_;
    std::array<std::uint64_t, 31> table_{};
    std::array<std::uint64_t, 64> buffer_{};
    std::array<CountingRecord, 8> records_{};
    PendingCompletions pending_;
    std::array<PendingCompletion, 4> items_{};
    std::uint32_t count_ = 99;
};

TEST_F(PendingCompletionsTest, is_not_known_until_a_record_that_waits_was_offered) {
    EXPECT_EQ(pending_.offer_cell(cell(0)), Status::unsupported);
    open();
    EXPECT_FALSE(pending_.count().is_known);
    EXPECT_EQ(list(), Status::unsupported);
    EXPECT_EQ(pending_.offer_cell(cell(0)), Status::not_started);
    EXPECT_FALSE(pending_.count().is_known);
    EXPECT_STRNE(pending_.figures().reason, "");
    append(0);
    EXPECT_EQ(pending_.offer_cell(cell(0)), Status::ok);
    EXPECT_TRUE(pending_.count().is_known);
    EXPECT_STREQ(pending_.figures().reason, "");
    EXPECT_EQ(pending_.offer_cell(cell(1)), Status::ok) << "located before";
}

TEST_F(PendingCompletionsTest, is_found_by_a_probe_that_was_completed_meanwhile) {
    open();
    append(0);
    manager_.pending.size_bytes = 0;
    records_[0].stage = 3;
    EXPECT_EQ(pending_.offer_cell(cell(0)), Status::ok);
    EXPECT_EQ(pending_.count().count, 0u);
    EXPECT_TRUE(pending_.count().is_known);
}

TEST_F(PendingCompletionsTest, a_manager_that_is_never_found_is_searched_a_bounded_number_of_times) {
    variables_[77] = 0;
    open();
    Status status = Status::absent;
    int searches = 0;
    for (; status == Status::absent && searches < 100; ++searches) {
        status = pending_.offer_cell(cell(0));
    }
    EXPECT_EQ(status, Status::unsupported);
    EXPECT_EQ(searches, 9);
    EXPECT_NE(std::string(pending_.figures().reason).find("not found"), std::string::npos);
}

TEST_F(PendingCompletionsTest, counts_the_array_by_one_load) {
    locate();
    reader_.reset();
    EXPECT_EQ(pending_.count().count, 1u);
    append(1);
    append(2);
    EXPECT_EQ(pending_.count().count, 3u);
    manager_.pending.size_bytes = 0;
    EXPECT_EQ(pending_.count().count, 0u);
    EXPECT_EQ(reader_.read_count(), 0u);
    manager_.pending.size_bytes = 12;
    EXPECT_FALSE(pending_.count().is_known);
}

TEST_F(PendingCompletionsTest, lists_methods_and_nodes_in_their_order) {
    locate();
    append(3);
    append(2);
    ASSERT_EQ(list(), Status::ok);
    ASSERT_EQ(count_, 3u);
    EXPECT_EQ(items_[0].version, Address(kMethod));
    EXPECT_FALSE(items_[0].is_node);
    EXPECT_EQ(items_[0].cell, cell(0));
    EXPECT_EQ(items_[1].version, Address(kNode + 3 * 0x20));
    EXPECT_TRUE(items_[1].is_node);
    EXPECT_EQ(items_[2].version, Address(kMethod + 2 * 0x20));
}

TEST_F(PendingCompletionsTest, tells_how_many_there_are_beyond_the_room) {
    locate();
    for (std::size_t i = 1; i < records_.size(); ++i) {
        append(i);
    }
    ASSERT_EQ(list(), Status::ok);
    EXPECT_EQ(count_, 8u);
    EXPECT_EQ(items_[3].cell, cell(3));
}

TEST_F(PendingCompletionsTest, leaves_out_what_was_just_completed) {
    locate();
    append(1);
    records_[0].stage = 3;
    ASSERT_EQ(list(), Status::ok);
    EXPECT_EQ(count_, 1u);
    EXPECT_EQ(items_[0].cell, cell(1));
}

TEST_F(PendingCompletionsTest, a_list_that_changes_while_it_is_copied_is_copied_again) {
    locate();
    append(1);
    bool is_cleared = false;
    reader_.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (!is_cleared && from == address_of(records_[1])) {
            is_cleared = true;  // completed, cleared, and one that comes later stands in the first place
            records_[0].stage = 3;
            manager_.pending.size_bytes = 0;
            append(4);
        }
    });
    ASSERT_EQ(list(), Status::ok);
    EXPECT_TRUE(is_cleared);
    ASSERT_EQ(count_, 1u);
    EXPECT_EQ(items_[0].cell, cell(4));
}

TEST_F(PendingCompletionsTest, content_that_changes_under_the_same_header_is_copied_again) {
    locate();
    bool is_replaced = false;
    reader_.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (!is_replaced && from == address_of(records_[0])) {
            is_replaced = true;
            buffer_[0] = address_of(records_[6]).value();
            records_[6].stage = 2;
        }
    });
    ASSERT_EQ(list(), Status::ok);
    ASSERT_EQ(count_, 1u);
    EXPECT_EQ(items_[0].cell, cell(6));
}

TEST_F(PendingCompletionsTest, a_list_that_changes_each_time_is_unknown_and_empty) {
    locate();
    reader_.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == address_of(records_[0])) {
            manager_.pending.size_bytes += 8;
            buffer_[manager_.pending.count() - 1] = address_of(records_[0]).value();
        }
    });
    EXPECT_EQ(list(), Status::unknown);
    EXPECT_EQ(count_, 0u);
    EXPECT_TRUE(pending_.is_located());
}

TEST_F(PendingCompletionsTest, a_record_that_was_freed_or_is_none_is_never_listed) {
    locate();
    for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{0xDEAD'0000}, address_of(variables_).value()}) {
        buffer_[0] = bad;
        EXPECT_EQ(list(), Status::unknown) << bad;
    }
    buffer_[0] = address_of(records_[5]).value();  // still counting
    EXPECT_EQ(list(), Status::unknown);
    records_[5].stage = 2;
    EXPECT_EQ(list(), Status::ok);
    records_[5].version_kind = 0;  // freed, and used for something else
    EXPECT_EQ(list(), Status::unknown);
}

TEST_F(PendingCompletionsTest, a_manager_that_fits_no_longer_is_disabled) {
    locate();
    manager_.pending.flags = 0;
    EXPECT_EQ(list(), Status::unknown);
    EXPECT_TRUE(pending_.is_located()) << "the hash still fits";
    manager_.hash.most = 7;
    EXPECT_EQ(list(), Status::unknown);
    EXPECT_FALSE(pending_.is_located());
    EXPECT_FALSE(pending_.count().is_known);
    EXPECT_EQ(pending_.offer_cell(cell(0)), Status::unsupported);
    EXPECT_NE(std::string(pending_.figures().reason).find("did not fit"), std::string::npos);
}

TEST_F(PendingCompletionsTest, each_read_that_fails_gives_the_right_list_or_none) {
    locate();
    append(1);
    reader_.reset();
    ASSERT_EQ(list(), Status::ok);
    const std::uint64_t reads = reader_.read_count();
    for (std::uint64_t number = 1; number <= reads; ++number) {
        PendingCompletions fresh;
        reader_.reset();
        ASSERT_EQ(fresh.open(reader_, address_of(variables_), sizeof variables_), Status::ok);
        ASSERT_EQ(fresh.offer_cell(cell(0)), Status::ok);
        reader_.reset();
        reader_.fail_read(number);
        count_ = 99;
        const Status status = fresh.list(items_, count_);
        EXPECT_TRUE(reader_.was_fault_reached());
        EXPECT_EQ(count_, status == Status::ok ? 2u : 0u) << number;
    }
}

TEST_F(PendingCompletionsTest, each_read_that_fails_while_it_is_located_gives_the_right_place_or_none) {
    append(0);
    for (std::uint64_t number = 1;; ++number) {
        PendingCompletions fresh;
        reader_.reset();
        reader_.fail_read(number);
        ASSERT_EQ(fresh.open(reader_, address_of(variables_), sizeof variables_), Status::ok);
        const Status status = fresh.offer_cell(cell(0));
        EXPECT_EQ(fresh.count().is_known, status == Status::ok);
        if (status == Status::ok) {
            EXPECT_EQ(fresh.figures().hash, address_of(manager_));
            EXPECT_EQ(fresh.count().count, 1u);
        }
        if (!reader_.was_fault_reached()) {
            EXPECT_EQ(status, Status::ok);
            break;
        }
    }
}

}  // namespace
