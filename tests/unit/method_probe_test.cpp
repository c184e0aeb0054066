// What     When a wait is over: the verdict over every reason, for both conditions.
#include "runtime/method_probe.h"

#include <gtest/gtest.h>

namespace tierup::runtime {
namespace {

using watch::Pace;
using watch::Verdict;

Answer optimizing(Reason reason) { return {.compilation = Compilation::optimizing, .reason = reason}; }

TEST(MethodProbe, a_triggered_promotion_is_waited_for) {
    for (const Reason reason : {Reason::in_delay, Reason::threshold_reached, Reason::promotion_pending, Reason::activating}) {
        EXPECT_EQ(judge(optimizing(reason), Condition::final_or_counting), Verdict::pending);
    }
}

TEST(MethodProbe, a_promotion_that_nobody_called_for_is_never_waited_for) {
    EXPECT_EQ(judge({.compilation = Compilation::cold, .reason = Reason::never_called}, Condition::final_or_counting), Verdict::satisfied);
    for (const Reason reason : {Reason::counting, Reason::counting_at_next_call, Reason::counting_in_prestub, Reason::class_constructor}) {
        EXPECT_EQ(judge(optimizing(reason), Condition::final_or_counting), Verdict::satisfied);
    }
}

TEST(MethodProbe, final_ends_both_waits_and_counting_only_one) {
    EXPECT_EQ(judge({.compilation = Compilation::final, .reason = Reason::tier_1}, Condition::final_or_counting), Verdict::satisfied);
    EXPECT_EQ(judge({.compilation = Compilation::final, .reason = Reason::tier_1}, Condition::final), Verdict::satisfied);
    EXPECT_EQ(judge(optimizing(Reason::counting), Condition::final), Verdict::pending);
    EXPECT_EQ(judge({.compilation = Compilation::cold, .reason = Reason::never_called}, Condition::final), Verdict::pending);
}

TEST(MethodProbe, an_undecided_state_ends_the_wait_as_undecidable) {
    EXPECT_EQ(judge({.reason = Reason::no_dac}, Condition::final_or_counting), Verdict::undecidable);
    EXPECT_EQ(judge({.reason = Reason::no_dac}, Condition::final), Verdict::undecidable);
}

TEST(MethodProbe, only_a_compile_under_way_is_imminent) {
    EXPECT_EQ(pace_of(optimizing(Reason::threshold_reached)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::promotion_pending)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::activating)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::in_delay)), Pace::distant);
    EXPECT_EQ(pace_of(optimizing(Reason::counting)), Pace::distant);
}

}  // namespace
}  // namespace tierup::runtime
