// What     Which neighbours fit each other, in each form of the queue's ends.
#include "layout/manager_fields.h"

#include <gtest/gtest.h>

#include "manager_image.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

class ManagerFieldsTest : public ::testing::TestWithParam<Form> {
protected:
    ManagerFields fields() {
        ManagerFields fields;
        EXPECT_EQ(try_read_fields(memory_, image_.list_at(), fields), Status::ok);
        return fields;
    }
    bool fits() { return fields().fits(image_.list_at()); }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_, 0x758, GetParam()};
};

TEST_P(ManagerFieldsTest, an_empty_queue_without_a_delay_fits) {
    EXPECT_TRUE(fits());
    EXPECT_EQ(fields().queue(image_.list_at()).first, 0u);
    EXPECT_EQ(fields().queue(image_.list_at()).last, 0u);
}

TEST_P(ManagerFieldsTest, one_entry_and_several_entries_fit) {
    image_.queue_holds({1});
    EXPECT_TRUE(fits());
    image_.queue_holds({1, 2, 3});
    EXPECT_TRUE(fits());
}

TEST_P(ManagerFieldsTest, a_count_that_contradicts_the_ends_does_not_fit) {
    image_.count_is(1);
    EXPECT_FALSE(fits()) << "a count without entries";
    image_.queue_holds({1, 2});
    image_.count_is(0);
    EXPECT_FALSE(fits()) << "entries without a count";
    image_.count_is(1);
    EXPECT_FALSE(fits()) << "two ends, one entry";
    image_.queue_holds({1});
    image_.count_is(2);
    EXPECT_FALSE(fits()) << "one entry, a count of two";
}

TEST_P(ManagerFieldsTest, one_end_alone_does_not_fit) {
    for (const std::uint32_t count : {0u, 1u, 2u}) {
        image_.count_is(count);
        image_.ends(node(1).value(), 0);
        EXPECT_FALSE(fits()) << count;
        image_.ends(0, node(1).value());
        EXPECT_FALSE(fits()) << count;
    }
}

TEST_P(ManagerFieldsTest, a_flag_that_is_neither_0_nor_1_does_not_fit) {
    for (const std::int64_t flag : {8, 9, 10}) {
        image_.put(flag, std::uint8_t{1});
        EXPECT_TRUE(fits()) << flag;
        image_.put(flag, std::uint8_t{2});
        EXPECT_FALSE(fits()) << flag;
        image_.put(flag, std::uint8_t{0});
    }
    image_.put(11, std::uint8_t{0xcb});
    EXPECT_TRUE(fits()) << "behind the flags the runtime leaves what was there";
}

TEST_P(ManagerFieldsTest, a_number_that_is_no_pointer_does_not_fit) {
    for (const std::uint64_t number : {std::uint64_t{8}, std::uint64_t{0x560000100004}, std::uint64_t{1} << 60}) {
        image_.put(0, number);
        EXPECT_FALSE(fits()) << number;
        image_.put(0, std::uint64_t{0});
        image_.queue_holds({1, 2});
        image_.ends(number, node(2).value());
        EXPECT_FALSE(fits()) << number;
        image_.ends(node(1).value(), number);
        EXPECT_FALSE(fits()) << number;
        image_.queue_holds({});
    }
}

TEST_P(ManagerFieldsTest, the_layout_names_a_pointer_that_is_null_where_the_queue_is_empty) {
    const auto value = [&](std::uint32_t offset) {
        std::uint64_t word = 1;
        EXPECT_EQ(memory_.try_read_value(kAppDomain.plus(offset), word), Status::ok);
        return word;
    };
    const ManagerLayout layout = fields().layout_at(image_.list_at(), 0x758, found_by_pending_list);
    ASSERT_TRUE(layout.is_complete());
    EXPECT_EQ(layout.list_offset, 0x758u);
    EXPECT_EQ(value(layout.entry_offset), 0u);
    image_.queue_holds({1, 2});
    EXPECT_NE(value(layout.entry_offset), 0u);
}

INSTANTIATE_TEST_SUITE_P(EachForm, ManagerFieldsTest, ::testing::ValuesIn(kForms));

TEST(ManagerLayout, is_poisoned_until_it_is_filled) {
    ManagerLayout layout;
    EXPECT_FALSE(layout.is_complete());
    EXPECT_GT(layout.list_offset, kAppDomainBytes);
    EXPECT_GT(layout.entry_offset, kAppDomainBytes);
    layout.list_offset = 0x758;
    EXPECT_FALSE(layout.is_complete()) << "half filled";
}

TEST(ManagerLayout, only_offsets_with_their_neighbours_inside_are_looked_at) {
    EXPECT_FALSE(is_list_offset(24, kAppDomainBytes));
    EXPECT_TRUE(is_list_offset(32, kAppDomainBytes));
    EXPECT_FALSE(is_list_offset(36, kAppDomainBytes));
    EXPECT_TRUE(is_list_offset(kAppDomainBytes - 16, kAppDomainBytes));
    EXPECT_FALSE(is_list_offset(kAppDomainBytes - 8, kAppDomainBytes));
    EXPECT_FALSE(is_list_offset(kPoison, kAppDomainBytes));
    EXPECT_FALSE(is_list_offset(0x758, 0x760));
}

}  // namespace
