// What     When a wait is over: the verdict over every reason, for both conditions.
#include "runtime/method_probe.h"

#include <gtest/gtest.h>

#include "unit/fake_method_world.h"

namespace tierup::runtime {
namespace {

using namespace testing;

class ManualClock final : public watch::Clock {
public:
    std::uint64_t now_ns() noexcept override { return now; }
    std::uint64_t now = 1'000'000;
};

class MethodProbeTest : public MethodWorld {
public:
    void SetUp() override {
        MethodWorld::SetUp();
        WalkStart start;
        ASSERT_EQ(view_.find_start(kEntry, kMethod, start), Status::ok);
        record_.start = start;
    }
    watch::Evaluation evaluate() {
        return probe_.evaluate(reinterpret_cast<std::uint64_t>(&record_), static_cast<std::uint32_t>(Condition::final_or_counting));
    }

    ManualClock clock_;
    MethodProbe probe_{view_, clock_};
};

TEST_F(MethodProbeTest, an_unchanged_entry_point_is_not_asked_about_again_for_a_while) {
    at_code(kTier0Code);
    list_versions({kTier0});
    EXPECT_EQ(evaluate().verdict, watch::Verdict::pending);
    const int queries = script_->version_queries;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(evaluate().verdict, watch::Verdict::pending);
    }
    EXPECT_EQ(script_->version_queries, queries);
    clock_.now += 10'000'000'000;
    list_versions({kTier0, kTier1});  // compiled, and no worker lives: given up
    EXPECT_EQ(unpack(evaluate().answer).reason, Reason::promotion_abandoned) << "the backstop never looked in full again";
}

TEST_F(MethodProbeTest, the_whole_way_ends_each_wait_when_the_entry_point_moves_on) {
    at_code(kTier0Code);
    list_versions({kTier0});
    EXPECT_EQ(evaluate().verdict, watch::Verdict::pending);
    at_stub(kTier0Code, 30, 1);
    EXPECT_EQ(evaluate().verdict, watch::Verdict::satisfied);
    at_stub(kTier0Code, 0, 2);
    EXPECT_EQ(unpack(evaluate().answer).reason, Reason::threshold_reached);
    EXPECT_EQ(evaluate().verdict, watch::Verdict::pending);
    at_code(kTier0Code);
    list_versions({kTier0, kQueuedTier1});
    EXPECT_EQ(unpack(evaluate().answer).reason, Reason::promotion_pending);
    at_code(kTier1Code);
    list_versions({kTier0, kTier1});
    EXPECT_EQ(evaluate().verdict, watch::Verdict::satisfied);
}

TEST_F(MethodProbeTest, a_new_stub_behind_an_unchanged_forwarder_is_seen_at_once) {
    constexpr Address kForwarded{0x2A0000};
    add_fixup_precode(memory_, kEntry, kForwarder, kMethod);
    add_fixup_precode(memory_, kForwarder, kStub, kMethod);
    add_counting_stub(memory_, kStub, kTier0Code, 0, 2);
    EXPECT_EQ(unpack(evaluate().answer).reason, Reason::threshold_reached);
    add_fixup_precode(memory_, kForwarder, kForwarded, kMethod);
    add_counting_stub(memory_, kForwarded, kTier1Code, 30, 1);  // the next version's stub; the first slot still holds the forwarder
    EXPECT_EQ(evaluate().verdict, watch::Verdict::satisfied);
}

TEST_F(MethodProbeTest, mixed_hints_never_end_a_wait) {
    at_code(kTier0Code);
    list_versions({kTier0});
    ASSERT_EQ(evaluate().verdict, watch::Verdict::pending);
    for (const Answer& foreign : {Answer{.compilation = Compilation::final, .reason = Reason::tier_1},
                                  Answer{.compilation = Compilation::optimizing, .reason = Reason::counting},
                                  Answer{.compilation = Compilation::cold, .reason = Reason::never_called}}) {
        record_.looked_answer = pack(foreign);
        EXPECT_EQ(evaluate().verdict, watch::Verdict::pending) << static_cast<int>(foreign.reason);
    }
}

using watch::Pace;
using watch::Verdict;

Answer optimizing(Reason reason) {
    return {.compilation = Compilation::optimizing, .reason = reason};
}

TEST(MethodProbeVerdict, a_triggered_promotion_is_waited_for) {
    for (const Reason reason : {Reason::in_delay, Reason::threshold_reached, Reason::promotion_pending, Reason::activating}) {
        EXPECT_EQ(judge(optimizing(reason), Condition::final_or_counting), Verdict::pending);
    }
}

TEST(MethodProbeVerdict, a_promotion_that_nobody_called_for_is_never_waited_for) {
    EXPECT_EQ(judge({.compilation = Compilation::cold, .reason = Reason::never_called}, Condition::final_or_counting), Verdict::satisfied);
    for (const Reason reason : {Reason::counting, Reason::counting_at_next_call, Reason::counting_in_prestub, Reason::class_constructor}) {
        EXPECT_EQ(judge(optimizing(reason), Condition::final_or_counting), Verdict::satisfied);
    }
}

TEST(MethodProbeVerdict, final_ends_both_waits_and_counting_only_one) {
    EXPECT_EQ(judge({.compilation = Compilation::final, .reason = Reason::tier_1}, Condition::final_or_counting), Verdict::satisfied);
    EXPECT_EQ(judge({.compilation = Compilation::final, .reason = Reason::tier_1}, Condition::final), Verdict::satisfied);
    EXPECT_EQ(judge(optimizing(Reason::counting), Condition::final), Verdict::pending);
    EXPECT_EQ(judge({.compilation = Compilation::cold, .reason = Reason::never_called}, Condition::final), Verdict::pending);
}

TEST(MethodProbeVerdict, an_undecided_state_ends_the_wait_as_undecidable) {
    EXPECT_EQ(judge({.reason = Reason::no_dac}, Condition::final_or_counting), Verdict::undecidable);
    EXPECT_EQ(judge({.reason = Reason::no_dac}, Condition::final), Verdict::undecidable);
}

TEST(MethodProbeVerdict, only_a_compile_under_way_is_imminent) {
    EXPECT_EQ(pace_of(optimizing(Reason::threshold_reached)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::promotion_pending)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::activating)), Pace::imminent);
    EXPECT_EQ(pace_of(optimizing(Reason::in_delay)), Pace::distant);
    EXPECT_EQ(pace_of(optimizing(Reason::counting)), Pace::distant);
}

}  // namespace
}  // namespace tierup::runtime
