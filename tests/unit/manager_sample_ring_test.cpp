// What     Samples passed from event callbacks to the dispatcher: none torn, none handed out twice.
#include "runtime/sample_ring.h"

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tierup::runtime::SampleRing;

TEST(SampleRing, hands_out_each_place_once_and_then_none) {
    const auto ring = std::make_unique<SampleRing>();
    std::set<tierup::layout::BatchSample*> claimed;
    for (std::size_t i = 0; i < SampleRing::kSamples; ++i) {
        auto* const sample = ring->claim();
        ASSERT_NE(sample, nullptr);
        EXPECT_TRUE(claimed.insert(sample).second);
    }
    EXPECT_EQ(ring->claim(), nullptr);
    EXPECT_EQ(ring->take(), nullptr) << "none is filled yet";
    ring->drop(*claimed.begin());
    EXPECT_EQ(ring->claim(), *claimed.begin());
    ring->hand_over(*claimed.rbegin());
    EXPECT_EQ(ring->take(), *claimed.rbegin());
    EXPECT_EQ(ring->claim(), nullptr) << "being read";
    ring->give_back(*claimed.rbegin());
    EXPECT_EQ(ring->claim(), *claimed.rbegin());
}

TEST(SampleRing, two_writers_and_a_reader_never_see_a_torn_sample) {
    const auto ring = std::make_unique<SampleRing>();
    constexpr std::uint32_t kRounds = 2000;
    std::atomic<int> writers = 2;
    std::uint64_t handed_over[2] = {};
    const auto write = [&](std::uint32_t writer) {
        for (std::uint32_t i = 1; i <= kRounds; ++i) {
            if (auto* const sample = ring->claim(); sample != nullptr) {
                sample->pending_count = writer * kRounds + i;
                sample->image.bytes.fill(static_cast<std::uint8_t>(sample->pending_count));
                ring->hand_over(sample);
                ++handed_over[writer];
            } else {
                std::this_thread::yield();
            }
        }
        --writers;
    };
    std::vector<std::thread> threads;
    threads.emplace_back(write, 0u);
    threads.emplace_back(write, 1u);
    std::set<std::uint32_t> seen;
    for (bool is_over = false; !is_over;) {
        is_over = writers == 0;
        while (auto* const sample = ring->take()) {
            EXPECT_TRUE(seen.insert(sample->pending_count).second) << "twice";
            for (const std::uint8_t byte : sample->image.bytes) {
                ASSERT_EQ(byte, static_cast<std::uint8_t>(sample->pending_count));
            }
            ring->give_back(sample);
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(seen.size(), handed_over[0] + handed_over[1]);
    EXPECT_GT(seen.size(), 0u);
}

}  // namespace
