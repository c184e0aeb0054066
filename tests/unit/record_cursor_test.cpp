// What     The cursor's word, and positions that wrap.
// What not No queue.
// Threads  One.
// Failure  As GoogleTest has it.
#include "record/cursor.h"

#include <gtest/gtest.h>

namespace tierup::record {
namespace {

TEST(Cursor, a_word_holds_the_greatest_position_and_count) {
    const Cursor cursor = Cursor::of_word(Cursor{kPositionMask, kMaxLost}.word());
    EXPECT_EQ(cursor.position, 17'179'869'183u);  // 2^34 - 1
    EXPECT_EQ(cursor.lost, 1'073'741'823u);       // 2^30 - 1
    EXPECT_EQ(Cursor::of_word(0).position, 0u);
    EXPECT_EQ((Cursor{1, 0}.word()), 1u);
}

TEST(Cursor, counting_a_lost_event_leaves_the_position_and_stops_at_the_greatest_count) {
    EXPECT_EQ((Cursor{5, 7}.with_one_more_lost().position), 5u);
    EXPECT_EQ((Cursor{5, 7}.with_one_more_lost().lost), 8u);
    EXPECT_EQ((Cursor{5, kMaxLost}.with_one_more_lost().word()), (Cursor{5, kMaxLost}.word()));
}

TEST(Cursor, positions_wrap_and_distances_do_not_mind) {
    EXPECT_EQ(advanced(kPositionMask, 3), 2u);
    EXPECT_EQ(units_between(kPositionMask, 2), 3u);
    EXPECT_GT(units_between(3, 2), std::uint64_t{1} << 33) << "a position that is behind seems far ahead, so there is never room";
}

}  // namespace
}  // namespace tierup::record
