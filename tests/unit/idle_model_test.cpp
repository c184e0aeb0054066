// What     Which readings of the runtime prove that nothing is pending, or that tiering is active, and which only seem to.
// What not The wake-ups of the watcher: watcher_model_test.cpp.
// Threads  One.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, see idle_model.h; the steps of the argument in docs/CORRECTNESS.md.
#include "unit/idle_model.h"

#include <gtest/gtest.h>

#include <string>

namespace tierup::idle_model {
namespace {

void expect(const Setup& setup, Violation violation) {
    const Outcome outcome = explore(setup);
    EXPECT_EQ(outcome.violation, violation) << outcome.states << " states";
    if (violation == Violation::none) {
        EXPECT_GT(outcome.states, 300u) << "the model has come apart";
        ::testing::Test::RecordProperty("states", std::to_string(outcome.states));
    }
}

// Idle

TEST(IdleModel, count_and_flag_between_two_equal_even_epochs_prove_idle) {
    expect({.rule = Rule::epoch}, Violation::none);
    expect({.rule = Rule::epoch_flag_first}, Violation::none);
}
TEST(IdleModel, count_flag_and_batch_in_order_without_an_epoch_say_idle_falsely) {
    expect({.rule = Rule::count_flag_batch}, Violation::false_idle);
    expect({.rule = Rule::flag_count_batch}, Violation::false_idle);
}
TEST(IdleModel, an_unknown_batch_taken_for_none_says_idle_falsely) {
    expect({.rule = Rule::epoch_unknown_is_out}, Violation::false_idle);
}
TEST(IdleModel, two_even_epochs_that_differ_say_idle_falsely) {
    expect({.rule = Rule::epoch_not_compared}, Violation::false_idle);
}
TEST(IdleModel, idle_is_told_by_events_alone_without_a_follow_up) {
    expect({.rule = Rule::epoch, .follows_up = false}, Violation::none);
}

// Active

TEST(IdleModel, no_list_alone_says_active_before_the_stubs_are_installed) {
    expect({.rule = Rule::list_only}, Violation::false_active);
}
TEST(IdleModel, a_worker_event_since_the_last_resume_says_active_while_the_next_resume_is_on_its_way) {
    expect({.rule = Rule::worker_event}, Violation::false_active);
    expect({.rule = Rule::worker_event, .is_pause_late = false}, Violation::false_active);
}
TEST(IdleModel, a_late_pause_leaves_a_delay_unseen_and_active_is_said_falsely) {
    expect({.rule = Rule::observed}, Violation::false_active);
    expect({.rule = Rule::observed, .is_pause_late = false, .minds_lost = false}, Violation::none);
}
TEST(IdleModel, what_the_worker_told_before_the_first_look_at_the_list_proves_nothing) {
    expect({.rule = Rule::observed_from_attach, .is_pause_late = false, .minds_lost = false}, Violation::false_active);
}
TEST(IdleModel, where_the_worker_rests_no_event_tells_that_the_stubs_are_installed) {
    expect({.rule = Rule::observed, .is_pause_late = false}, Violation::lost_wakeup);
    expect({.rule = Rule::in_batch}, Violation::lost_wakeup);
}
TEST(IdleModel, no_list_inside_one_batch_proves_active) {
    expect({.rule = Rule::in_batch, .minds_lost = false}, Violation::none);
}
TEST(IdleModel, the_flag_of_the_worker_proves_idle_and_active_and_is_followed_up) {
    expect({.rule = Rule::worker_flag}, Violation::none);
    expect({.rule = Rule::worker_flag, .follows_up = false}, Violation::lost_wakeup);
}
TEST(IdleModel, methods_of_the_one_delay_that_the_wait_saw_prove_active_by_their_own_states_and_are_followed_up) {
    expect({.rule = Rule::own_states, .sees_delay_first = true, .delays = 1}, Violation::none);
    expect({.rule = Rule::own_states, .sees_delay_first = true, .follows_up = false, .delays = 1}, Violation::lost_wakeup);
}
TEST(IdleModel, methods_of_one_delay_prove_nothing_about_the_next) {
    expect({.rule = Rule::own_states, .sees_delay_first = true}, Violation::false_active);
}

}  // namespace
}  // namespace tierup::idle_model
