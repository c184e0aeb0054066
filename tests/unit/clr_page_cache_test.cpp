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

/// The next page that shares kPage's slot.
constexpr std::uint64_t find_page_of_same_slot() {
    std::uint64_t page = kPage + kPageBytes;
    while (PageCache::slot_index(page) != PageCache::slot_index(kPage)) {
        page += kPageBytes;
    }
    return page;
}
constexpr std::uint64_t kSameSlotPage = find_page_of_same_slot();

class PageCacheTest : public ::testing::Test {
protected:
    PageCacheTest() {
        clr::testing::add_zero_page(memory_, kPage);
        memory_.add_value<std::uint32_t>(Address(kPage + 8), 0x11223344);
    }

    std::uint32_t read(std::uint64_t at) {
        std::uint32_t value = 0;
        EXPECT_EQ(cache_->copy_within_page(reader_, Address(at), &value, sizeof value), Status::ok);
        return value;
    }

    /// A page that takes kPage's slot: kPage must be read again once it was read. How slots are chosen does not matter here.
    std::uint64_t find_rival() {
        cache_->forget_all();
        std::uint64_t rival = kPage;
        std::uint64_t reads = 0;
        do {
            rival += kPageBytes;
            clr::testing::add_zero_page(memory_, rival);
            (void)read(kPage);
            (void)read(rival);
            reads = reader_.read_count();
            (void)read(kPage);
        } while (reader_.read_count() == reads && rival < kPage + 100 * kCachedPages * kPageBytes);
        memory_.add_value<std::uint32_t>(Address(rival + 8), 0x55667788);
        cache_->forget_all();
        reader_.reset();
        return rival;
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
    const std::uint64_t rival = find_rival();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(read(rival + 8), 0x55667788u);
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
    const std::uint64_t rival = find_rival();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    reader_.fail_read(2);
    std::uint32_t value = 7;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(rival), &value, sizeof value), Status::faulted);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), 3u);
}

TEST_F(PageCacheTest, a_query_begins_with_the_pages_that_the_last_one_read) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), 1u);
    memory_.add_value<std::uint32_t>(Address(kPage + 8), 5);
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(reader_.read_count(), 2u);
    EXPECT_EQ(read(kPage + 8), 5u) << "what is copied ahead is memory as it is now";
    EXPECT_EQ(reader_.read_count(), 2u);
}

TEST_F(PageCacheTest, a_page_that_no_query_reads_any_more_is_copied_ahead_a_few_times_only) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    for (std::uint64_t i = 0; i < 3 * kQueriesAhead; ++i) {
        cache_->begin_query(reader_, QueryKind::versions);
    }
    EXPECT_EQ(reader_.read_count(), 1u + kQueriesAhead);
}

TEST_F(PageCacheTest, what_one_kind_of_query_reads_is_not_copied_ahead_for_another) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    cache_->begin_query(reader_, QueryKind::description);
    EXPECT_EQ(reader_.read_count(), 1u);
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(reader_.read_count(), 2u);
}

TEST_F(PageCacheTest, a_page_that_is_gone_is_not_served_from_the_last_query) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    memory_.remove(Address(kPage), kPageBytes);
    cache_->begin_query(reader_, QueryKind::versions);
    std::uint32_t value = 7;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kPage + 8), &value, sizeof value), Status::faulted);
}

TEST_F(PageCacheTest, a_copy_across_the_end_of_a_page_is_refused) {
    cache_->forget_all();
    std::uint32_t value = 0;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kPage + 4093), &value, sizeof value), Status::invalid_argument);
    EXPECT_EQ(reader_.read_count(), 0u);
}

}  // namespace
