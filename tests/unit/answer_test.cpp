// What     The packed answer: every field comes back, and the bits are where the C header says.
#include "runtime/answer.h"

#include <gtest/gtest.h>

#include "tierup/tierup.h"

namespace tierup::runtime {
namespace {

TEST(Answer, every_field_survives_packing) {
    const Answer answer{.compilation = Compilation::optimizing,
                        .reason = Reason::dac_failed,
                        .tier = Tier::tier1_osr,
                        .remaining_calls = 0xFFFF'FFFFu,
                        .remaining_is_exact = false,
                        .needs_resolve = true,
                        .needs_register = true};
    EXPECT_EQ(unpack(pack(answer)), answer);
}

TEST(Answer, bits_are_where_the_c_header_reads_them) {
    const Answer answer{.compilation = Compilation::final, .reason = Reason::tier_1, .tier = Tier::tier1, .remaining_calls = 7};
    const std::uint64_t bits = pack(answer);
    EXPECT_EQ(TIERUP_ANSWER_COMPILATION(bits), TIERUP_FINAL);
    EXPECT_EQ(TIERUP_ANSWER_REASON(bits), TIERUP_REASON_TIER_1);
    EXPECT_EQ(TIERUP_ANSWER_TIER(bits), TIERUP_TIER_1);
    EXPECT_EQ(TIERUP_ANSWER_REMAINING(bits), 7u);
    EXPECT_EQ(TIERUP_ANSWER_IS_EXACT(bits), 1u);
    EXPECT_EQ(TIERUP_ANSWER_NEEDS_RESOLVE(bits), 0u);
    EXPECT_EQ(TIERUP_ANSWER_NEEDS_REGISTER(bits), 0u);
    EXPECT_EQ(TIERUP_ANSWER_NEEDS_RESOLVE(pack(ask_to_resolve())), 1u);
}

}  // namespace
}  // namespace tierup::runtime
