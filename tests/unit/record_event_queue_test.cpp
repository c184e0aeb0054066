// What     One queue: order, texts, gaps, chunks, memory. A writer at a time, but for the one that is held up in the middle of its copy.
// What not Contention: record_event_queue_stress_test.cpp.
// Threads  One, two where a test says so.
// Failure  As GoogleTest has it; waits are bounded by the test's time-out.
#include "record/event_queue.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <thread>

#include "record_events.h"
#include "record_pages.h"

namespace tierup::record {
namespace {

class EventQueueTest : public ::testing::Test {
protected:
    void open(std::uint64_t capacity_bytes, std::uint64_t first_position = 0) {
        queue_ = std::make_unique<EventQueue>(first_position);
        ASSERT_EQ(queue_->open(pages_, capacity_bytes), Status::ok);
    }
    void write(std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t method = from; method <= to; ++method) {
            EXPECT_TRUE(queue_->write(published(method), nullptr));
        }
    }
    void TearDown() override {
        if (queue_ != nullptr) {
            queue_->close();
        }
        EXPECT_EQ(pages_.mapped_bytes.load(), 0) << "close gives all memory back";
    }

    TestPages pages_;
    std::unique_ptr<EventQueue> queue_;
};

TEST_F(EventQueueTest, events_come_out_in_their_order_with_numbers_from_one_on) {
    open(0);
    EXPECT_FALSE(queue_->has_data());
    EXPECT_TRUE(read_all(*queue_).empty());
    TieringEvent event = published(77, 5);
    event.time_ns = 11;
    event.module = 12;
    event.code = 13;
    event.node = 14;
    event.code_bytes = 15;
    event.token = 16;
    event.count = 17;
    event.jitted = 18;
    event.tier = Tier::tier1;
    queue_->write(event, nullptr);
    write(78, 80);
    EXPECT_TRUE(queue_->has_data());
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), 4u);
    const tierup_event& first = events[0].event;
    EXPECT_EQ(first.size, 80u);
    EXPECT_EQ(first.kind, TIERUP_EVENT_PUBLISHED);
    EXPECT_EQ(first.tier, TIERUP_TIER_1);
    EXPECT_EQ(first.name_units, 0u);
    EXPECT_EQ(first.time_ns, 11u);
    EXPECT_EQ(first.method, 77u);
    EXPECT_EQ(first.module, 12u);
    EXPECT_EQ(first.code, 13u);
    EXPECT_EQ(first.node, 14u);
    EXPECT_EQ(first.code_bytes, 15u);
    EXPECT_EQ(first.token, 16u);
    EXPECT_EQ(first.thread, 5u);
    EXPECT_EQ(first.count, 17u);
    EXPECT_EQ(first.jitted, 18u);
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(events[i].event.sequence, i + 1);
        EXPECT_EQ(events[i].event.method, 77 + i);
    }
    EXPECT_FALSE(queue_->has_data());
}

TEST_F(EventQueueTest, names_come_out_as_they_went_in_and_long_ones_say_that_they_are_cut) {
    open(0);
    const std::u16string signature(kMaxTextUnits + 1, u's');
    const EventNames names = {{u"Space", 5}, {u"Method", 6}, {u"", 0}};
    const EventNames long_names = {{u"Space", 5}, {u"Method", 6}, text_of(signature)};
    queue_->write(published(1), &names);
    queue_->write(published(2), &long_names);
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].texts, (std::vector<std::u16string>{u"Space", u"Method", u""}));
    EXPECT_EQ(events[0].event.flags, 0u);
    EXPECT_EQ(events[1].texts, (std::vector<std::u16string>{u"Space", u"Method", signature.substr(1)}));
    EXPECT_EQ(events[1].event.flags, TIERUP_EVENT_NAMES_CUT);
}

TEST_F(EventQueueTest, a_read_gives_whole_events_only_and_says_what_the_next_one_needs) {
    open(0);
    const EventNames names = {{u"Ns", 2}, {u"M", 1}, {u"void ()", 7}};
    write(1, 2);
    queue_->write(published(3), &names);
    std::vector<std::byte> buffer(2 * 80 + 79);
    std::size_t bytes = 99;
    EXPECT_EQ(queue_->read(std::span(buffer).first(79), bytes), Status::exhausted);
    EXPECT_EQ(bytes, 80u);
    EXPECT_EQ(queue_->read(buffer, bytes), Status::ok);
    EXPECT_EQ(bytes, 160u);
    EXPECT_EQ(queue_->read(std::span(buffer).first(111), bytes), Status::exhausted);
    EXPECT_EQ(bytes, 112u) << "80 bytes and 13 units, rounded up to a multiple of 8";
    EXPECT_TRUE(queue_->has_data());
    EXPECT_EQ(queue_->read(std::span(buffer).first(112), bytes), Status::ok);
    EXPECT_EQ(take_apart(std::span(buffer).first(bytes)).at(0).event.sequence, 3u);
}

TEST_F(EventQueueTest, an_unbounded_queue_keeps_many_chunks_of_events_that_nobody_reads) {
    open(0);
    constexpr std::uint64_t kEvents = 6 * (kChunkBytes / 80);
    write(1, kEvents);
    EXPECT_EQ(queue_->chunks_mapped_by_writers(), 5u) << "one chunk was there";
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), kEvents);
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        ASSERT_EQ(events[i].event.method, i + 1);
        ASSERT_EQ(events[i].event.sequence, i + 1);
    }
    EXPECT_LE(pages_.mapped_bytes.load(), 6 * static_cast<std::int64_t>(kChunkBytes)) << "read chunks are given back but for a few";
}

TEST_F(EventQueueTest, chunks_are_used_again_while_a_reader_keeps_up) {
    open(0);
    for (std::uint64_t round = 0; round < 100; ++round) {
        write(round * 3000 + 1, round * 3000 + 3000);
        const std::vector<ReadEvent> events = read_all(*queue_);
        ASSERT_EQ(events.size(), 3000u);
        ASSERT_EQ(events.back().event.method, round * 3000 + 3000);
        ASSERT_EQ(events.back().event.sequence, round * 3000 + 3000);
    }
    EXPECT_EQ(queue_->chunks_mapped_by_writers(), 0u);
    EXPECT_LE(pages_.calls.load(), 4u);
}

TEST_F(EventQueueTest, events_of_all_sizes_cross_the_ends_of_chunks_unharmed) {
    open(0);
    const std::u16string text(kMaxTextUnits, u't');
    std::uint64_t method = 0;
    for (int round = 0; round < 40; ++round) {
        for (std::uint32_t units = 0; units <= kMaxTextUnits; units += 97) {
            const EventNames names = {{text.data(), units}, {text.data(), units / 2}, {text.data(), units / 3}};
            EXPECT_TRUE(queue_->write(published(++method), &names));
        }
    }
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), method);
    for (std::size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(events[i].event.method, i + 1);
        ASSERT_EQ(events[i].texts[0].size(), i % 43 * 97);
        ASSERT_EQ(events[i].texts[0].find_first_not_of(u't'), std::u16string::npos);
    }
}

TEST_F(EventQueueTest, positions_wrap_without_a_trace) {
    open(0, kPositionMask - 100'000);
    write(1, 30'000);  // 300,000 units
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), 30'000u);
    for (std::size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(events[i].event.method, i + 1);
    }
}

TEST_F(EventQueueTest, in_a_bounded_queue_one_gap_stands_where_events_are_missing) {
    constexpr std::uint64_t kRoom = 1000;
    open(kRoom * 80);
    write(1, kRoom);
    for (std::uint64_t method = kRoom + 1; method <= kRoom + 7; ++method) {
        EXPECT_FALSE(queue_->write(published(method), nullptr));
    }
    EXPECT_EQ(read_events(queue_.operator*(), 160).size(), 2u);  // room for two: a gap and an event
    EXPECT_TRUE(queue_->write(published(2000), nullptr));
    EXPECT_FALSE(queue_->write(published(2001), nullptr));
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), kRoom - 2 + 3);
    const std::size_t gap = kRoom - 2;
    EXPECT_EQ(events[gap - 1].event.method, kRoom);
    EXPECT_EQ(events[gap].event.kind, TIERUP_EVENT_GAP);
    EXPECT_EQ(events[gap].event.count, 7u);
    EXPECT_EQ(events[gap].event.sequence, kRoom + 7) << "the number of the last one that it stands for";
    EXPECT_EQ(events[gap + 1].event.method, 2000u);
    EXPECT_EQ(events[gap + 1].event.sequence, kRoom + 8);
    EXPECT_EQ(events[gap + 2].event.kind, TIERUP_EVENT_GAP) << "the reader itself tells what was lost last";
    EXPECT_EQ(events[gap + 2].event.count, 1u);
    EXPECT_EQ(events[gap + 2].event.sequence, kRoom + 9);
    EXPECT_FALSE(queue_->has_data());
}

TEST_F(EventQueueTest, a_gap_that_is_told_last_waits_for_a_buffer_like_any_event) {
    open(1);
    const std::u16string text(kMaxTextUnits, u't');
    const EventNames names = {text_of(text), text_of(text), text_of(text)};
    EXPECT_TRUE(queue_->write(published(1), &names)) << "the smallest capacity takes the largest event";
    EXPECT_FALSE(queue_->write(published(2), &names));
    EXPECT_EQ(read_events(*queue_, 80 + 3 * 4097 * 2 + 2).size(), 1u);
    EXPECT_TRUE(queue_->has_data());
    std::byte small[79];
    std::size_t bytes = 0;
    EXPECT_EQ(queue_->read(small, bytes), Status::exhausted);
    EXPECT_EQ(bytes, 80u);
    EXPECT_TRUE(queue_->write(published(3), &names)) << "with the gap before it";
    const std::vector<ReadEvent> events = read_all(*queue_);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].event.kind, TIERUP_EVENT_GAP);
    EXPECT_EQ(events[0].event.sequence, 2u);
    EXPECT_EQ(events[1].event.method, 3u);
}

TEST_F(EventQueueTest, a_bounded_queue_uses_no_more_memory_than_its_capacity_and_a_few_chunks) {
    open(kChunkBytes);
    for (std::uint64_t method = 1; method <= 100'000; ++method) {
        queue_->write(published(method), nullptr);
    }
    EXPECT_LE(pages_.mapped_bytes.load(), 4 * static_cast<std::int64_t>(kChunkBytes));
    std::uint64_t total = 0;
    for (const ReadEvent& read : read_all(*queue_)) {
        total += read.event.kind == TIERUP_EVENT_GAP ? read.event.count : 1;
    }
    EXPECT_EQ(total, 100'000u);
}

TEST_F(EventQueueTest, a_queue_can_be_opened_again_and_begins_anew) {
    open(0);
    write(1, 10);
    queue_->close();
    ASSERT_EQ(queue_->open(pages_, 0), Status::ok);
    EXPECT_FALSE(queue_->has_data());
    write(11, 11);
    EXPECT_EQ(read_all(*queue_).at(0).event.sequence, 1u);
}

TEST_F(EventQueueTest, of_two_writers_that_bring_a_chunk_at_once_one_gives_it_back) {
    open(0);
    write(1, kChunkBytes / 80);  // the chunk that was there
    pages_.hold.store(true);
    std::thread first([this] { write(1, 1); });
    std::thread second([this] { write(1, 1); });
    while (pages_.held.load() != 2) {
        std::this_thread::yield();
    }
    pages_.hold.store(false);
    first.join();
    second.join();
    EXPECT_EQ(queue_->chunks_mapped_by_writers(), 2u);
    EXPECT_EQ(read_all(*queue_).size(), kChunkBytes / 80 + 2);
    queue_->close();
    EXPECT_EQ(pages_.mapped_bytes.load(), 0);
}

// A text on a page that can't be read: the writer faults in its copy and is held there until the test lets it go on.
std::atomic<bool> g_is_held{false};
std::atomic<bool> g_may_go_on{false};
void* g_page = nullptr;

void hold_writer(int) {
    g_is_held.store(true);
    while (!g_may_go_on.load()) {
    }
    (void)mprotect(g_page, 4096, PROT_READ);
}

/// Also where an old event stood in the same place: the reader leaves nothing behind that looks like a complete one.
TEST_F(EventQueueTest, an_event_that_is_being_written_holds_the_reader_back_and_nobody_else) {
    open(0);
    g_is_held.store(false);
    g_may_go_on.store(false);
    std::uint64_t used = 0;
    for (int round = 0; round < 4; ++round) {
        write(1, kChunkBytes / 80);
        used += read_all(*queue_).size();
    }
    ASSERT_EQ(used, 4 * (kChunkBytes / 80));
    ASSERT_EQ(queue_->chunks_mapped_by_writers(), 0u) << "the memory is used again";
    g_page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(g_page, MAP_FAILED);
    std::memcpy(g_page, u"held", 8);
    ASSERT_EQ(mprotect(g_page, 4096, PROT_NONE), 0);
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = hold_writer;
    ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
    write(1, 1);
    std::thread writer([this] {
        const EventNames names = {{}, {static_cast<const char16_t*>(g_page), 4}, {}};
        EXPECT_TRUE(queue_->write(published(2), &names));
    });
    while (!g_is_held.load()) {
        std::this_thread::yield();
    }
    write(3, 3);
    const std::vector<ReadEvent> events = read_all(*queue_);
    EXPECT_EQ(events.size(), 1u);
    EXPECT_FALSE(queue_->has_data()) << "there is an event, but none to read";
    g_may_go_on.store(true);
    writer.join();
    EXPECT_TRUE(queue_->has_data());
    const std::vector<ReadEvent> rest = read_all(*queue_);
    ASSERT_EQ(rest.size(), 2u);
    EXPECT_EQ(rest[0].event.method, 2u);
    EXPECT_EQ(rest[0].texts[1], u"held");
    EXPECT_EQ(rest[1].event.method, 3u);
    (void)sigaction(SIGSEGV, &before, nullptr);
    (void)munmap(g_page, 4096);
}

}  // namespace
}  // namespace tierup::record
