// What     Which tier a promotion is made for, from what was published last.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, AsyncPromoteToTier1.
#include "runtime/published_tiers.h"

#include <gtest/gtest.h>

#include <memory>

namespace tierup::runtime {
namespace {

constexpr Address kMethod{0x7f0000001000};

class PublishedTiersTest : public ::testing::Test {
protected:
    std::unique_ptr<PublishedTiers> tiers_ = std::make_unique<PublishedTiers>();
    Settings settings_;
};

TEST_F(PublishedTiersTest, a_method_that_was_not_seen_is_promoted_to_an_unknown_tier) {
    EXPECT_EQ(tiers_->last(kMethod), Tier::unknown);
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::unknown);
}

TEST_F(PublishedTiersTest, tier_0_is_followed_by_instrumented_code) {
    tiers_->see(kMethod, Tier::tier0);
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::tier0_instrumented);
}

TEST_F(PublishedTiersTest, tier_0_is_followed_by_tier_1_without_profiles_or_with_instrumented_tier_0) {
    tiers_->see(kMethod, Tier::tier0);
    settings_.tiered_pgo = false;
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::tier1);
    settings_.tiered_pgo = true;
    settings_.instrument_only_hot_code = false;
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::tier1);
}

TEST_F(PublishedTiersTest, instrumented_code_is_followed_by_tier_1) {
    tiers_->see(kMethod, Tier::tier0_instrumented);
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::tier1);
    tiers_->see(kMethod, Tier::tier1_instrumented);
    EXPECT_EQ(tiers_->next(kMethod, settings_), Tier::tier1);
}

TEST_F(PublishedTiersTest, a_place_that_another_method_took_says_unknown_and_never_the_others_tier) {
    tiers_->see(kMethod, Tier::tier0);
    for (std::uint64_t other = 1; other < 100'000; ++other) {
        tiers_->see(kMethod.plus(static_cast<std::int64_t>(other * 0x40)), Tier::tier1);
    }
    EXPECT_EQ(tiers_->last(kMethod), Tier::unknown);
    EXPECT_EQ(tiers_->last(kMethod.plus(99'999 * 0x40)), Tier::tier1);
}

}  // namespace
}  // namespace tierup::runtime
