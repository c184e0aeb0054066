// What     The dispatcher's pauses: from 20 us, growing, bounded by the pace, back to 20 us after a change.
// What not No thread sleeps here.
// Threads  One.
// Source   The numbers are issue A's ("an adaptive backoff from 20 us") and the part's specification: 200 us and 1 ms.
#include "watch/backoff.h"

#include <gtest/gtest.h>

namespace tierup::watch {
namespace {

TEST(Backoff, first_pause_is_20_us) {
    EXPECT_EQ(Backoff().next_pause_ns(false, Pace::distant, 1), 20'000u);
}

TEST(Backoff, pauses_grow_by_half_while_nothing_changes) {
    Backoff backoff;
    EXPECT_EQ(backoff.next_pause_ns(false, Pace::distant, 1), 20'000u);
    EXPECT_EQ(backoff.next_pause_ns(false, Pace::distant, 1), 30'000u);
    EXPECT_EQ(backoff.next_pause_ns(false, Pace::distant, 1), 45'000u);
}

std::uint64_t settled_pause_ns(Backoff& backoff, Pace pace, std::uint64_t waiters) {
    for (int round = 0; round < 100; ++round) {
        (void)backoff.next_pause_ns(false, pace, waiters);
    }
    return backoff.next_pause_ns(false, pace, waiters);
}

TEST(Backoff, pauses_end_at_200_us_while_imminent_and_1_ms_while_distant) {
    Backoff backoff;
    EXPECT_EQ(settled_pause_ns(backoff, Pace::imminent, 1), 200'000u);
    EXPECT_EQ(settled_pause_ns(backoff, Pace::distant, 1), 1'000'000u);
}

TEST(Backoff, a_wait_that_becomes_imminent_is_looked_at_within_200_us) {
    Backoff backoff;
    (void)settled_pause_ns(backoff, Pace::distant, 1);
    EXPECT_EQ(backoff.next_pause_ns(false, Pace::imminent, 1), 200'000u);
}

TEST(Backoff, a_change_brings_back_the_first_pause) {
    Backoff backoff;
    (void)settled_pause_ns(backoff, Pace::distant, 1);
    EXPECT_EQ(backoff.next_pause_ns(true, Pace::distant, 1), 20'000u);
    EXPECT_EQ(backoff.next_pause_ns(false, Pace::distant, 1), 30'000u);
}

TEST(Backoff, many_waiters_are_evaluated_at_most_a_million_times_a_second) {
    Backoff backoff;
    EXPECT_EQ(backoff.next_pause_ns(true, Pace::imminent, 10'000), 10'000'000u);
    EXPECT_EQ(settled_pause_ns(backoff, Pace::distant, 1), 1'000'000u);
}

}  // namespace
}  // namespace tierup::watch
