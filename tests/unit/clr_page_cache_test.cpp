// What     One query's page copies.
#include "clr/page_cache.h"

#include <array>
#include <memory>
#include <vector>

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
        clr::testing::add_zero_page(memory_, kPage);
        memory_.add_value<std::uint32_t>(Address(kPage + 8), 0x11223344);
    }

    std::uint32_t read(std::uint64_t at) {
        std::uint32_t value = 0;
        EXPECT_EQ(cache_->copy_within_page(reader_, Address(at), &value, sizeof value), Status::ok);
        return value;
    }

    /// Pages that may be in the same places as kPage, one fewer than there are places.
    std::vector<std::uint64_t> find_rivals() {
        std::vector<std::uint64_t> rivals;
        for (std::uint64_t page = kPage + kPageBytes; rivals.size() < kPlacesPerPage; page += kPageBytes) {
            if (PageCache::slot_index(page) == PageCache::slot_index(kPage)) {
                clr::testing::add_zero_page(memory_, page);
                rivals.push_back(page);
            }
        }
        memory_.add_value<std::uint32_t>(Address(rivals[0] + 8), 0x55667788);
        cache_->forget_all();
        return rivals;
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

TEST_F(PageCacheTest, pages_with_the_same_hash_are_all_kept) {
    const std::vector<std::uint64_t> rivals = find_rivals();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    for (std::size_t i = 0; i + 1 < kPlacesPerPage; ++i) {
        (void)read(rivals[i] + 8);
    }
    EXPECT_EQ(reader_.read_count(), kPlacesPerPage);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(read(rivals[0] + 8), 0x55667788u);
    EXPECT_EQ(reader_.read_count(), kPlacesPerPage);
}

TEST_F(PageCacheTest, a_page_without_a_place_is_read_each_time_and_drives_no_other_out) {
    const std::vector<std::uint64_t> rivals = find_rivals();
    for (std::size_t i = 0; i < kPlacesPerPage; ++i) {
        (void)read(rivals[i] + 8);
    }
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), kPlacesPerPage + 2);
    EXPECT_EQ(read(rivals[0] + 8), 0x55667788u);
    EXPECT_EQ(reader_.read_count(), kPlacesPerPage + 2);
}

TEST_F(PageCacheTest, a_page_copied_ahead_and_not_read_makes_room) {
    const std::vector<std::uint64_t> rivals = find_rivals();
    cache_->begin_query(reader_, QueryKind::versions);
    for (std::size_t i = 0; i < kPlacesPerPage; ++i) {
        (void)read(rivals[i] + 8);
    }
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    const std::uint64_t reads = reader_.read_count();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), reads);
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

TEST_F(PageCacheTest, a_failed_read_leaves_the_pages_that_were_read) {
    const std::vector<std::uint64_t> rivals = find_rivals();
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    reader_.fail_read(2);
    std::uint32_t value = 7;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(rivals[0]), &value, sizeof value), Status::faulted);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_EQ(reader_.read_count(), 2u);
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

TEST_F(PageCacheTest, a_query_is_still_until_something_that_it_read_changes) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_TRUE(cache_->is_still(reader_)) << "nothing was read";
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_TRUE(cache_->is_still(reader_));
    memory_.add_value<std::uint32_t>(Address(kPage + 4000), 1);
    EXPECT_TRUE(cache_->is_still(reader_)) << "in the page, and not read";
    memory_.add_value<std::uint32_t>(Address(kPage + 8), 1);
    EXPECT_FALSE(cache_->is_still(reader_));
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_TRUE(cache_->is_still(reader_)) << "copied ahead, and not read";
    EXPECT_EQ(read(kPage + 8), 1u);
    EXPECT_TRUE(cache_->is_still(reader_));
}

TEST_F(PageCacheTest, all_that_a_read_across_lines_touched_must_be_still) {
    for (const std::uint64_t changed : {kPage + 56, kPage + 64, kPage + 4095}) {
        cache_->begin_query(reader_, QueryKind::versions);
        std::array<unsigned char, kPageBytes> bytes{};
        ASSERT_EQ(cache_->copy_within_page(reader_, Address(kPage), bytes.data(), bytes.size()), Status::ok);
        EXPECT_TRUE(cache_->is_still(reader_));
        memory_.add_value<std::uint8_t>(Address(changed), 0x77);
        EXPECT_FALSE(cache_->is_still(reader_)) << changed - kPage;
    }
}

TEST_F(PageCacheTest, a_query_whose_page_is_gone_is_not_still) {
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    reader_.fail_read(2);
    EXPECT_FALSE(cache_->is_still(reader_));
    EXPECT_TRUE(cache_->is_still(reader_));
}

TEST_F(PageCacheTest, a_query_that_read_past_the_cache_can_not_be_told_to_be_still) {
    const std::vector<std::uint64_t> rivals = find_rivals();
    cache_->begin_query(reader_, QueryKind::versions);
    for (std::size_t i = 0; i < kPlacesPerPage; ++i) {
        (void)read(rivals[i] + 8);
    }
    EXPECT_TRUE(cache_->is_still(reader_));
    EXPECT_EQ(read(kPage + 8), 0x11223344u);
    EXPECT_FALSE(cache_->is_still(reader_));
    cache_->begin_query(reader_, QueryKind::versions);
    EXPECT_TRUE(cache_->is_still(reader_));
}

TEST_F(PageCacheTest, a_copy_across_the_end_of_a_page_is_refused) {
    cache_->forget_all();
    std::uint32_t value = 0;
    EXPECT_EQ(cache_->copy_within_page(reader_, Address(kPage + 4093), &value, sizeof value), Status::invalid_argument);
    EXPECT_EQ(reader_.read_count(), 0u);
}

}  // namespace
