// What     Finding the tiering manager by a method in its pending list: where it is found, and what is refused.
#include "layout/pending_list_search.h"

#include <tuple>

#include <gtest/gtest.h>

#include "layout/method_list.h"
#include "manager_image.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

/// reference/platforms.md, "Tiering manager neighbours": what was seen on linux-x64 8, 9, 10, 11, on win-x64 and arm64.
constexpr std::uint32_t kSeenOffsets[] = {0xed8, 0xc08, 0x758, 0x750, 0x810, 0x660, 0x628, 0xc88};

class PendingListSearchTest : public ::testing::TestWithParam<std::tuple<std::uint32_t, Form>> {
protected:
    void SetUp() override { image_.list_holds({1, 2, 3}); }
    Status search(std::uint64_t number = 3) { return search_pending_list(memory_, kAppDomain, method(number), layout_); }
    void expect_untouched() {
        EXPECT_FALSE(layout_.is_complete());
        EXPECT_EQ(layout_.found_by, found_by_nothing);
    }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_, std::get<0>(GetParam()), std::get<1>(GetParam())};
    ManagerLayout layout_;
};

TEST_P(PendingListSearchTest, the_manager_is_found_with_an_empty_and_with_a_filled_queue) {
    ASSERT_EQ(search(), Status::ok);
    EXPECT_EQ(layout_.list_offset, image_.list_offset);
    EXPECT_EQ(layout_.found_by, found_by_pending_list);
    image_.queue_holds({7, 8, 9});
    ManagerLayout again;
    ASSERT_EQ(search_pending_list(memory_, kAppDomain, method(1), again), Status::ok);
    EXPECT_TRUE(again.agrees_with(layout_));
}

TEST_P(PendingListSearchTest, a_list_without_the_method_is_not_it) {
    EXPECT_EQ(search(4), Status::absent);
    image_.put(0, std::uint64_t{0});
    EXPECT_EQ(search(), Status::absent) << "no delay, no list";
    expect_untouched();
}

TEST_P(PendingListSearchTest, neighbours_that_do_not_fit_are_refused) {
    image_.count_is(1);
    EXPECT_EQ(search(), Status::absent) << "a count without entries";
    image_.count_is(0);
    image_.put(9, std::uint8_t{3});
    EXPECT_EQ(search(), Status::absent) << "a flag of 3";
    image_.put(9, std::uint8_t{0});
    image_.queue_holds({1, 2, 3});
    ManagerImage::put_node(memory_, 2, 0);
    EXPECT_EQ(search(), Status::absent) << "a chain that breaks off";
    image_.queue_holds({1, 2, 3});
    image_.count_is(4);
    EXPECT_EQ(search(), Status::absent) << "a count above the chain";
    expect_untouched();
}

TEST_P(PendingListSearchTest, a_list_that_is_out_of_bounds_is_refused) {
    image_.list_header(24, 16);
    EXPECT_EQ(search(), Status::absent);
    image_.list_header(8 * kMaxListMethods + 8, 8 * kMaxListMethods + 8);
    EXPECT_EQ(search(), Status::absent);
    image_.list_header(24, 8192, Address(0x560000ff0000));
    EXPECT_EQ(search(), Status::absent) << "no buffer there";
    expect_untouched();
}

TEST_P(PendingListSearchTest, two_places_that_fit_are_refused) {
    ManagerImage other(memory_, image_.list_offset, image_.form);
    other.list_offset = 0x1800;
    other.queue_holds({});
    image_.list_holds({1, 2, 3});
    other.list_holds({1, 2, 3});
    EXPECT_EQ(search(), Status::unknown);
    expect_untouched();
}

TEST_P(PendingListSearchTest, a_second_place_that_holds_the_list_and_does_not_fit_is_no_rival) {
    memory_.add_value(kAppDomain.plus(0x1800), kList.value());
    memory_.add_value(kAppDomain.plus(0x1800 + 8), std::uint64_t{0x0202020202020202});
    EXPECT_EQ(search(), Status::ok);
    EXPECT_EQ(layout_.list_offset, image_.list_offset);
}

TEST_P(PendingListSearchTest, a_list_that_goes_away_during_the_search_is_not_taken) {
    memory::testing::FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == kListBuffer) {
            image_.put(0, std::uint64_t{0});
        }
    });
    EXPECT_EQ(search_pending_list(reader, kAppDomain, method(3), layout_), Status::absent);
    expect_untouched();
}

TEST_P(PendingListSearchTest, what_can_be_read_of_the_app_domain_is_searched) {
    memory_.remove(Address(0x560000003000), 0x1000);  // the page behind it
    EXPECT_EQ(search(), image_.list_offset + 16 <= 0x560000003000 - kAppDomain.value() ? Status::ok : Status::absent);
    memory_.remove(kAppDomain, 0x800);
    EXPECT_EQ(search(), Status::faulted);
}

INSTANTIATE_TEST_SUITE_P(EachRuntime, PendingListSearchTest,
                         ::testing::Combine(::testing::ValuesIn(kSeenOffsets), ::testing::ValuesIn(kForms)));

}  // namespace
