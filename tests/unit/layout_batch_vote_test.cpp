// What     Electing the tiering manager by what stood in memory at the worker's events.
#include "layout/batch_vote.h"

#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "manager_image.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

class BatchVoteTest : public ::testing::TestWithParam<Form> {
protected:
    void sample(std::optional<std::uint32_t> event_count) {
        const Status status = event_count ? sample_->take_counted(memory_, kAppDomain, *event_count) : sample_->take(memory_, kAppDomain);
        ASSERT_EQ(status, Status::ok);
        vote_->add(*sample_);
    }
    /// As the runtime works off three methods that reached their threshold together (seen on 8.0.34, 9.0.23, 10.0.15 and 11.0.0).
    void batch_of_three() {
        image_.completion_is_pending(true);
        sample(3);
        image_.completion_is_pending(false);
        image_.queue_holds({2, 3});
        sample(std::nullopt);
        image_.queue_holds({3});
        sample(std::nullopt);
        image_.queue_holds({});
        sample(std::nullopt);
        sample(0);
    }
    Status verdict() { return vote_->verdict(layout_); }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_, 0x758, GetParam()};
    std::unique_ptr<BatchSample> sample_ = std::make_unique<BatchSample>();
    std::unique_ptr<BatchVote> vote_ = std::make_unique<BatchVote>();
    ManagerLayout layout_;
};

TEST_P(BatchVoteTest, one_batch_of_three_methods_elects_the_manager) {
    EXPECT_EQ(verdict(), Status::not_started);
    batch_of_three();
    ASSERT_EQ(verdict(), Status::ok);
    EXPECT_EQ(layout_.list_offset, 0x758u);
    EXPECT_EQ(layout_.found_by, found_by_batch_events);
    const ManagerFields fields = fields_in(sample_->image.readable(), 0x758);
    EXPECT_TRUE(layout_.agrees_with(fields.layout_at(image_.list_at(), 0x758, found_by_pending_list))) << "as the pending list finds it";
}

TEST_P(BatchVoteTest, batch_events_alone_elect_it_where_a_batch_is_interrupted) {
    image_.completion_is_pending(true);
    sample(7);
    image_.completion_is_pending(false);
    image_.queue_holds({4, 5, 6});
    sample(3);  // ended, to yield
    EXPECT_EQ(verdict(), Status::not_started);
    sample(3);  // began again
    EXPECT_EQ(verdict(), Status::ok);
    EXPECT_EQ(layout_.list_offset, 0x758u);
}

TEST_P(BatchVoteTest, one_sample_with_a_queue_is_not_enough) {
    image_.queue_holds({1});
    sample(1);
    for (int i = 0; i < 20; ++i) {
        image_.queue_holds({});
        sample(0);
    }
    EXPECT_EQ(verdict(), Status::not_started);
}

TEST_P(BatchVoteTest, a_queue_that_no_event_counted_is_not_enough) {
    image_.queue_holds({1, 2});
    for (int i = 0; i < 20; ++i) {
        sample(std::nullopt);
    }
    EXPECT_EQ(verdict(), Status::not_started);
}

TEST_P(BatchVoteTest, a_queue_that_the_events_contradict_is_not_it) {
    image_.queue_holds({1, 2});
    for (int i = 0; i < 20; ++i) {
        sample(1);
        sample(3);  // nothing is pending completion: the number should be the count
    }
    EXPECT_EQ(verdict(), Status::not_started);
    EXPECT_FALSE(layout_.is_complete());
}

TEST_P(BatchVoteTest, a_queue_shorter_than_the_events_number_is_not_it_while_nothing_is_pending_completion) {
    image_.queue_holds({1, 2});
    for (int i = 0; i < 20; ++i) {
        sample(3);
    }
    EXPECT_EQ(verdict(), Status::not_started);
}

TEST_P(BatchVoteTest, a_count_above_the_events_number_speaks_against_also_where_it_is_too_long_to_be_walked) {
    image_.completion_is_pending(true);
    image_.queue_holds({1, 2});
    image_.count_is(kMaxSampleNodes + 1);
    for (int i = 0; i < 3; ++i) {
        sample(5);
    }
    image_.count_is(2);
    for (int i = 0; i < 10; ++i) {
        sample(5);
    }
    EXPECT_EQ(verdict(), Status::not_started);
}

TEST_P(BatchVoteTest, a_count_below_the_events_fits_only_while_completions_are_pending) {
    image_.queue_holds({1, 2});
    image_.completion_is_pending(true);
    sample(5);
    sample(5);
    EXPECT_EQ(verdict(), Status::ok);
}

TEST_P(BatchVoteTest, a_spoiled_sample_among_many_is_forgiven) {
    batch_of_three();
    image_.queue_holds({1, 2, 3});
    sample(2);  // a foreground thread added one between the event's count and the copy
    layout_ = {};
    EXPECT_EQ(verdict(), Status::not_started) << "one in six";
    batch_of_three();
    ASSERT_EQ(verdict(), Status::ok) << "one in eleven";
    EXPECT_EQ(layout_.list_offset, 0x758u);
}

TEST_P(BatchVoteTest, two_places_with_a_queue_are_refused) {
    ManagerImage other(memory_, image_.list_offset, image_.form);
    other.list_offset = 0x1800;
    for (int i = 0; i < 5; ++i) {
        image_.queue_holds({2, 3});
        other.queue_holds({2, 3});
        sample(2);
    }
    EXPECT_EQ(verdict(), Status::unknown);
    EXPECT_FALSE(layout_.is_complete());
}

TEST_P(BatchVoteTest, a_queue_too_long_to_be_walked_in_a_callback_speaks_neither_for_nor_against) {
    std::vector<std::uint64_t> many(kMaxSampleNodes + 1);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = i + 1;
    }
    image_.queue_holds(many);
    for (int i = 0; i < 20; ++i) {
        sample(static_cast<std::uint32_t>(many.size()));
    }
    EXPECT_EQ(verdict(), Status::not_started);
    many.pop_back();
    image_.queue_holds(many);
    sample(kMaxSampleNodes);
    sample(kMaxSampleNodes);
    EXPECT_EQ(verdict(), Status::ok);
}

TEST_P(BatchVoteTest, a_broken_flag_or_chain_speaks_against) {
    batch_of_three();
    image_.put(8, std::uint8_t{9});
    sample(0);
    sample(0);
    EXPECT_EQ(verdict(), Status::not_started);
}

TEST_P(BatchVoteTest, after_as_many_samples_as_are_heard_there_is_no_verdict_to_come) {
    sample(0);
    for (std::uint32_t i = 1; i < kMaxSamples; ++i) {
        vote_->add(*sample_);
    }
    EXPECT_EQ(verdict(), Status::absent);
    batch_of_three();
    EXPECT_EQ(vote_->samples(), kMaxSamples);
    EXPECT_EQ(verdict(), Status::absent);
}

INSTANTIATE_TEST_SUITE_P(EachForm, BatchVoteTest, ::testing::ValuesIn(kForms));

TEST(BatchSample, an_app_domain_that_cannot_be_read_gives_no_sample) {
    const memory::testing::BufferReader memory;
    const auto sample = std::make_unique<BatchSample>();
    EXPECT_EQ(sample->take(memory, kAppDomain), Status::faulted);
}

}  // namespace
