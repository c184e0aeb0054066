// What     When a mismatch is believed.
#include "runtime/lasting_mismatch.h"

#include <gtest/gtest.h>

namespace {

using tierup::runtime::LastingMismatch;

TEST(LastingMismatch, a_mismatch_is_confirmed_only_by_a_hundred_spread_looks) {
    LastingMismatch mismatch;
    std::uint64_t now = 5'000'000'000;
    for (std::uint32_t tick = 1; tick < 100; ++tick) {
        EXPECT_FALSE(mismatch.mismatched(now));
        EXPECT_FALSE(mismatch.mismatched(now + 9'999'999)) << "within 10 ms it is the same look";
        now += 10'000'000;
    }
    EXPECT_TRUE(mismatch.mismatched(now));
    EXPECT_TRUE(mismatch.mismatched(now)) << "and stays so";
}

TEST(LastingMismatch, a_process_that_was_stopped_for_an_hour_makes_one_look_of_it) {
    LastingMismatch mismatch;
    EXPECT_FALSE(mismatch.mismatched(1));
    for (int i = 0; i < 1000; ++i) {
        EXPECT_FALSE(mismatch.mismatched(3'600'000'000'000));
    }
}

TEST(LastingMismatch, one_fitting_look_starts_the_count_anew) {
    LastingMismatch mismatch;
    std::uint64_t now = 0;
    for (int i = 0; i < 99; ++i) {
        EXPECT_FALSE(mismatch.mismatched(now += 20'000'000));
    }
    mismatch.fitted();
    for (int i = 0; i < 99; ++i) {
        EXPECT_FALSE(mismatch.mismatched(now += 20'000'000));
    }
    EXPECT_TRUE(mismatch.mismatched(now += 20'000'000));
}

}  // namespace
