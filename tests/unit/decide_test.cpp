// What     The decision order, row by row of the tables "Knobs" and "Method kinds" (docs/RUNTIME.md). The expected answers are those that
//          the runtime's own events and DAC gave there; the matrix checks the same rows on real runtimes.
#include "runtime/decide.h"

#include <gtest/gtest.h>

#include "runtime/method_kind.h"

namespace tierup::runtime {
namespace {

constexpr Address kQuickJitted{0x1000};
constexpr Address kInstrumented{0x2000};
constexpr Address kTier1{0x3000};
constexpr Address kOsr{0x4000};
constexpr Address kNode1{0x9100};
constexpr Address kNode2{0x9200};

CodeVersionList list_of(std::initializer_list<CodeVersion> versions) {
    CodeVersionList list;
    for (const CodeVersion& version : versions) {
        list.items[list.count++] = version;
    }
    return list;
}

const CodeVersion kTier0Version{.code = kQuickJitted, .node = {}, .tier = Tier::tier0};
const CodeVersion kQueuedInstrumented{.code = {}, .node = kNode1, .tier = Tier::tier0_instrumented};
const CodeVersion kInstrumentedVersion{.code = kInstrumented, .node = kNode1, .tier = Tier::tier0_instrumented};
const CodeVersion kQueuedTier1{.code = {}, .node = kNode2, .tier = Tier::tier1};
const CodeVersion kTier1Version{.code = kTier1, .node = kNode2, .tier = Tier::tier1};
const CodeVersion kOsrVersion{.code = kOsr, .node = Address{0x9300}, .tier = Tier::tier1_osr};

class Decide : public ::testing::Test {
protected:
    MethodFacts facts_ = [] {
        MethodFacts facts;
        facts.is_eligible = true;
        facts.has_code = Truth::yes;
        return facts;
    }();
    Settings settings_;
    CodeVersionList list_;

    void at_prestub(Truth has_code) {
        facts_.entry = {.kind = EntryKind::prestub};
        facts_.has_code = has_code;
    }
    void at_code(Address code) { facts_.entry = {.kind = EntryKind::code, .code = code}; }
    void at_stub(Address code, std::uint16_t remaining, CountingStage stage) {
        facts_.entry = {.kind = EntryKind::counting,
                        .code = code,
                        .stub = Address{0x5000},
                        .cell = Address{0x6010},
                        .remaining_calls = remaining,
                        .stage = stage};
    }
    void listed(std::initializer_list<CodeVersion> versions) {
        list_ = list_of(versions);
        facts_.versions = &list_;
    }
    void expect(Compilation compilation, Reason reason, std::uint32_t remaining) {
        const Answer answer = decide(facts_, settings_);
        EXPECT_FALSE(answer.needs_resolve);
        EXPECT_EQ(answer.compilation, compilation);
        EXPECT_EQ(answer.reason, reason) << static_cast<int>(answer.reason);
        EXPECT_EQ(answer.remaining_calls, remaining);
    }
    void expect_to_resolve() { EXPECT_TRUE(decide(facts_, settings_).needs_resolve); }
};

// The ladder.

TEST_F(Decide, never_called_is_cold_with_one_call_to_go) {
    at_prestub(Truth::no);
    expect(Compilation::cold, Reason::never_called, 1);
}

TEST_F(Decide, quick_jitted_and_alone_is_in_the_delay_with_the_whole_threshold_to_go) {
    at_code(kQuickJitted);
    listed({kTier0Version});
    expect(Compilation::optimizing, Reason::in_delay, 30);
}

TEST_F(Decide, counting_stub_tells_its_remaining_calls) {
    at_stub(kQuickJitted, 30, CountingStage::may_be_active);
    expect(Compilation::optimizing, Reason::counting, 30);
    at_stub(kQuickJitted, 1, CountingStage::may_be_active);
    expect(Compilation::optimizing, Reason::counting, 1);
}

TEST_F(Decide, counting_stub_at_stage_zero_is_still_being_installed) {
    at_stub(kQuickJitted, 30, CountingStage::not_active);
    expect(Compilation::optimizing, Reason::activating, 30);
}

TEST_F(Decide, the_tier_of_code_that_never_tiers_is_the_listed_one) {
    facts_.kinds = kind_collectible;
    facts_.is_eligible = false;
    at_prestub(Truth::yes);
    listed({{.code = kQuickJitted, .node = {}, .tier = Tier::optimized}});
    EXPECT_EQ(decide(facts_, settings_).tier, Tier::optimized);
    facts_.kinds = kind_dynamic;
    at_code(kQuickJitted);
    EXPECT_EQ(decide(facts_, settings_).tier, Tier::optimized);
}

TEST_F(Decide, counting_stub_at_stage_two_reads_as_reached_whatever_its_cell_says) {
    for (const std::uint16_t remaining : {std::uint16_t{0}, std::uint16_t{65535}, std::uint16_t{12}}) {
        at_stub(kQuickJitted, remaining, CountingStage::pending_completion);
        expect(Compilation::optimizing, Reason::threshold_reached, 0);
    }
}

TEST_F(Decide, counting_stub_with_cell_wrapped_below_zero_reads_as_reached) {
    at_stub(kQuickJitted, 0, CountingStage::may_be_active);
    expect(Compilation::optimizing, Reason::threshold_reached, 0);
    at_stub(kQuickJitted, 65535, CountingStage::may_be_active);
    expect(Compilation::optimizing, Reason::threshold_reached, 0);
}

TEST_F(Decide, completed_stub_still_at_the_entry_point_has_its_promotion_pending) {
    at_stub(kQuickJitted, 0, CountingStage::complete);
    expect(Compilation::optimizing, Reason::promotion_pending, 0);
}

TEST_F(Decide, next_version_without_code_is_a_pending_promotion) {
    at_code(kQuickJitted);
    listed({kTier0Version, kQueuedInstrumented});
    expect(Compilation::optimizing, Reason::promotion_pending, 0);
}

TEST_F(Decide, code_counted_a_moment_ago_is_a_pending_promotion_and_not_the_delay) {
    at_code(kQuickJitted);
    listed({kTier0Version});
    facts_.counted_code = kQuickJitted;
    expect(Compilation::optimizing, Reason::promotion_pending, 0);
}

TEST_F(Decide, instrumented_code_published_during_the_delay_is_held_by_it) {
    at_code(kInstrumented);
    listed({kTier0Version, kInstrumentedVersion});
    expect(Compilation::optimizing, Reason::in_delay, 30);
}

TEST_F(Decide, tier_1_code_at_the_entry_point_is_final) {
    at_code(kTier1);
    listed({kTier0Version, kTier1Version, kInstrumentedVersion});
    expect(Compilation::final, Reason::tier_1, 0);
    EXPECT_EQ(decide(facts_, settings_).tier, Tier::tier1);
}

TEST_F(Decide, ready_to_run_code_is_no_last_tier) {
    at_code(kQuickJitted);
    listed({{.code = kQuickJitted, .node = {}, .tier = Tier::ready_to_run}});
    expect(Compilation::optimizing, Reason::in_delay, 30);
}

TEST_F(Decide, osr_bodies_neither_finish_nor_promote_a_method) {
    at_code(kQuickJitted);
    listed({kTier0Version, kOsrVersion});
    expect(Compilation::optimizing, Reason::in_delay, 30);
}

// Knobs.

TEST_F(Decide, tiering_off_is_final_once_there_is_code_and_says_so) {
    facts_.is_eligible = false;
    settings_.tiered_compilation = false;
    at_prestub(Truth::no);
    expect(Compilation::cold, Reason::never_called, 1);
    at_code(kQuickJitted);
    expect(Compilation::final, Reason::tiering_disabled, 0);
}

TEST_F(Decide, optimized_at_the_first_call_is_final_though_eligible) {
    at_code(kQuickJitted);
    listed({{.code = kQuickJitted, .node = {}, .tier = Tier::optimized}});
    expect(Compilation::final, Reason::optimized_at_once, 0);
}

TEST_F(Decide, min_opt_is_final) {
    at_code(kQuickJitted);
    listed({{.code = kQuickJitted, .node = {}, .tier = Tier::min_opt}});
    expect(Compilation::final, Reason::min_opt, 0);
}

TEST_F(Decide, without_a_delay_a_prestub_entry_with_code_counts_at_the_next_call) {
    settings_.call_counting_delay_ms = 0;
    at_prestub(Truth::yes);
    expect(Compilation::optimizing, Reason::counting_at_next_call, 30);
}

TEST_F(Decide, call_counting_off_is_final_with_quick_jitted_code) {
    settings_.call_counting = false;
    at_code(kQuickJitted);
    listed({kTier0Version});
    expect(Compilation::final, Reason::call_counting_disabled, 0);
}

TEST_F(Decide, counting_without_stubs_gives_only_an_upper_bound) {
    settings_.call_counting_stubs = false;
    at_prestub(Truth::yes);
    expect(Compilation::optimizing, Reason::counting_in_prestub, 30);
    EXPECT_FALSE(decide(facts_, settings_).remaining_is_exact);
}

TEST_F(Decide, in_the_delay_the_threshold_is_the_configured_one) {
    settings_.call_count_threshold = 100;
    at_code(kQuickJitted);
    listed({kTier0Version});
    expect(Compilation::optimizing, Reason::in_delay, 100);
}

// Method kinds.

TEST_F(Decide, methods_without_il_are_final_whatever_the_entry_point_leads_to) {
    facts_.kinds = kind_not_il;
    facts_.is_eligible = false;
    at_prestub(Truth::no);
    expect(Compilation::final, Reason::not_il, 0);
    facts_.entry = {.kind = EntryKind::inside_runtime};
    expect(Compilation::final, Reason::not_il, 0);
}

TEST_F(Decide, collectible_code_is_final_with_its_own_reason_even_behind_the_prestub) {
    facts_.kinds = kind_collectible;
    facts_.is_eligible = false;
    at_prestub(Truth::no);
    expect(Compilation::cold, Reason::never_called, 1);
    at_prestub(Truth::yes);
    expect(Compilation::final, Reason::collectible, 0);
}

TEST_F(Decide, dynamic_methods_are_final_with_their_own_reason) {
    facts_.kinds = kind_dynamic;
    facts_.is_eligible = false;
    at_code(kQuickJitted);
    expect(Compilation::final, Reason::dynamic_method, 0);
}

TEST_F(Decide, a_class_constructor_counts_for_ever) {
    facts_.kinds = kind_class_constructor;
    at_stub(kQuickJitted, 30, CountingStage::may_be_active);
    expect(Compilation::optimizing, Reason::class_constructor, 30);
}

TEST_F(Decide, ineligible_code_is_final_without_asking_the_dac) {
    facts_.is_eligible = false;
    at_code(kQuickJitted);
    expect(Compilation::final, Reason::not_eligible, 0);
}

TEST_F(Decide, a_runtime_async_thunk_is_no_final_method) {
    facts_.is_eligible = false;
    facts_.kinds = kind_runtime_async;
    at_code(kQuickJitted);
    expect(Compilation::undecided, Reason::runtime_async, 0);
}

// Traps.

TEST_F(Decide, tier_1_code_that_is_not_at_the_entry_point_is_being_activated_while_a_worker_lives) {
    at_code(kInstrumented);
    listed({kTier0Version, kTier1Version, kInstrumentedVersion});
    facts_.worker_is_running = Truth::yes;
    expect(Compilation::optimizing, Reason::activating, 0);
    facts_.worker_is_running = Truth::not_known;
    expect(Compilation::optimizing, Reason::activating, 0);
}

TEST_F(Decide, tier_1_code_that_is_not_at_the_entry_point_was_given_up_when_no_worker_lives) {
    at_code(kInstrumented);
    listed({kTier0Version, kTier1Version, kInstrumentedVersion});
    facts_.worker_is_running = Truth::no;
    expect(Compilation::final, Reason::promotion_abandoned, 0);
}

TEST_F(Decide, a_deleted_stub_leaves_one_call_less_than_its_cell_says) {
    at_prestub(Truth::yes);
    facts_.remembered_cell_is_valid = Truth::yes;
    facts_.remembered_remaining = 12;
    expect(Compilation::optimizing, Reason::counting_at_next_call, 11);
    facts_.remembered_remaining = 1;
    expect(Compilation::optimizing, Reason::counting_at_next_call, 1);
}

TEST_F(Decide, a_deleted_stub_whose_cell_was_never_seen_gives_only_an_upper_bound) {
    at_prestub(Truth::yes);
    expect(Compilation::optimizing, Reason::counting_at_next_call, 30);
    EXPECT_FALSE(decide(facts_, settings_).remaining_is_exact);
}

// Unknown is an answer.

TEST_F(Decide, new_code_without_a_version_list_asks_for_one) {
    at_code(kQuickJitted);
    expect_to_resolve();
}

TEST_F(Decide, new_code_without_a_dac_is_undecided) {
    at_code(kQuickJitted);
    facts_.no_versions_because = Reason::no_dac;
    expect(Compilation::undecided, Reason::no_dac, 0);
    facts_.counted_code = kQuickJitted;
    expect(Compilation::undecided, Reason::no_dac, 0);
}

TEST_F(Decide, counting_needs_no_dac) {
    at_stub(kQuickJitted, 5, CountingStage::may_be_active);
    facts_.no_versions_because = Reason::no_dac;
    expect(Compilation::optimizing, Reason::counting, 5);
}

TEST_F(Decide, code_that_no_version_has_is_undecided_and_never_final) {
    at_code(Address{0x7777});
    listed({kTier0Version, kTier1Version});
    expect(Compilation::undecided, Reason::code_not_listed, 0);
}

TEST_F(Decide, a_tier_that_the_dac_does_not_know_is_undecided) {
    at_code(kQuickJitted);
    listed({{.code = kQuickJitted, .node = {}, .tier = Tier::unknown}});
    expect(Compilation::undecided, Reason::code_not_listed, 0);
}

TEST_F(Decide, an_unreadable_entry_asks_once_and_is_then_undecided) {
    facts_.entry = {};
    expect_to_resolve();
    facts_.no_versions_because = Reason::no_dac;
    expect(Compilation::undecided, Reason::memory_changed, 0);
}

TEST_F(Decide, a_prestub_entry_of_which_nobody_knows_whether_it_has_code_is_no_cold_method) {
    at_prestub(Truth::not_known);
    expect_to_resolve();
    facts_.no_versions_because = Reason::no_dac;
    expect(Compilation::undecided, Reason::no_dac, 0);
}

}  // namespace
}  // namespace tierup::runtime
