// What     Every interleaving of a few callers, the runtime's events and the dispatcher keeps the promises; each known mistake breaks one.
// What not The code itself is run by watcher_test.cpp, watcher_signals_test.cpp and the stress tests; this is the argument behind its race comments.
// Threads  One.
// Source   The steps of src/watch/, see watcher_model.h; the steps of the argument in docs/CORRECTNESS.md.
#include <gtest/gtest.h>

#include <string>

#include "unit/watcher_model.h"

namespace tierup::watch::model {
namespace {

constexpr Callers kBeginAndBlocks{Caller::begins, Caller::blocks_limited, Caller::none};
constexpr Callers kTwoBegin{Caller::begins, Caller::begins, Caller::none};
constexpr Callers kBeginAndBlocksUnlimited{Caller::begins, Caller::blocks, Caller::none};
constexpr Callers kTwoBlock{Caller::blocks_limited, Caller::blocks, Caller::none};
constexpr Callers kOneSits{Caller::sits, Caller::none, Caller::none};
constexpr Callers kTwoSit{Caller::sits, Caller::sits_limited, Caller::none};
constexpr Callers kBeginAndSits{Caller::begins, Caller::sits, Caller::none};
constexpr Callers kTwoKinds{Caller::begins, Caller::begins_other_kind, Caller::none};
constexpr Callers kTwoKindsBesideASeat{Caller::sits, Caller::begins_other_kind, Caller::none};
constexpr Callers kCallbackBegins{Caller::begins, Caller::none, Caller::begun_by_callback};

void expect_promises_kept(const Callers& callers) {
    const Outcome outcome = explore(callers, Mutation::none);
    EXPECT_EQ(outcome.violation, Violation::none);
    EXPECT_GT(outcome.ends, 0u);
    EXPECT_GT(outcome.states, 300u) << "the model has come apart: hardly anything is interleaved";
    ::testing::Test::RecordProperty("states", std::to_string(outcome.states));
}

void expect_caught(const Callers& callers, Mutation mutation, Violation violation) {
    EXPECT_EQ(explore(callers, mutation).violation, violation);
}

TEST(WatcherModel, no_wakeup_is_lost_with_one_that_begins_and_one_that_blocks) {
    expect_promises_kept(kBeginAndBlocks);
}
TEST(WatcherModel, no_wakeup_is_lost_with_two_that_begin) {
    expect_promises_kept(kTwoBegin);
}
TEST(WatcherModel, no_wakeup_is_lost_with_two_that_block) {
    expect_promises_kept(kTwoBlock);
}
TEST(WatcherModel, no_wakeup_is_lost_with_one_in_a_seat) {
    expect_promises_kept(kOneSits);
}
TEST(WatcherModel, no_wakeup_is_lost_with_two_in_seats) {
    expect_promises_kept(kTwoSit);
}
TEST(WatcherModel, no_wakeup_is_lost_with_one_that_begins_and_one_in_a_seat) {
    expect_promises_kept(kBeginAndSits);
}
TEST(WatcherModel, no_wakeup_is_lost_with_two_kinds_of_waits) {
    expect_promises_kept(kTwoKinds);
}
TEST(WatcherModel, no_wakeup_is_lost_with_two_kinds_of_waits_one_of_them_in_a_seat) {
    expect_promises_kept(kTwoKindsBesideASeat);
}
TEST(WatcherModel, no_wakeup_is_lost_where_a_callback_begins_a_wait) {
    expect_promises_kept(kCallbackBegins);
}

// Ends and lifetimes

TEST(WatcherModel, ending_without_revalidating_ends_a_cancelled_wait_twice) {
    expect_caught(kTwoBegin, Mutation::end_without_revalidating, Violation::ended_twice);
}
TEST(WatcherModel, ending_without_revalidating_touches_a_caller_that_timed_out) {
    expect_caught(kTwoBlock, Mutation::end_without_revalidating, Violation::touched_after_return);
}
TEST(WatcherModel, ending_the_thread_on_an_old_count_leaves_a_waiter_behind) {
    expect_caught(kTwoBegin, Mutation::end_without_looking, Violation::waiter_without_dispatcher);
}
TEST(WatcherModel, a_silent_cancel_leaves_the_thread_asleep_without_waiters) {
    expect_caught(kTwoBegin, Mutation::cancel_without_ring, Violation::asleep_without_waiters);
}
TEST(WatcherModel, returning_without_the_lock_gives_the_stack_away_under_the_dispatcher) {
    expect_caught(kTwoBlock, Mutation::return_without_lock, Violation::touched_after_return);
}
TEST(WatcherModel, waking_a_blocked_caller_before_its_end_is_stored_leaves_it_asleep) {
    expect_caught(kBeginAndBlocksUnlimited, Mutation::wake_before_end, Violation::stuck);
}
TEST(WatcherModel, sleeping_long_beside_a_seat_outlives_the_caller_in_it) {
    expect_caught(kOneSits, Mutation::long_sleep_beside_seats, Violation::asleep_without_waiters);
}

// Wake-ups

TEST(WatcherModel, a_silent_registration_waits_for_the_pause_to_end) {
    expect_caught(kTwoBegin, Mutation::register_without_ring, Violation::asleep_before_evaluation);
}
TEST(WatcherModel, a_newcomer_that_summons_lightly_does_not_wake_a_deep_sleeper) {
    expect_caught(kBeginAndSits, Mutation::summon_lightly, Violation::asleep_before_evaluation);
}
TEST(WatcherModel, ringing_before_the_change_loses_it) {
    expect_caught(kTwoBegin, Mutation::strike_before_change, Violation::lost_wakeup);
    expect_caught(kOneSits, Mutation::strike_before_change, Violation::lost_wakeup);
}
TEST(WatcherModel, counting_the_news_before_the_change_loses_it) {
    expect_caught(kTwoBegin, Mutation::news_before_change, Violation::lost_wakeup);
}
TEST(WatcherModel, waking_without_a_stroke_is_lost_on_one_who_falls_asleep) {
    EXPECT_NE(explore(kTwoBegin, Mutation::wake_without_strike).violation, Violation::none);
    expect_caught(kOneSits, Mutation::wake_without_strike, Violation::lost_wakeup);
}
TEST(WatcherModel, waking_without_the_word_is_lost_on_one_who_is_about_to_sleep) {
    EXPECT_NE(explore(kTwoBegin, Mutation::wake_without_word).violation, Violation::none);
    expect_caught(kOneSits, Mutation::wake_without_word, Violation::lost_wakeup);
}
TEST(WatcherModel, striking_behind_the_look_into_the_bed_is_lost) {
    expect_caught(kOneSits, Mutation::strike_after_look, Violation::lost_wakeup);
}
TEST(WatcherModel, sleeping_without_a_second_look_at_the_strokes_loses_one) {
    EXPECT_NE(explore(kTwoBegin, Mutation::sleep_without_second_look).violation, Violation::none);
    expect_caught(kOneSits, Mutation::sleep_without_second_look, Violation::lost_wakeup);
}
TEST(WatcherModel, reading_the_strokes_behind_the_round_loses_one) {
    EXPECT_NE(explore(kTwoBegin, Mutation::strokes_behind_round).violation, Violation::none);
}
TEST(WatcherModel, reading_the_strokes_behind_the_evaluation_loses_one_in_a_seat) {
    expect_caught(kOneSits, Mutation::strokes_behind_evaluation, Violation::lost_wakeup);
}
TEST(WatcherModel, reading_the_news_behind_the_evaluation_loses_them) {
    expect_caught(kTwoBegin, Mutation::news_behind_evaluation, Violation::lost_wakeup);
}
TEST(WatcherModel, looking_at_the_demand_apart_from_beginning_the_round_loses_an_event) {
    expect_caught(kTwoKinds, Mutation::demand_behind_the_round, Violation::lost_wakeup);
}
TEST(WatcherModel, switching_events_on_silently_leaves_a_seat_with_an_old_look) {
    expect_caught(kOneSits, Mutation::switch_on_silently, Violation::lost_wakeup);
}

}  // namespace
}  // namespace tierup::watch::model
