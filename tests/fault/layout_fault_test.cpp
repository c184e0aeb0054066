// What     Searching, sampling and listing while each read fails in turn: the right answer or none.
#include <array>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "each_read.h"
#include "layout/batch_vote.h"
#include "layout/method_list.h"
#include "layout/pending_list_search.h"
#include "layout/queue_walk.h"
#include "manager_image.h"

namespace {

using namespace tierup;
using namespace tierup::layout;
using namespace tierup::layout::testing;

class LayoutFaultTest : public ::testing::TestWithParam<std::tuple<Form, bool>> {
protected:
    void SetUp() override {
        image_.list_holds({1, 2, 3});
        image_.queue_holds({7, 8, 9});
    }
    template <typename Scenario, typename Check>
    std::uint64_t fail_each_read(Scenario scenario, Check check) {
        return fault::fail_each_read(memory_, scenario, check, std::get<1>(GetParam()));
    }

    memory::testing::BufferReader memory_;
    ManagerImage image_{memory_, 0x758, std::get<0>(GetParam())};
};

TEST_P(LayoutFaultTest, a_search_finds_the_right_place_or_none) {
    const std::uint64_t faults = fail_each_read(
        [](const memory::Reader& reader) {
            ManagerLayout layout;
            const Status status = search_pending_list(reader, kAppDomain, method(2), layout);
            return std::pair(status, layout);
        },
        [](const std::pair<Status, ManagerLayout>& result, std::uint64_t failed_read) {
            if (result.first == Status::ok) {
                EXPECT_EQ(result.second.list_offset, 0x758u);
            } else {
                EXPECT_NE(failed_read, 0u);
                EXPECT_FALSE(result.second.is_complete());
            }
        });
    EXPECT_GE(faults, 8u) << "the AppDomain's pages, the list's header and methods, the fields, three nodes";
}

TEST_P(LayoutFaultTest, a_sample_elects_the_right_place_or_none) {
    const std::uint64_t faults = fail_each_read(
        [](const memory::Reader& reader) {
            const auto vote = std::make_unique<BatchVote>();
            const auto sample = std::make_unique<BatchSample>();
            for (int i = 0; i < 4; ++i) {
                if (sample->take_counted(reader, kAppDomain, 3) == Status::ok) {
                    vote->add(*sample);
                }
            }
            ManagerLayout layout;
            const Status status = vote->verdict(layout);
            return std::pair(status, layout);
        },
        [](const std::pair<Status, ManagerLayout>& result, std::uint64_t failed_read) {
            if (result.first == Status::ok) {
                EXPECT_EQ(result.second.list_offset, 0x758u);
            } else {
                EXPECT_NE(failed_read, 0u);
                EXPECT_FALSE(result.second.is_complete());
            }
        });
    EXPECT_GE(faults, 4u * 5);
}

TEST_P(LayoutFaultTest, a_listing_of_the_queue_is_whole_or_none) {
    struct Listing {
        Status status = Status::ok;
        std::array<QueuedVersion, 4> versions{};
        std::uint32_t count = 0;
    };
    const std::uint64_t faults = fail_each_read(
        [this](const memory::Reader& reader) {
            Listing listing;
            listing.status = copy_queue(reader, image_.list_at(), listing.versions, listing.count);
            return listing;
        },
        [](const Listing& listing, std::uint64_t failed_read) {
            if (listing.status != Status::ok) {
                EXPECT_NE(failed_read, 0u);
                EXPECT_EQ(listing.count, 0u);
                return;
            }
            ASSERT_EQ(listing.count, 3u);
            for (std::uint64_t i = 0; i < 3; ++i) {
                EXPECT_EQ(listing.versions[i].version_node, version(7 + i));
            }
        });
    EXPECT_GE(faults, 6u);
}

TEST_P(LayoutFaultTest, a_copy_of_the_delays_list_is_whole_or_none) {
    struct Copied {
        Status status = Status::ok;
        std::array<Address, 4> methods{};
        std::uint32_t count = 0;
    };
    const std::uint64_t faults = fail_each_read(
        [](const memory::Reader& reader) {
            Copied copied;
            copied.status = copy_list(reader, kList, copied.methods, copied.count);
            return copied;
        },
        [](const Copied& copied, std::uint64_t failed_read) {
            EXPECT_EQ(copied.status == Status::ok, failed_read == 0);
            EXPECT_EQ(copied.count, failed_read == 0 ? 3u : 0u);
            if (failed_read == 0) {
                EXPECT_EQ(copied.methods[2], method(3));
            }
        });
    EXPECT_EQ(faults, 3u);
}

INSTANTIATE_TEST_SUITE_P(EachFormOnceAndForEver, LayoutFaultTest, ::testing::Combine(::testing::ValuesIn(kForms), ::testing::Bool()));

}  // namespace
