// What     Every interleaving of a few callers, the runtime and the dispatcher keeps the promises; each known mistake breaks one.
// What not The code itself is run by watcher_test.cpp and watcher_stress_test.cpp; this is the argument behind its race comments.
// Threads  One.
// Source   The steps of src/watch/watcher.cpp and src/watch/watcher_dispatch.cpp, see watcher_model.h.
#include <gtest/gtest.h>

#include <string>

#include "unit/watcher_model.h"

namespace tierup::watch::model {
namespace {

constexpr Callers kTwoBeginOneBlocks{Caller::begins, Caller::begins, Caller::blocks_limited};
constexpr Callers kBeginAndBlocks{Caller::begins, Caller::blocks, Caller::blocks_limited};
constexpr Callers kThreeBegin{Caller::begins, Caller::begins, Caller::begins};
constexpr Callers kThreeBlock{Caller::blocks_limited, Caller::blocks_limited, Caller::blocks};
constexpr Callers kCallbackBegins{Caller::begins, Caller::blocks_limited, Caller::begun_by_callback};

void expect_promises_kept(const Callers& callers) {
    const Outcome outcome = explore(callers, Mutation::none);
    EXPECT_EQ(outcome.violation, Violation::none);
    EXPECT_GT(outcome.ends, 0u);
    EXPECT_GT(outcome.states, 1000u) << "the model has come apart: hardly anything is interleaved";
    ::testing::Test::RecordProperty("states", std::to_string(outcome.states));
}

TEST(WatcherModel, no_wakeup_is_lost_and_no_wait_ends_twice_with_two_that_begin_and_one_that_blocks) {
    expect_promises_kept(kTwoBeginOneBlocks);
}
TEST(WatcherModel, no_wakeup_is_lost_and_no_wait_ends_twice_with_one_that_begins_and_two_that_block) {
    expect_promises_kept(kBeginAndBlocks);
}
TEST(WatcherModel, no_wakeup_is_lost_and_no_wait_ends_twice_with_three_that_begin) {
    expect_promises_kept(kThreeBegin);
}
TEST(WatcherModel, no_wakeup_is_lost_and_no_wait_ends_twice_with_three_that_block) {
    expect_promises_kept(kThreeBlock);
}
TEST(WatcherModel, no_wakeup_is_lost_and_no_wait_ends_twice_where_a_callback_begins_a_wait) {
    expect_promises_kept(kCallbackBegins);
}

TEST(WatcherModel, ending_without_revalidating_ends_a_cancelled_wait_twice) {
    EXPECT_EQ(explore(kThreeBegin, Mutation::end_without_revalidating).violation, Violation::ended_twice);
}

TEST(WatcherModel, ending_without_revalidating_touches_a_caller_that_timed_out) {
    EXPECT_EQ(explore(kThreeBlock, Mutation::end_without_revalidating).violation, Violation::touched_after_return);
}

TEST(WatcherModel, ending_the_thread_on_an_old_count_leaves_a_waiter_behind) {
    EXPECT_EQ(explore(kThreeBegin, Mutation::end_without_looking).violation, Violation::waiter_without_dispatcher);
}

TEST(WatcherModel, waking_without_the_bell_is_lost_on_a_dispatcher_that_falls_asleep) {
    const Violation violation = explore(kThreeBegin, Mutation::wake_without_bell).violation;
    EXPECT_TRUE(violation == Violation::asleep_without_waiters || violation == Violation::asleep_before_evaluation);
}

TEST(WatcherModel, sleeping_on_a_late_bell_loses_a_wake) {
    const Violation violation = explore(kThreeBegin, Mutation::sleep_on_late_bell).violation;
    EXPECT_TRUE(violation == Violation::asleep_without_waiters || violation == Violation::asleep_before_evaluation);
}

TEST(WatcherModel, a_silent_cancel_leaves_the_thread_asleep_without_waiters) {
    EXPECT_EQ(explore(kThreeBegin, Mutation::cancel_without_ring).violation, Violation::asleep_without_waiters);
}

TEST(WatcherModel, a_silent_registration_waits_for_the_pause_to_end) {
    EXPECT_EQ(explore(kThreeBegin, Mutation::register_without_ring).violation, Violation::asleep_before_evaluation);
}

TEST(WatcherModel, returning_without_the_lock_gives_the_stack_away_under_the_dispatcher) {
    EXPECT_EQ(explore(kThreeBlock, Mutation::return_without_lock).violation, Violation::touched_after_return);
}

TEST(WatcherModel, waking_a_blocked_caller_before_its_end_is_stored_leaves_it_asleep) {
    EXPECT_EQ(explore(kBeginAndBlocks, Mutation::wake_before_end).violation, Violation::stuck);
}

}  // namespace
}  // namespace tierup::watch::model
