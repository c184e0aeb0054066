// What     What blocking waits promise: the end, the time-out and their meeting.
// What not Nothing runs at the same time here: watcher_stress_test.cpp has threads, watcher_model_test.cpp interleavings.
// Threads  One.
// Source   Expected results are the sentences of include/tierup/tierup.h at tierup_wait_begin, _cancel and _block.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "unit/watcher_fixture.h"

namespace tierup::watch::testing {
namespace {

TEST_F(WatcherTest, a_blocked_wait_ends_when_the_dispatcher_sees_the_condition_hold) {
    const std::atomic<std::uint32_t>* callers_word = nullptr;
    clock_.on_wait = [&](const std::atomic<std::uint32_t>& word) {
        callers_word = &word;
        answer_with(kSatisfied);
        EXPECT_TRUE(resources_.run());
    };
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_), Status::ok);
    EXPECT_EQ(answer_, kSatisfied.answer);
    EXPECT_EQ(clock_.woken, std::vector{callers_word});
    EXPECT_EQ(clock_.pauses_ns, std::vector{kNoTimeLimit});
    expect_idle();
}

TEST_F(WatcherTest, a_blocked_wait_whose_state_becomes_undecidable_says_unknown) {
    clock_.on_wait = [&](auto&) {
        answer_with(kUndecidable);
        EXPECT_TRUE(resources_.run());
    };
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_), Status::unknown);
    EXPECT_EQ(answer_, kUndecidable.answer);
}

TEST_F(WatcherTest, a_blocked_wait_times_out_though_nobody_evaluates_and_leaves_nothing_behind) {
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, 5'000'000, answer_), Status::timed_out);
    EXPECT_EQ(answer_, kPendingDistant.answer);
    EXPECT_EQ(watcher_.statistics().waits_pending, 0u);
    EXPECT_EQ(watcher_.statistics().waits_ended, 1u);
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(watcher_.statistics().evaluations, 0u);
    expect_idle();
}

TEST_F(WatcherTest, a_blocked_wait_that_ends_at_its_deadline_says_ok) {
    clock_.on_wait = [&](auto&) {
        clock_.time_ns += 10'000'000;  // the time has run out, but the dispatcher was first at the table
        answer_with(kSatisfied);
        EXPECT_TRUE(resources_.run());
    };
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, 5'000'000, answer_), Status::ok);
    EXPECT_EQ(answer_, kSatisfied.answer);
}

TEST_F(WatcherTest, a_guessed_number_does_not_end_a_blocked_wait) {
    clock_.on_wait = [&](auto&) {
        EXPECT_EQ(watcher_.cancel(std::uint64_t{1} << 32), Status::absent);  // its id: the first generation of the first slot
        EXPECT_EQ(watcher_.statistics().waits_pending, 1u);
        answer_with(kSatisfied);
        EXPECT_TRUE(resources_.run());
    };
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_), Status::ok);
}

TEST_F(WatcherTest, blocking_for_no_time_evaluates_once_and_registers_nothing) {
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 1'000'000, 0, answer_), Status::timed_out);
    EXPECT_EQ(answer_, kPendingDistant.answer);
    EXPECT_EQ(probe_.calls, 1u);
    EXPECT_EQ(resources_.threads_started, 0);
    answer_with(kSatisfied);
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, 0, answer_), Status::ok);
}

TEST_F(WatcherTest, a_spin_takes_no_longer_than_the_time_out) {
    answer_with(kPendingImminent);
    const std::uint64_t before_ns = clock_.time_ns;
    EXPECT_EQ(watcher_.block(kMethod, kCondition, UINT64_MAX, 10'000, answer_), Status::timed_out);
    EXPECT_LE(clock_.time_ns - before_ns, 10'000u + 4 * FakeClock::kNsPerLook);
    EXPECT_EQ(resources_.threads_started, 0);
}

TEST_F(WatcherTest, a_callback_may_not_block) {
    begin_pending(call_);
    answer_with(kSatisfied);
    Status inside = Status::ok;
    call_.then = [&] { inside = watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(inside, Status::unsupported);
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, 0, answer_), Status::ok) << "and outside it may again";
}

}  // namespace
}  // namespace tierup::watch::testing
