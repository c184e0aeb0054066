// What     The list of methods pending call counting: what is accepted as one, and what is copied while it moves.
#include "layout/method_list.h"

#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "manager_image.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

std::vector<std::uint64_t> numbers_up_to(std::uint64_t count) {
    std::vector<std::uint64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

class MethodListTest : public ::testing::Test {
protected:
    Status read() {
        MethodList list;
        return try_read_list(memory_, kList, list);
    }
    Status find(std::uint64_t number) {
        MethodList list;
        EXPECT_EQ(try_read_list(memory_, kList, list), Status::ok);
        return find_in_list(memory_, list, method(number));
    }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_};
    std::array<Address, 600> methods_;
    std::uint32_t count_ = 99;
};

TEST_F(MethodListTest, a_header_must_fit_itself) {
    image_.list_header(64, 512);
    EXPECT_EQ(read(), Status::ok);
    image_.list_header(512, 512);
    EXPECT_EQ(read(), Status::ok) << "full";
    image_.list_header(0, 512);
    EXPECT_EQ(read(), Status::unknown) << "a delay's list holds at least the method that began it";
    image_.list_header(520, 512);
    EXPECT_EQ(read(), Status::unknown) << "more than there is room for";
    image_.list_header(12, 512);
    EXPECT_EQ(read(), Status::unknown) << "half a pointer";
    image_.list_header(6000, 8748);
    EXPECT_EQ(read(), Status::ok) << "the room grows by half and need not be whole pointers: this one was seen";
    image_.list_header(8, 512, Address(0x1001));
    EXPECT_EQ(read(), Status::unknown) << "no buffer";
    image_.list_header(8 * kMaxListMethods, 8 * kMaxListMethods);
    EXPECT_EQ(read(), Status::ok) << "the cap itself";
    image_.list_header(8 * kMaxListMethods + 8, 8 * kMaxListMethods + 8);
    EXPECT_EQ(read(), Status::exhausted);
}

TEST_F(MethodListTest, a_method_is_found_wherever_it_stands) {
    image_.list_holds(numbers_up_to(600));
    for (const std::uint64_t number : {0u, 1u, 87u, 88u, 343u, 344u, 599u}) {
        EXPECT_EQ(find(number), Status::ok) << number;
    }
    EXPECT_EQ(find(600), Status::absent);
}

TEST_F(MethodListTest, what_stands_behind_the_size_is_not_in_the_list) {
    image_.list_holds(numbers_up_to(600));
    image_.list_header(8, 8192);
    EXPECT_EQ(find(0), Status::ok);
    EXPECT_EQ(find(1), Status::absent);
}

TEST_F(MethodListTest, methods_are_copied_oldest_first_as_far_as_there_is_room) {
    image_.list_holds(numbers_up_to(600));
    ASSERT_EQ(copy_list(memory_, kList, methods_, count_), Status::ok);
    EXPECT_EQ(count_, 600u);
    EXPECT_EQ(methods_[0], method(0));
    EXPECT_EQ(methods_[256], method(256));
    EXPECT_EQ(methods_[599], method(599));
    ASSERT_EQ(copy_list(memory_, kList, std::span(methods_).first(3), count_), Status::ok);
    EXPECT_EQ(count_, 600u);
    ASSERT_EQ(copy_list(memory_, kList, {}, count_), Status::ok);
    EXPECT_EQ(count_, 600u);
}

TEST_F(MethodListTest, a_list_that_moves_while_it_is_copied_is_not_taken) {
    image_.list_holds({1, 2, 3});
    memory::testing::FaultyReader reader(memory_);
    bool is_freed = false;
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == kListBuffer) {
            is_freed ? image_.list_header(8, 512) : image_.list_header(24, 512, Address(0x560000208000));
        }
    });
    EXPECT_EQ(copy_list(reader, kList, methods_, count_), Status::unknown) << "into another buffer";
    EXPECT_EQ(count_, 0u);
    image_.list_holds({1, 2, 3});
    is_freed = true;
    EXPECT_EQ(copy_list(reader, kList, methods_, count_), Status::unknown) << "a new, shorter list in its place";
}

TEST_F(MethodListTest, a_list_that_grows_while_it_is_copied_is_taken_as_it_was) {
    image_.list_holds({1, 2, 3});
    memory::testing::FaultyReader reader(memory_);
    reader.before_read([&](std::uint64_t, Address from, std::size_t) {
        if (from == kListBuffer) {
            image_.list_holds({1, 2, 3, 4});
        }
    });
    EXPECT_EQ(copy_list(reader, kList, methods_, count_), Status::ok);
    EXPECT_EQ(count_, 3u);
}

TEST_F(MethodListTest, an_entry_that_is_no_pointer_is_refused) {
    image_.list_holds({1, 2, 3});
    memory_.add_value(kListBuffer.plus(8), std::uint64_t{0xfeed});
    EXPECT_EQ(copy_list(memory_, kList, methods_, count_), Status::unknown);
    EXPECT_EQ(count_, 0u);
}

}  // namespace
