// What     One method's state while any single read, or every read from some moment on, fails: the right answer or none, never another one.
#include <functional>

#include <gtest/gtest.h>

#include "fault/each_read.h"
#include "unit/fake_method_world.h"

namespace tierup::runtime {
namespace {

using namespace testing;

class MethodViewFault : public MethodWorld, public ::testing::WithParamInterface<bool> {
public:
    void expect_the_right_answer_or_none(Reason right) {
        const auto scenario = [this](const memory::Reader& reader) {
            const MethodView view(reader, *data_access_, settings_, place_, {worker_, counted_cell_});
            MethodRecord record;
            record.real_method = kMethod;
            record.native_code_slot = kCodeSlot;
            record.start = {.entry_point = kEntry};
            record.counted_cell = was_counted_ ? kCell.value() : 0;
            return view.resolve(subject_of(record), nullptr).answer;
        };
        std::uint64_t right_answers = 0;
        const std::uint64_t faults = fault::fail_each_read(
            memory_, scenario,
            [&](const Answer& answer, std::uint64_t failed_read) {
                right_answers += answer.reason == right ? 1 : 0;
                const bool is_none = answer.compilation == Compilation::undecided;
                EXPECT_TRUE(answer.reason == right || (is_none && failed_read != 0)) << static_cast<int>(answer.reason);
            },
            GetParam());
        EXPECT_GE(faults, 2u);
        EXPECT_GE(right_answers, 1u);
    }

    bool was_counted_ = false;
};

TEST_P(MethodViewFault, cold) {
    at_prestub();
    code_slot_holds({});
    expect_the_right_answer_or_none(Reason::never_called);
}

TEST_P(MethodViewFault, in_the_delay) {
    at_code(kTier0Code);
    list_versions({kTier0});
    expect_the_right_answer_or_none(Reason::in_delay);
}

TEST_P(MethodViewFault, counting) {
    at_stub(kTier0Code, 12, 1);
    expect_the_right_answer_or_none(Reason::counting);
}

TEST_P(MethodViewFault, counted_out) {
    at_stub(kTier0Code, 0, 2);
    expect_the_right_answer_or_none(Reason::threshold_reached);
}

TEST_P(MethodViewFault, final) {
    at_code(kTier1Code);
    list_versions({kTier0, kTier1});
    expect_the_right_answer_or_none(Reason::tier_1);
}

TEST_P(MethodViewFault, behind_a_deleted_stub) {
    at_stub(kTier0Code, 12, 1);
    at_prestub();
    code_slot_holds(kTier0Code);
    list_versions({kTier0});
    delete_stub(0);
    was_counted_ = true;
    expect_the_right_answer_or_none(Reason::counting_at_next_call);
}

INSTANTIATE_TEST_SUITE_P(OnceAndForEver, MethodViewFault, ::testing::Bool());

}  // namespace
}  // namespace tierup::runtime
