// What     The view of one method over buffers and a scripted data access library: what is asked when, what is remembered, what is refused.
#include "runtime/method_view.h"

#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "runtime/method_kind.h"
#include "unit/fake_method_world.h"

namespace tierup::runtime {
namespace {

using namespace testing;

class MethodViewTest : public MethodWorld {};

TEST_F(MethodViewTest, a_method_without_code_is_cold_and_asks_no_dac) {
    at_prestub();
    code_slot_holds({});
    EXPECT_EQ(resolve().reason, Reason::never_called);
    EXPECT_EQ(script_->version_queries, 0);
}

TEST_F(MethodViewTest, final_code_is_asked_about_once_and_then_settled) {
    at_code(kTier1Code);
    list_versions({kTier0, kTier1});
    EXPECT_EQ(resolve().reason, Reason::tier_1);
    const int queries = script_->version_queries;
    EXPECT_EQ(resolve().reason, Reason::tier_1);
    EXPECT_EQ(script_->version_queries, queries) << "the settled code was asked about again";
}

TEST_F(MethodViewTest, settled_code_is_forgotten_when_the_entry_point_leaves_it) {
    at_code(kTier1Code);
    list_versions({kTier0, kTier1});
    ASSERT_EQ(resolve().reason, Reason::tier_1);
    at_code(kTier0Code);
    EXPECT_EQ(resolve().reason, Reason::promotion_abandoned) << "no thread of this test is a tiering worker";
}

TEST_F(MethodViewTest, a_tier_that_can_still_be_left_is_asked_about_each_time) {
    at_code(kTier0Code);
    list_versions({kTier0});
    ASSERT_EQ(resolve().reason, Reason::in_delay);
    list_versions({kTier0, kQueuedTier1});
    EXPECT_EQ(resolve().reason, Reason::promotion_pending);
}

TEST_F(MethodViewTest, counting_asks_no_dac) {
    at_stub(kTier0Code, 12, 1);
    const Answer answer = resolve();
    EXPECT_EQ(answer.reason, Reason::counting);
    EXPECT_EQ(answer.remaining_calls, 12u);
    EXPECT_EQ(script_->version_queries, 0);
}

TEST_F(MethodViewTest, entry_that_moves_while_versions_are_listed_is_looked_at_again) {
    at_code(kTier0Code);
    list_versions({kTier0, kTier1});
    script_->address_to_read = FakeMethod::kPage;
    static MethodViewTest* self = nullptr;
    self = this;
    script_->between_reads = [] {
        self->script_->between_reads = nullptr;
        self->at_code(kTier1Code);
    };
    EXPECT_EQ(resolve().reason, Reason::tier_1) << "the answer was about an entry point that was left meanwhile";
}

TEST_F(MethodViewTest, code_published_after_the_list_was_read_is_listed_on_the_next_look) {
    at_code(kTier1Code);
    list_versions({kTier0});
    script_->address_to_read = FakeMethod::kPage;
    static MethodViewTest* self = nullptr;
    self = this;
    script_->between_reads = [] {
        if (self->script_->version_queries > 2) {
            self->list_versions({kTier0, kTier1});
        }
    };
    EXPECT_EQ(resolve().reason, Reason::tier_1);
}

TEST_F(MethodViewTest, code_that_is_never_listed_is_undecided_with_its_bytes_kept) {
    at_code(kTier1Code);
    list_versions({kTier0});
    const Resolution resolution = view_.resolve(subject_of(record_), nullptr);
    EXPECT_EQ(resolution.answer.reason, Reason::code_not_listed);
    EXPECT_EQ(resolution.unknown_bytes[0], 0x90);
}

TEST_F(MethodViewTest, a_dac_that_fails_is_undecided_and_not_final) {
    at_code(kTier1Code);
    list_versions({kTier0, kTier1});
    script_->versions_result = clr::kFail;
    EXPECT_EQ(resolve().reason, Reason::dac_failed);
}

TEST_F(MethodViewTest, a_deleted_stubs_cell_tells_the_remaining_calls) {
    at_stub(kTier0Code, 12, 1);
    ASSERT_EQ(resolve().reason, Reason::counting);
    at_prestub();
    code_slot_holds(kTier0Code);
    list_versions({kTier0});
    delete_stub(0);
    const Answer answer = resolve();
    EXPECT_EQ(answer.reason, Reason::counting_at_next_call);
    EXPECT_EQ(answer.remaining_calls, 11u);
    EXPECT_TRUE(answer.remaining_is_exact);
}

TEST_F(MethodViewTest, freed_cell_is_not_trusted) {
    at_stub(kTier0Code, 12, 1);
    ASSERT_EQ(resolve().reason, Reason::counting);
    at_prestub();
    code_slot_holds(kTier0Code);
    list_versions({kTier0});
    delete_stub(0);
    memory_.add_value(kCell.plus(-16), std::uint64_t{0x7f0000009998});  // another method's record stands there now
    EXPECT_FALSE(resolve().remaining_is_exact);
    memory_.add_value(kCell.plus(-16), kMethod.value());
    delete_stub(3);  // completed, about to be freed
    EXPECT_FALSE(resolve().remaining_is_exact);
    memory_.remove(kCell.plus(-16), 24);
    EXPECT_FALSE(resolve().remaining_is_exact);
}

TEST_F(MethodViewTest, an_entry_point_that_names_another_method_is_refused) {
    WalkStart start;
    at_prestub();
    EXPECT_EQ(view_.find_start(kEntry, kMethod, start), Status::ok);
    EXPECT_EQ(start.first_slot, kEntry.plus(kDataPageBytes));
    EXPECT_EQ(start.unprepared_target, kEntry.plus(6));
    EXPECT_EQ(view_.find_start(kEntry, Address(0x1238), start), Status::invalid_argument);
    EXPECT_EQ(view_.find_start(Address(0x99000), kMethod, start), Status::faulted);
}

TEST_F(MethodViewTest, versions_are_listed_on_request_even_while_counting) {
    at_stub(kTier0Code, 12, 1);
    list_versions({kTier0});
    CodeVersionList versions;
    const Resolution resolution = view_.resolve(subject_of(record_), &versions);
    EXPECT_EQ(resolution.answer.tier, Tier::tier0);
    EXPECT_EQ(versions.count, 1u);
}

}  // namespace
}  // namespace tierup::runtime
