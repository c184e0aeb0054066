// What     One query's page copies.
#include "clr/page_cache.h"

#include <memory>

#include <gtest/gtest.h>

#include "clr_fake_method.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::clr;
using memory::testing::BufferReader;
using memory::testing::FaultyReader;

constexpr std::uint64_t kPage = 0x10000;

class PageCacheTest : public ::testing::Test {
protected:
    PageCacheTest() {
        for (const std::uint64_t page : {kPage, kPage + kPageBytes, kPage + kCachedPages * kPageBytes}) {
            clr::testing::add_zero_page(memory_, page);
        }
        memory_.add_value<std::uint32_t>(Address(kPage + 8), 0x11223344);
        memory_.add_value<std::uint32_t>(Address(kPage + kCachedPages * kPageBytes + 8), 0x55667788);
    }

    std::uint32_t read(std::uint64_t at) {
        std::uint32_t value = 0;
        EXPECT_EQ(cache_->copy_within_page(reader_, Address(at), &value, sizeof value), Status::ok);
        return value;
    }

    BufferReader memory_;
    FaultyReader reader_{memory_};
    std::unique_ptr<PageCache> cache_ = std::make_unique<PageCache>();
};

TEST_F(PageCacheTest, a_page_is_read_once_until_all_is_forgotten) {
    cache_->forget_all();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(read(kPage + 4092), 0u);
    EXPECT_EQ(reader_.read_count(), 1u);
    memory_.add_value<std::uint32_t>(Address(kPage + 8), 1);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    cache_->forget_all();
    EXPECT_EQ(read(kPage + 8), 1u);
    EXPECT_EQ(reader_.read_count(), 2u);
}

TEST_F(PageCacheTest, pages_that_share_a_slot_replace_each_other) {
    cache_->forget_all();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(read(kPage + kCachedPages * kPageBytes + 8), 0x55667788u);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), 3u);
}

TEST_F(PageCacheTest, before_the_first_forget_all_nothing_is_kept) {
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    memory_.add_value<std::uint32_t>(Address(kPage + 8), 2);
    EXPECT_EQ(read(kPage + 8), 2u);
}

TEST_F(PageCacheTest, a_page_that_can_not_be_read_is_a_fault_each_time_and_then_is_tried_again) {
    cache_->forget_all();
    std::uint32_t value = 7;
    constexpr std::uint64_t kMissing = kPage + 2 * kPageBytes;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kMissing), &value, sizeof value), Status::faulted);
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kMissing), &value, sizeof value), Status::faulted);
    clr::testing::add_zero_page(memory_, kMissing);
    EXPECT_EQ(read(kMissing), 0u);
}

TEST_F(PageCacheTest, a_failed_read_does_not_leave_the_page_that_was_in_the_slot) {
    cache_->forget_all();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    reader_.fail_read(2);
    std::uint32_t value = 7;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kPage + kCachedPages * kPageBytes), &value, sizeof value), Status::faulted);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), 3u);
}

TEST_F(PageCacheTest, a_copy_across_the_end_of_a_page_is_refused) {
    cache_->forget_all();
    std::uint32_t value = 0;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kPage + 4093), &value, sizeof value), Status::invalid_argument);
    EXPECT_EQ(reader_.read_count(), 0u);
}

}  // namespace
