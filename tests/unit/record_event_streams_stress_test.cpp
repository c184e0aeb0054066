// What     Opening, reading and closing streams while eight threads write without a pause.
// What not Single promises: record_event_streams_test.cpp. The sanitizers look here.
// Threads  Eight writers; two threads that open, read and close; one that asks for data.
// Failure  As GoogleTest has it; all rounds are counted, none is timed.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "record/event_streams.h"
#include "record_events.h"
#include "record_pages.h"

namespace tierup::record {
namespace {

constexpr std::uint32_t kWriters = 8;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kRounds = 150;
#else
constexpr int kRounds = 500;
#endif

/// Events of one stream from its opening on: numbers without holes, each writer's methods without holes.
struct StreamAccount {
    std::uint64_t sequence = 0;
    std::array<std::uint64_t, kWriters> last{};

    void take(std::span<const std::byte> bytes) {
        for (const ReadEvent& read : take_apart(bytes)) {
            ASSERT_EQ(read.event.sequence, ++sequence);
            ASSERT_LT(read.event.thread, kWriters);
            std::uint64_t& before = last.at(read.event.thread);
            ASSERT_TRUE(before == 0 || read.event.method == before + 1) << before << " then " << read.event.method;
            before = read.event.method;
        }
    }
};

TEST(EventStreamsStress, closing_under_fire_frees_nothing_that_a_writer_touches) {
    TestPages pages;
    const auto streams = std::make_unique<EventStreams>(pages);
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> any_id{0};
    std::vector<std::thread> writers;
    for (std::uint32_t writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] {
            const EventNames names = {{u"Ns", 2}, {u"Method", 6}, {u"void ()", 7}};
            for (std::uint64_t method = 1; !is_over.load(std::memory_order_relaxed); ++method) {
                streams->write(published(method, writer), &names);
                if (method % 64 == 0) {
                    std::this_thread::yield();
                }
            }
        });
    }
    std::thread asker([&] {
        while (!is_over.load(std::memory_order_relaxed)) {
            (void)streams->has_data(any_id.load());
            (void)streams->is_listening();
            (void)streams->wants_names();
            std::this_thread::yield();
        }
    });
    std::vector<std::thread> openers;
    for (int opener = 0; opener < 2; ++opener) {
        openers.emplace_back([&, opener] {
            std::vector<std::byte> buffer(1 << 16);
            for (int round = 0; round < kRounds && !::testing::Test::HasFatalFailure(); ++round) {
                std::uint64_t id = 0;
                const Status status = streams->open({(round + opener) % 2 == 0, 0}, id);
                if (status == Status::exhausted) {
                    continue;  // slots left behind by writers that were taken off their processors
                }
                ASSERT_EQ(status, Status::ok);
                any_id.store(id);
                StreamAccount account;
                for (int read = 0; read < 3; ++read) {
                    std::size_t bytes = 0;
                    ASSERT_EQ(streams->read(id, buffer, bytes), Status::ok);
                    account.take(std::span(buffer).first(bytes));
                }
                ASSERT_EQ(streams->close(id), Status::ok);
                std::size_t bytes = 0;
                ASSERT_EQ(streams->read(id, buffer, bytes), Status::absent);
            }
        });
    }
    for (std::thread& opener : openers) {
        opener.join();
    }
    is_over.store(true);
    for (std::thread& writer : writers) {
        writer.join();
    }
    asker.join();
    // Nobody writes any longer: opening all slots frees what was left behind.
    std::array<std::uint64_t, kMaxStreams> ids{};
    for (std::uint64_t& id : ids) {
        ASSERT_EQ(streams->open({}, id), Status::ok);
    }
    for (const std::uint64_t id : ids) {
        ASSERT_EQ(streams->close(id), Status::ok);
    }
    EXPECT_EQ(pages.mapped_bytes.load(), 0);
}

}  // namespace
}  // namespace tierup::record
