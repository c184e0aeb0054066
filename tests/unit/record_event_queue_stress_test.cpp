// What     Eight writers and a reader at one queue: nothing lost, each writer's order kept, numbers without holes.
// What not Single promises: record_event_queue_test.cpp. The sanitizers look here.
// Threads  Eight writers, one reader.
// Failure  As GoogleTest has it; a reader that gets nothing any more is ended by the test's time-out.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "record/event_queue.h"
#include "record_events.h"
#include "record_pages.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TIERUP_TEST_IS_SANITIZED 1
#else
#define TIERUP_TEST_IS_SANITIZED 0
#endif

namespace tierup::record {
namespace {

constexpr std::uint32_t kWriters = 8;
constexpr std::uint64_t kEach = TIERUP_TEST_IS_SANITIZED ? 20'000 : 100'000;

/// Each writer's methods are 1, 2, 3…; every seventh event has names, of which the reader checks the second.
void write_events(EventQueue& queue, std::uint32_t writer, std::atomic<std::uint64_t>& refused) {
    const std::u16string text(400, static_cast<char16_t>(u'a' + writer));
    for (std::uint64_t method = 1; method <= kEach; ++method) {
        const auto units = static_cast<std::uint32_t>(method % text.size());
        const EventNames names = {{u"Ns", 2}, {text.data(), units}, {text.data(), 1}};
        if (!queue.write(published(method, writer), method % 7 == 0 ? &names : nullptr)) {
            refused.fetch_add(1, std::memory_order_relaxed);
        }
    }
}

struct Account {
    std::uint64_t seen = 0;
    std::uint64_t missing = 0;
    std::array<std::uint64_t, kWriters> last{};
    bool may_skip = false;

    void take(const ReadEvent& read) {
        if (read.event.kind == TIERUP_EVENT_GAP) {
            missing += read.event.count;
            ASSERT_GT(read.event.count, 0u);
            ASSERT_EQ(read.event.sequence, seen + missing);
            return;
        }
        ++seen;
        ASSERT_EQ(read.event.sequence, seen + missing);
        ASSERT_LT(read.event.thread, kWriters);
        std::uint64_t& last_method = last.at(read.event.thread);
        ASSERT_TRUE(may_skip ? read.event.method > last_method : read.event.method == last_method + 1);
        last_method = read.event.method;
        ASSERT_EQ(read.texts.empty(), read.event.method % 7 != 0);
        if (!read.texts.empty()) {
            ASSERT_EQ(read.texts[1], std::u16string(read.event.method % 400, static_cast<char16_t>(u'a' + read.event.thread)));
        }
    }
};

/// Writes and reads at once, and gives the reader's account; `pause`: between two reads, so that the queue fills.
Account run(EventQueue& queue, bool may_skip, bool pause, std::uint64_t& refused) {
    std::atomic<std::uint64_t> refusals{0};
    std::atomic<std::uint32_t> running{kWriters};
    std::vector<std::thread> writers;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&queue, &refusals, &running, writer] {
            write_events(queue, writer, refusals);
            running.fetch_sub(1);
        });
    }
    Account account;
    account.may_skip = may_skip;
    for (bool is_last_round = false; !is_last_round && !::testing::Test::HasFatalFailure();) {
        is_last_round = running.load() == 0;  // read before the queue is, so that the last round sees all
        for (const ReadEvent& read : read_events(queue, pause ? 4'096 : 1 << 16)) {
            account.take(read);
        }
        is_last_round = is_last_round && !queue.has_data();
        if (pause) {
            std::this_thread::yield();
        }
    }
    for (std::thread& writer : writers) {
        writer.join();
    }
    refused = refusals.load();
    return account;
}

TEST(EventQueueStress, eight_writers_and_a_reader_lose_nothing_and_keep_each_writers_order) {
    TestPages pages;
    const auto queue = std::make_unique<EventQueue>(kPositionMask - 1'000'000);  // the positions wrap meanwhile
    ASSERT_EQ(queue->open(pages, 0), Status::ok);
    std::uint64_t refused = 0;
    const Account account = run(*queue, false, false, refused);
    EXPECT_EQ(account.seen, kWriters * kEach);
    EXPECT_EQ(account.missing, 0u);
    EXPECT_EQ(refused, 0u);
    queue->close();
    EXPECT_EQ(pages.mapped_bytes.load(), 0);
}

TEST(EventQueueStress, in_a_bounded_queue_seen_and_missing_make_up_all_written) {
    TestPages pages;
    const auto queue = std::make_unique<EventQueue>();
    ASSERT_EQ(queue->open(pages, 1), Status::ok);  // the smallest capacity
    std::uint64_t refused = 0;
    const Account account = run(*queue, true, true, refused);
    EXPECT_EQ(account.seen + account.missing, kWriters * kEach);
    EXPECT_EQ(account.missing, refused) << "what write refused is what the gaps count";
    EXPECT_GT(refused, 0u) << "the bound was never met";
    queue->close();
    EXPECT_EQ(pages.mapped_bytes.load(), 0);
}

TEST(EventQueueStress, when_the_system_refuses_memory_for_a_while_gaps_tell_it) {
    TestPages pages;
    const auto queue = std::make_unique<EventQueue>();
    ASSERT_EQ(queue->open(pages, 0), Status::ok);
    pages.refuse_from.store(4);
    pages.refuse_until.store(2'000);
    std::uint64_t refused = 0;
    const Account account = run(*queue, true, true, refused);
    EXPECT_EQ(account.seen + account.missing, kWriters * kEach);
    EXPECT_EQ(account.missing, refused);
    EXPECT_GT(refused, 0u) << "no memory was refused";
    queue->close();
    EXPECT_EQ(pages.mapped_bytes.load(), 0);
}

}  // namespace
}  // namespace tierup::record
