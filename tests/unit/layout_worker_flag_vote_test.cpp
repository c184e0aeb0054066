// What     The vote over bytes: two flags that behave as the runtime's lock makes them behave, among bytes that do not.
// Source   The flags' behaviour: dotnet/runtime src/coreclr/vm/tieredcompilation.cpp. Impostors: seen on 8.0.34 to 11.0.0 (constants, thread counts, counters).
#include "layout/worker_flag_vote.h"

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tierup::Status;
using tierup::layout::kMaxFlagCandidates;
using tierup::layout::kMaxStretches;
using tierup::layout::WorkerFlags;
using tierup::layout::WorkerFlagVote;

constexpr std::uint32_t kRunning = 100;
constexpr std::uint32_t kProcessing = 101;

class WorkerFlagVoteTest : public testing::Test {
protected:
    WorkerFlagVoteTest() : data_(8192, 0) {
        for (const std::uint32_t constant : {0u, 50u, 51u, 102u, 4095u, 4096u, 8191u}) {
            data_[constant] = 1;
        }
        data_[60] = 2;
        data_[61] = 0xFF;
    }

    void set(std::uint8_t running, std::uint8_t processing) {
        data_[kRunning] = running;
        data_[kProcessing] = processing;
    }
    std::vector<std::uint8_t> values() const {
        std::vector<std::uint8_t> bytes;
        for (std::uint32_t i = 0; i < vote_.count(); ++i) {
            bytes.push_back(data_[vote_.offset(i)]);
        }
        return bytes;
    }
    void collect() {
        for (std::uint32_t at = 0; at < data_.size(); at += 4096) {
            ASSERT_EQ(vote_.collect(at, std::span(data_).subspan(at, 4096)), Status::ok);
        }
        vote_.end_collecting(true);
    }
    void work(std::uint8_t processing = 1) {
        set(1, processing);
        vote_.is_collecting() ? collect() : vote_.add_work(values());
    }
    void rest(std::uint8_t running = 1) {
        set(running, 0);
        vote_.add_rest(values());
    }
    void stretches(int count, std::uint8_t running_at_rest = 1) {
        for (int i = 0; i < count; ++i) {
            work();
            rest(running_at_rest);
        }
    }
    bool has(std::uint32_t offset) const {
        for (std::uint32_t i = 0; i < vote_.count(); ++i) {
            if (vote_.offset(i) == offset) {
                return true;
            }
        }
        return false;
    }

    std::vector<std::uint8_t> data_;
    WorkerFlagVote vote_;
    WorkerFlags flags_;
};

TEST_F(WorkerFlagVoteTest, finds_the_pair_in_the_third_rest_and_not_before) {
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    stretches(2);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    work();
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    rest();
    ASSERT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_EQ(flags_.processing, kProcessing);
    EXPECT_EQ(flags_.running, kRunning);
    EXPECT_TRUE(flags_.are_told_apart);
    EXPECT_EQ(vote_.stretches(), 3u);
}

TEST_F(WorkerFlagVoteTest, many_samples_of_one_rest_are_one_rest) {
    work();
    for (int i = 0; i < 100; ++i) {
        rest();
    }
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
}

TEST_F(WorkerFlagVoteTest, a_rest_that_overlooked_a_compile_only_delays_the_verdict) {
    stretches(2);
    work();
    set(1, 1);  // the fields say rest, the worker still compiles
    vote_.add_rest(values());
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    rest();
    EXPECT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_EQ(flags_.processing, kProcessing);
}

TEST_F(WorkerFlagVoteTest, a_worker_that_always_ends_at_once_gives_a_pair_that_is_not_told_apart_later) {
    stretches(6, 0);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    stretches(1, 0);
    ASSERT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_FALSE(flags_.are_told_apart);
    EXPECT_EQ(flags_.processing + flags_.running, kProcessing + kRunning);
}

TEST_F(WorkerFlagVoteTest, one_strike_is_forgiven_after_more_rests) {
    stretches(1);
    work(0);
    rest();
    stretches(1);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    stretches(4);
    ASSERT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_EQ(flags_.processing, kProcessing);
}

TEST_F(WorkerFlagVoteTest, zeros_in_one_stretch_are_one_strike_and_in_two_stretches_the_end) {
    work();
    work(0);
    work(0);
    EXPECT_TRUE(has(kProcessing));
    rest();
    work(0);
    EXPECT_FALSE(has(kProcessing));
    EXPECT_TRUE(has(kRunning));
    stretches(2);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started) << "the worker's other flag must not be taken for it";
}

TEST_F(WorkerFlagVoteTest, a_byte_that_is_neither_0_nor_1_is_no_flag) {
    work();
    data_[50] = 2;
    rest();
    EXPECT_FALSE(has(50));
    EXPECT_TRUE(has(51));
}

TEST_F(WorkerFlagVoteTest, an_impostor_that_rests_as_often_prevents_the_verdict_until_it_strikes_out) {
    work();
    for (int i = 0; i < 6; ++i) {
        data_[4096] = 1;
        work();
        data_[4096] = 0;
        rest();
        EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
    }
    data_[4096] = 0;
    stretches(2);
    ASSERT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_EQ(flags_.processing, kProcessing);
}

TEST_F(WorkerFlagVoteTest, a_thread_count_that_rests_with_the_worker_is_told_apart_by_the_samples_in_between) {
    for (int i = 0; i < 3; ++i) {
        data_[4096] = 1;
        work();
        for (int k = 0; k < 3; ++k) {
            rest(1);
        }
        data_[4096] = 0;
        rest(0);
    }
    ASSERT_EQ(vote_.verdict(flags_), Status::ok);
    EXPECT_EQ(flags_.processing, kProcessing);
    EXPECT_EQ(flags_.running, kRunning);
    EXPECT_TRUE(flags_.are_told_apart);
}

TEST_F(WorkerFlagVoteTest, a_single_byte_without_a_neighbour_is_never_elected_and_the_vote_ends_unknown) {
    set(0, 0);
    data_[102] = 0;
    data_[4000] = 1;
    collect();
    for (std::uint32_t i = 0; i < kMaxStretches; ++i) {
        data_[4000] = 0;
        vote_.add_rest(values());
        EXPECT_EQ(vote_.verdict(flags_), Status::not_started) << i;
        data_[4000] = 1;
        vote_.add_work(values());
    }
    EXPECT_EQ(vote_.verdict(flags_), Status::unknown);
}

TEST_F(WorkerFlagVoteTest, a_neighbour_that_was_0_at_work_is_not_the_workers_other_flag) {
    data_[102] = 0;
    stretches(1);
    set(0, 1);
    vote_.add_work(values());
    rest();
    stretches(8);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
}

TEST_F(WorkerFlagVoteTest, a_first_sample_that_does_not_count_leaves_nothing) {
    set(1, 1);
    ASSERT_EQ(vote_.collect(0, std::span(data_).first(4096)), Status::ok);
    vote_.end_collecting(false);
    EXPECT_TRUE(vote_.is_collecting());
    EXPECT_EQ(vote_.count(), 0u);
    EXPECT_EQ(vote_.verdict(flags_), Status::not_started);
}

TEST_F(WorkerFlagVoteTest, too_many_ones_are_exhausted_and_leave_nothing) {
    const std::vector<std::uint8_t> ones(kMaxFlagCandidates + 1, 1);
    EXPECT_EQ(vote_.collect(0, std::span(ones).first(kMaxFlagCandidates)), Status::ok);
    EXPECT_EQ(vote_.collect(kMaxFlagCandidates, std::span(ones).last(1)), Status::exhausted);
    EXPECT_EQ(vote_.count(), 0u);
    EXPECT_TRUE(vote_.is_collecting());
}

TEST_F(WorkerFlagVoteTest, a_sample_of_another_length_is_ignored) {
    work();
    const std::uint32_t count = vote_.count();
    vote_.add_work(std::vector<std::uint8_t>(count - 1, 0));
    vote_.add_rest({});
    EXPECT_EQ(vote_.count(), count);
    EXPECT_TRUE(has(kProcessing));
}

TEST_F(WorkerFlagVoteTest, no_byte_left_is_absent) {
    work();
    vote_.add_rest(std::vector<std::uint8_t>(vote_.count(), 7));
    EXPECT_EQ(vote_.verdict(flags_), Status::absent);
    vote_.restart();
    EXPECT_TRUE(vote_.is_collecting());
    stretches(3);
    EXPECT_EQ(vote_.verdict(flags_), Status::ok);
}

}  // namespace
