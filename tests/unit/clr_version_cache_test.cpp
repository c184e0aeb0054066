// What     Which lists are remembered, and for which questions.
#include "clr/version_cache.h"

#include <memory>

#include <gtest/gtest.h>

namespace {

using namespace tierup;
using namespace tierup::clr;

constexpr Address kMethod{0x7f0000001000};

CodeVersionList list_of(std::uint32_t count) {
    CodeVersionList list;
    list.count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        list.items[i] = {Address(0x1000u * (i + 1)), Address(i), Tier::tier0};
    }
    return list;
}

class VersionCacheTest : public ::testing::Test {
protected:
    bool finds(Address method, std::uint64_t code) { return cache_->try_find(method, Address(code), found_); }

    std::unique_ptr<VersionCache> cache_ = std::make_unique<VersionCache>();
    CodeVersionList found_;
};

TEST_F(VersionCacheTest, finds_a_list_by_any_code_in_it_and_by_no_other) {
    EXPECT_FALSE(finds(kMethod, 0x1000));
    cache_->store(kMethod, list_of(3));
    for (const std::uint64_t code : {0x1000u, 0x2000u, 0x3000u}) {
        ASSERT_TRUE(finds(kMethod, code));
        EXPECT_EQ(found_.count, 3u);
        EXPECT_EQ(found_.items[1].code, Address(0x2000));
        EXPECT_EQ(found_.items[1].tier, Tier::tier0);
        EXPECT_FALSE(found_.is_truncated);
    }
    EXPECT_FALSE(finds(kMethod, 0x4000));
    EXPECT_FALSE(finds(kMethod.plus(8), 0x1000));
}

TEST_F(VersionCacheTest, a_version_without_code_answers_no_question) {
    CodeVersionList list = list_of(2);
    list.items[1].code = Address();
    cache_->store(kMethod, list);
    EXPECT_TRUE(finds(kMethod, 0x1000));
    EXPECT_FALSE(finds(kMethod, 0));
}

TEST_F(VersionCacheTest, a_newer_list_replaces_the_older) {
    cache_->store(kMethod, list_of(1));
    cache_->store(kMethod, list_of(2));
    ASSERT_TRUE(finds(kMethod, 0x1000));
    EXPECT_EQ(found_.count, 2u);
}

TEST_F(VersionCacheTest, truncated_and_long_lists_are_not_kept_but_the_method_is_known) {
    cache_->store(kMethod, list_of(2));
    CodeVersionList truncated = list_of(2);
    truncated.is_truncated = true;
    cache_->store(kMethod, truncated);
    EXPECT_FALSE(finds(kMethod, 0x1000));
    EXPECT_TRUE(cache_->knows(kMethod));
    cache_->store(kMethod, list_of(kCachedVersions));
    EXPECT_TRUE(finds(kMethod, 0x1000));
    cache_->store(kMethod, list_of(kCachedVersions + 1));
    EXPECT_FALSE(finds(kMethod, 0x1000));
}

TEST_F(VersionCacheTest, a_method_with_the_same_slot_takes_it_over) {
    cache_->store(kMethod, list_of(1));
    // Somewhere among many methods one shares the slot; then the first is gone, and never mistaken.
    Address other = kMethod;
    for (int i = 0; i < 1'000'000 && cache_->knows(kMethod); ++i) {
        other = other.plus(8);
        cache_->store(other, list_of(2));
    }
    EXPECT_FALSE(cache_->knows(kMethod));
    EXPECT_FALSE(finds(kMethod, 0x1000));
    ASSERT_TRUE(finds(other, 0x1000));
    EXPECT_EQ(found_.count, 2u);
}

TEST_F(VersionCacheTest, no_method_is_known_at_first_not_even_null) {
    EXPECT_FALSE(cache_->knows(Address()));
    EXPECT_FALSE(finds(Address(), 0));
}

}  // namespace
