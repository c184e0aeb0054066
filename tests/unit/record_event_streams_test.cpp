// What     Streams: ids, slots, names, closing, also with a writer inside that does not come out for long.
// What not Many threads: record_event_streams_stress_test.cpp.
// Threads  One, two where a test says so.
// Failure  As GoogleTest has it; waits are bounded by the test's time-out.
#include "record/event_streams.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>

#include "record_events.h"
#include "record_pages.h"

namespace tierup::record {
namespace {

class EventStreamsTest : public ::testing::Test {
protected:
    std::uint64_t open(bool names = false, std::uint64_t capacity_bytes = 0) {
        std::uint64_t id = 0;
        EXPECT_EQ(streams_->open({names, capacity_bytes}, id), Status::ok);
        EXPECT_NE(id, 0u);
        return id;
    }
    std::vector<ReadEvent> read(std::uint64_t id) {
        struct OneStream {
            EventStreams& streams;
            std::uint64_t id;
            Status read(std::span<std::byte> buffer, std::size_t& bytes) { return streams.read(id, buffer, bytes); }
        } stream{*streams_, id};
        return read_all(stream);
    }
    TieringEvent event(TieringEventKind kind) {
        TieringEvent made;
        made.kind = kind;
        return made;
    }

    TestPages pages_;
    std::unique_ptr<EventStreams> streams_ = std::make_unique<EventStreams>(pages_);
};

TEST_F(EventStreamsTest, each_stream_gets_what_comes_after_its_opening_with_numbers_of_its_own) {
    EXPECT_FALSE(streams_->is_listening());
    EXPECT_FALSE(streams_->write(published(1), nullptr));
    const std::uint64_t first = open();
    EXPECT_TRUE(streams_->is_listening());
    EXPECT_TRUE(streams_->write(published(2), nullptr));
    const std::uint64_t second = open();
    EXPECT_TRUE(streams_->write(published(3), nullptr));
    const auto of_first = read(first);
    const auto of_second = read(second);
    ASSERT_EQ(of_first.size(), 2u);
    EXPECT_EQ(of_first[1].event.method, 3u);
    EXPECT_EQ(of_first[1].event.sequence, 2u);
    ASSERT_EQ(of_second.size(), 1u);
    EXPECT_EQ(of_second[0].event.method, 3u);
    EXPECT_EQ(of_second[0].event.sequence, 1u);
    EXPECT_EQ(streams_->close(first), Status::ok);
    EXPECT_TRUE(streams_->is_listening());
    EXPECT_EQ(streams_->close(second), Status::ok);
    EXPECT_FALSE(streams_->is_listening());
    EXPECT_EQ(pages_.mapped_bytes.load(), 0);
}

TEST_F(EventStreamsTest, only_a_stream_with_names_gets_texts_and_jit_starts) {
    const std::uint64_t plain = open(false);
    EXPECT_FALSE(streams_->wants_names());
    const std::uint64_t named = open(true);
    EXPECT_TRUE(streams_->wants_names());
    const EventNames names = {{u"Ns", 2}, {u"M", 1}, {u"void ()", 7}};
    streams_->write(event(TieringEventKind::jit_started), &names);
    streams_->write(event(TieringEventKind::published), &names);
    const auto of_plain = read(plain);
    const auto of_named = read(named);
    ASSERT_EQ(of_plain.size(), 1u);
    EXPECT_EQ(of_plain[0].event.kind, TIERUP_EVENT_PUBLISHED);
    EXPECT_TRUE(of_plain[0].texts.empty());
    ASSERT_EQ(of_named.size(), 2u);
    EXPECT_EQ(of_named[0].event.kind, TIERUP_EVENT_JIT_STARTED);
    EXPECT_EQ(of_named[1].texts[2], u"void ()");
    streams_->close(named);
    EXPECT_FALSE(streams_->wants_names());
    EXPECT_FALSE(streams_->write(event(TieringEventKind::jit_started), nullptr)) << "nothing new for anybody";
    streams_->close(plain);
}

TEST_F(EventStreamsTest, there_are_eight_and_an_id_is_never_given_twice) {
    std::set<std::uint64_t> ids;
    std::vector<std::uint64_t> open_ids;
    for (int round = 0; round < 5; ++round) {
        while (open_ids.size() < 8) {
            open_ids.push_back(open());
            EXPECT_TRUE(ids.insert(open_ids.back()).second);
        }
        std::uint64_t none = 1;
        EXPECT_EQ(streams_->open({}, none), Status::exhausted);
        EXPECT_EQ(none, 0u);
        for (; open_ids.size() > static_cast<std::size_t>(round); open_ids.pop_back()) {
            EXPECT_EQ(streams_->close(open_ids.back()), Status::ok);
        }
    }
    for (const std::uint64_t id : open_ids) {
        streams_->close(id);
    }
    EXPECT_EQ(pages_.mapped_bytes.load(), 0);
}

TEST_F(EventStreamsTest, a_stale_or_invented_id_is_absent_and_never_waited_for) {
    const std::uint64_t stale = open();
    streams_->close(stale);
    const std::uint64_t id = open();
    std::byte buffer[80];
    std::size_t bytes = 1;
    for (const std::uint64_t wrong : {stale, std::uint64_t{0}, ~std::uint64_t{0}, id + 8}) {
        EXPECT_EQ(streams_->read(wrong, buffer, bytes), Status::absent);
        EXPECT_EQ(streams_->close(wrong), Status::absent);
        EXPECT_TRUE(streams_->has_data(wrong)) << "so that a waiter wakes and is told";
    }
    EXPECT_FALSE(streams_->has_data(id));
    streams_->write(published(1), nullptr);
    EXPECT_TRUE(streams_->has_data(id));
    streams_->close(id);
}

TEST_F(EventStreamsTest, a_bounded_stream_tells_a_gap_where_an_unbounded_one_has_all) {
    const std::uint64_t bounded = open(false, 80'000);
    const std::uint64_t unbounded = open();
    for (std::uint64_t method = 1; method <= 1'500; ++method) {
        EXPECT_TRUE(streams_->write(published(method), nullptr));
    }
    const auto of_bounded = read(bounded);
    EXPECT_EQ(of_bounded.back().event.kind, TIERUP_EVENT_GAP);
    EXPECT_EQ(of_bounded.back().event.count, 500u);
    EXPECT_EQ(read(unbounded).size(), 1'500u);
    streams_->close(bounded);
    streams_->close(unbounded);
}

TEST_F(EventStreamsTest, a_close_leaves_the_memory_to_a_writer_that_stays_inside_and_a_later_open_frees_it) {
    std::vector<std::uint64_t> ids;
    for (int i = 0; i < 8; ++i) {
        ids.push_back(open());
    }
    for (int i = 1; i < 8; ++i) {
        streams_->close(ids[static_cast<std::size_t>(i)]);
    }
    for (std::uint64_t written = 0; written < kChunkBytes / 80; ++written) {
        streams_->write(published(written), nullptr);
    }
    pages_.hold.store(true);
    std::thread writer([this] { streams_->write(published(0), nullptr); });  // needs a second chunk, and is held there
    while (pages_.held.load() == 0) {
        std::this_thread::yield();
    }
    EXPECT_EQ(streams_->close(ids[0]), Status::ok);
    EXPECT_GT(pages_.mapped_bytes.load(), 0) << "the writer is inside";
    std::byte buffer[80];
    std::size_t bytes = 0;
    EXPECT_EQ(streams_->read(ids[0], buffer, bytes), Status::absent);
    EXPECT_FALSE(streams_->is_listening());
    pages_.hold.store(false);
    writer.join();
    const std::uint64_t next = open();
    EXPECT_EQ(next % 8, ids[0] % 8) << "the slot is free again";
    streams_->close(next);
    EXPECT_EQ(pages_.mapped_bytes.load(), 0);
}

}  // namespace
}  // namespace tierup::record
