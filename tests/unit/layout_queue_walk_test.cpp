// What     Walking the queue: what is accepted as one, and what is listed while the runtime takes entries out.
#include "layout/queue_walk.h"

#include <array>

#include <gtest/gtest.h>

#include "manager_image.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

class QueueWalkTest : public ::testing::TestWithParam<Form> {
protected:
    Status check(std::uint32_t max_nodes = kMaxQueueNodes) {
        ManagerFields fields;
        EXPECT_EQ(try_read_fields(memory_, image_.list_at(), fields), Status::ok);
        return check_queue(memory_, fields.queue(image_.list_at()), max_nodes);
    }
    Status copy(const memory::Reader& reader) { return copy_queue(reader, image_.list_at(), versions_, count_); }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_, 0x758, GetParam()};
    std::array<QueuedVersion, 8> versions_;
    std::uint32_t count_ = 99;
};

TEST_P(QueueWalkTest, a_queue_that_leads_from_first_to_last_in_as_many_nodes_as_counted_is_one) {
    for (const auto& queue : {std::vector<std::uint64_t>{}, {1}, {5, 2}, {4, 1, 3, 2}}) {
        image_.queue_holds(queue);
        EXPECT_EQ(check(), Status::ok) << queue.size();
    }
}

TEST_P(QueueWalkTest, a_count_that_is_not_the_number_of_nodes_is_refused) {
    image_.queue_holds({1, 2, 3});
    for (const std::uint32_t count : {2u, 4u}) {
        image_.count_is(count);
        EXPECT_EQ(check(), Status::unknown) << count;
    }
}

TEST_P(QueueWalkTest, a_chain_that_ends_elsewhere_or_nowhere_is_refused) {
    image_.queue_holds({1, 2, 3});
    ManagerImage::put_node(memory_, 2, node(4).value());
    ManagerImage::put_node(memory_, 4, 0);
    EXPECT_EQ(check(), Status::unknown) << "three nodes, but the last is not the end";
    image_.queue_holds({1, 2, 3});
    ManagerImage::put_node(memory_, 3, node(1).value());
    EXPECT_EQ(check(), Status::unknown) << "a ring";
    ManagerImage::put_node(memory_, 3, 0);
    ManagerImage::put_node(memory_, 2, 0x10);
    EXPECT_EQ(check(), Status::unknown) << "no pointer";
    ManagerImage::put_node(memory_, 2, 0x560000ff0000);
    EXPECT_EQ(check(), Status::faulted) << "nothing there";
}

TEST_P(QueueWalkTest, a_node_that_holds_no_version_is_refused) {
    image_.queue_holds({1, 2, 3});
    ManagerImage::put_node(memory_, 2, node(3).value(), 2);
    EXPECT_EQ(check(), Status::unknown) << "another storage kind";
    image_.queue_holds({1, 2, 3});
    memory_.add_value(node(2).plus(16), std::uint64_t{0});
    EXPECT_EQ(check(), Status::unknown) << "no version node";
}

TEST_P(QueueWalkTest, a_queue_longer_than_the_cap_is_exhausted) {
    image_.queue_holds({1, 2, 3});
    EXPECT_EQ(check(3), Status::ok);
    EXPECT_EQ(check(2), Status::exhausted);
}

TEST_P(QueueWalkTest, entries_are_listed_in_the_queues_order) {
    image_.queue_holds({4, 1, 3});
    ASSERT_EQ(copy(memory_), Status::ok);
    ASSERT_EQ(count_, 3u);
    EXPECT_EQ(versions_[0].list_node, node(4));
    EXPECT_EQ(versions_[0].version_node, version(4));
    EXPECT_EQ(versions_[1].version_node, version(1));
    EXPECT_EQ(versions_[2].version_node, version(3));
    image_.queue_holds({});
    ASSERT_EQ(copy(memory_), Status::ok);
    EXPECT_EQ(count_, 0u);
}

TEST_P(QueueWalkTest, entries_beyond_the_room_are_counted) {
    image_.queue_holds({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    ASSERT_EQ(copy(memory_), Status::ok);
    EXPECT_EQ(count_, 10u);
    EXPECT_EQ(versions_[7].version_node, version(8));
    ASSERT_EQ(copy_queue(memory_, image_.list_at(), {}, count_), Status::ok);
    EXPECT_EQ(count_, 10u) << "without any room too";
}

TEST_P(QueueWalkTest, nodes_taken_during_the_walk_are_dropped) {
    image_.queue_holds({1, 2, 3, 4});
    memory::testing::FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == node(3)) {  // the worker takes two and frees them; another thread gets that memory
            image_.queue_holds({3, 4});
            ManagerImage::put_node(memory_, 1, 0x1234, 77);
            ManagerImage::put_node(memory_, 2, 0x1234, 77);
        }
    });
    ASSERT_EQ(copy(reader), Status::ok);
    ASSERT_EQ(count_, 2u);
    EXPECT_EQ(versions_[0].version_node, version(3));
    EXPECT_EQ(versions_[1].version_node, version(4));
}

TEST_P(QueueWalkTest, a_node_freed_before_it_is_read_begins_the_walk_anew) {
    image_.queue_holds({1, 2, 3, 4});
    memory::testing::FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == node(2)) {
            image_.queue_holds({3, 4});
            ManagerImage::put_node(memory_, 2, node(77).value(), 1);
        }
    });
    ASSERT_EQ(copy(reader), Status::ok);
    ASSERT_EQ(count_, 2u);
    EXPECT_EQ(versions_[0].version_node, version(3));
}

TEST_P(QueueWalkTest, an_entry_put_where_a_taken_one_was_is_not_listed_as_the_old_one) {
    image_.queue_holds({1});
    memory::testing::FaultyReader reader(memory_);
    bool is_done = false;
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == image_.list_at().plus(-32) && reader.read_count() > 1 && !is_done) {  // the second look at the ends
            memory_.add_value(node(1).plus(16), version(9).value());
            is_done = true;
        }
    });
    ASSERT_EQ(copy(reader), Status::ok);
    ASSERT_EQ(count_, 1u);
    EXPECT_EQ(versions_[0].version_node, version(9));
}

TEST_P(QueueWalkTest, an_entry_appended_behind_the_walk_is_listed_too) {
    image_.queue_holds({1, 2});
    memory::testing::FaultyReader reader(memory_);
    int looks_at_the_ends = 0;
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == image_.list_at().plus(-32) && ++looks_at_the_ends == 2) {
            image_.queue_holds({1, 2, 3});
        }
    });
    ASSERT_EQ(copy(reader), Status::ok);
    ASSERT_EQ(count_, 3u);
    EXPECT_EQ(versions_[2].version_node, version(3));
}

TEST_P(QueueWalkTest, a_queue_that_runs_empty_during_the_walk_is_empty) {
    image_.queue_holds({1, 2});
    memory::testing::FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == node(2)) {
            image_.queue_holds({});
            memory_.remove(node(2), 24);
        }
    });
    ASSERT_EQ(copy(reader), Status::ok);
    EXPECT_EQ(count_, 0u);
}

TEST_P(QueueWalkTest, a_queue_that_never_stands_still_is_told_after_bounded_tries) {
    image_.queue_holds({1, 2});
    memory::testing::FaultyReader reader(memory_);
    std::uint64_t number = 1;
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from.value() >= kNodes && from.value() < kVersions) {
            number += 2;
            image_.queue_holds({number, number + 1});
        }
    });
    EXPECT_EQ(copy(reader), Status::faulted);
    EXPECT_EQ(count_, 0u);
    EXPECT_LE(reader.read_count(), 12u * kQueueTries);
}

TEST_P(QueueWalkTest, a_ring_is_left_at_the_cap) {
    image_.queue_holds({1, 2});
    // The last must lead nowhere while the ends are told apart, and back to the first while the chain is followed.
    memory::testing::FaultyReader reader(memory_);
    std::uint64_t looks = 0;
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == node(1) && ++looks == 2) {
            ManagerImage::put_node(memory_, 2, node(1).value());
        }
    });
    ManagerImage::put_node(memory_, 1, node(1).value());
    EXPECT_EQ(copy(reader), Status::exhausted);
}

TEST_P(QueueWalkTest, an_unreadable_manager_is_told) {
    memory_.remove(image_.list_at(), 1);
    EXPECT_EQ(copy(memory_), Status::faulted);
}

INSTANTIATE_TEST_SUITE_P(EachForm, QueueWalkTest, ::testing::ValuesIn(kForms));

}  // namespace
