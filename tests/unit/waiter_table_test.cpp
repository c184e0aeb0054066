// What     The table of waits: ids that are never given twice, order of arrival, rounds while waiters come and go.
// What not No lock and no thread: watcher_stress_test.cpp.
// Threads  One.
#include "watch/waiter_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <vector>

#include "unit/watch_fakes.h"

namespace tierup::watch {
namespace {

class WaiterTableTest : public ::testing::Test {
protected:
    std::uint64_t add(std::uint64_t subject) {
        std::uint64_t id = 0;
        EXPECT_EQ(table_.try_add({subject, 0, nullptr, nullptr, 0}, resources_, id), Status::ok);
        return id;
    }

    std::vector<std::uint64_t> round() {
        std::vector<std::uint64_t> subjects;
        table_.begin_round();
        std::uint64_t id = 0;
        while (const Waiter* waiter = table_.next_in_round(id)) {
            EXPECT_EQ(table_.find(id), waiter);
            subjects.push_back(waiter->subject);
        }
        return subjects;
    }

    testing::FakeResources resources_;
    WaiterTable table_;
};

using Subjects = std::vector<std::uint64_t>;

TEST_F(WaiterTableTest, an_empty_table_finds_nothing) {
    EXPECT_EQ(table_.find(0), nullptr);
    EXPECT_EQ(table_.find(1ull << 32), nullptr);
    EXPECT_EQ(table_.find(UINT64_MAX), nullptr);
    EXPECT_TRUE(round().empty());
}

TEST_F(WaiterTableTest, a_round_meets_waiters_in_order_of_arrival) {
    add(1);
    const std::uint64_t second = add(2);
    add(3);
    table_.remove(second);
    add(4);  // takes the slot of the second, and its turn at the end
    EXPECT_EQ(round(), (Subjects{1, 3, 4}));
    EXPECT_EQ(table_.count(), 3u);
}

TEST_F(WaiterTableTest, an_id_is_not_found_after_its_slot_was_given_to_another) {
    const std::uint64_t first = add(1);
    table_.remove(first);
    const std::uint64_t second = add(2);
    EXPECT_EQ(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)) << "the slot is used again";
    EXPECT_NE(first, second);
    EXPECT_EQ(table_.find(first), nullptr);
    EXPECT_EQ(table_.find(second)->subject, 2u);
}

TEST_F(WaiterTableTest, a_slot_whose_generations_are_used_up_is_retired) {
    WaiterTable table(UINT32_MAX - 1);
    std::set<std::uint64_t> ids;
    for (int i = 0; i < 10; ++i) {
        std::uint64_t id = 0;
        ASSERT_EQ(table.try_add({}, resources_, id), Status::ok);
        EXPECT_NE(id, 0u);
        EXPECT_TRUE(ids.insert(id).second) << "id given twice";
        table.remove(id);
        EXPECT_EQ(table.find(id), nullptr);
        EXPECT_TRUE(table.invariant());
    }
}

TEST_F(WaiterTableTest, a_round_leaves_later_arrivals_to_the_next) {
    add(1);
    table_.begin_round();
    std::uint64_t id = 0;
    ASSERT_NE(table_.next_in_round(id), nullptr);
    add(2);
    EXPECT_EQ(table_.next_in_round(id), nullptr);
    EXPECT_EQ(round(), (Subjects{1, 2}));
}

TEST_F(WaiterTableTest, a_round_that_loses_its_last_waiter_still_ends_before_later_arrivals) {
    add(1);
    add(2);
    const std::uint64_t last = add(3);
    table_.begin_round();
    std::uint64_t id = 0;
    EXPECT_EQ(table_.next_in_round(id)->subject, 1u);
    add(4);
    table_.remove(last);
    EXPECT_EQ(table_.next_in_round(id)->subject, 2u);
    EXPECT_EQ(table_.next_in_round(id), nullptr);
}

TEST_F(WaiterTableTest, refused_memory_leaves_the_table_as_it_was) {
    resources_.refuses_memory = true;
    std::uint64_t id = 0;
    EXPECT_EQ(table_.try_add({}, resources_, id), Status::exhausted);
    EXPECT_EQ(table_.count(), 0u);
    EXPECT_TRUE(table_.invariant());
    resources_.refuses_memory = false;
    EXPECT_NE(table_.find(add(1)), nullptr);
}

TEST_F(WaiterTableTest, refused_memory_for_a_later_chunk_keeps_the_waiters_of_the_first) {
    for (std::uint32_t i = 0; i < kFirstChunkWaiters; ++i) {
        add(i);
    }
    resources_.refuses_memory = true;
    std::uint64_t id = 0;
    EXPECT_EQ(table_.try_add({}, resources_, id), Status::exhausted);
    EXPECT_EQ(round().size(), kFirstChunkWaiters);
}

TEST_F(WaiterTableTest, the_bound_is_said_to_be_hit) {
    for (std::uint32_t i = 0; i < kMaxWaiters; ++i) {
        std::uint64_t id = 0;
        ASSERT_EQ(table_.try_add({i, 0, nullptr, nullptr, 0}, resources_, id), Status::ok);
    }
    std::uint64_t id = 0;
    EXPECT_EQ(table_.try_add({}, resources_, id), Status::exhausted);
    EXPECT_EQ(table_.count(), kMaxWaiters);
}

/// Against the plainest model there is: a list of what was added and not removed, in order.
TEST_F(WaiterTableTest, random_arrivals_and_departures_during_rounds_match_a_plain_list) {
    std::mt19937 random(20251130);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> list;  // id, subject
    std::set<std::uint64_t> ids;
    std::uint64_t next_subject = 1;
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::uint64_t> expected;  // still to be met in this round
        for (const auto& [id, subject] : list) {
            expected.push_back(subject);
        }
        table_.begin_round();
        for (;;) {
            for (std::uint64_t k = random() % 3; k > 0 && list.size() < 150; --k) {
                const std::uint64_t id = add(next_subject);
                EXPECT_TRUE(ids.insert(id).second);
                list.emplace_back(id, next_subject++);
            }
            for (std::uint64_t k = random() % 4; k > 0 && !list.empty(); --k) {
                const std::size_t victim = random() % list.size();
                table_.remove(list[victim].first);
                std::erase(expected, list[victim].second);
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(victim));
            }
            std::uint64_t id = 0;
            const Waiter* waiter = table_.next_in_round(id);
            ASSERT_EQ(waiter == nullptr, expected.empty());
            if (waiter == nullptr) {
                break;
            }
            ASSERT_EQ(waiter->subject, expected.front());
            expected.erase(expected.begin());
        }
        ASSERT_EQ(table_.count(), list.size());
    }
}

}  // namespace
}  // namespace tierup::watch
