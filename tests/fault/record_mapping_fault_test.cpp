// What     A stream's life with its 1st, 2nd, 3rd… mapping refused, once and for good, until a pass comes that refuses none.
// What not Contention: tests/unit/record_event_queue_stress_test.cpp.
// Threads  One.
// Failure  Fails where a refusal was planned and never reached before the clean pass.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "record/event_streams.h"
#include "unit/record_events.h"
#include "unit/record_pages.h"

namespace tierup::record {
namespace {

/// With the longest names, so that a chunk is full soon.
constexpr std::uint64_t kEvents = 4 * (kChunkBytes / kMaxEventBytes);  // four chunks; one is mapped at opening

struct Life {
    Status opened = Status::unknown;
    std::uint64_t seen = 0;
    std::uint64_t missing = 0;
    std::uint64_t gaps = 0;
    std::uint64_t last_sequence = 0;
};

/// Opens, writes in two halves with a full read behind each, closes.
Life live(TestPages& pages) {
    const auto streams = std::make_unique<EventStreams>(pages);
    Life life;
    std::uint64_t id = 0;
    life.opened = streams->open({true, 0}, id);
    if (life.opened != Status::ok) {
        EXPECT_EQ(id, 0u);
        EXPECT_FALSE(streams->is_listening());
        return life;
    }
    struct OneStream {
        EventStreams& streams;
        std::uint64_t id;
        Status read(std::span<std::byte> buffer, std::size_t& bytes) { return streams.read(id, buffer, bytes); }
    } stream{*streams, id};
    const std::u16string text(kMaxTextUnits, u't');
    const EventNames names = {text_of(text), text_of(text), text_of(text)};
    std::uint64_t method = 0;
    for (int half = 0; half < 2; ++half) {
        for (std::uint64_t n = 0; n < kEvents / 2; ++n) {
            EXPECT_TRUE(streams->write(published(++method), &names)) << "a gap is news too";
        }
        for (const ReadEvent& read : read_all(stream)) {
            const bool is_gap = read.event.kind == TIERUP_EVENT_GAP;
            life.gaps += is_gap ? 1 : 0;
            life.missing += is_gap ? read.event.count : 0;
            life.seen += is_gap ? 0 : 1;
            life.last_sequence = read.event.sequence;
            EXPECT_EQ(read.event.sequence, life.seen + life.missing);
            EXPECT_TRUE(is_gap || read.event.method == read.event.sequence) << "in its place";
        }
    }
    EXPECT_EQ(streams->close(id), Status::ok);
    return life;
}

void refuse_each(bool lastingly) {
    for (std::uint64_t number = 1; number < 100; ++number) {
        SCOPED_TRACE(number);
        TestPages pages;
        pages.refuse_from.store(number);
        pages.refuse_until.store(lastingly ? TestPages::kNever : number + 1);
        const Life life = live(pages);
        EXPECT_EQ(pages.mapped_bytes.load(), 0) << "nothing is left mapped";
        if (pages.calls.load() < number) {
            EXPECT_GT(number, 4u) << "fewer mappings than the directory and two chunks unread at a time, twice";
            EXPECT_EQ(life.seen, kEvents);
            EXPECT_EQ(life.gaps, 0u);
            return;
        }
        if (number <= 2) {
            EXPECT_EQ(life.opened, Status::exhausted) << "the directory and the first chunk";
            continue;
        }
        EXPECT_EQ(life.opened, Status::ok);
        EXPECT_EQ(life.seen + life.missing, kEvents);
        EXPECT_EQ(life.last_sequence, kEvents);
        if (!lastingly) {
            EXPECT_LE(life.missing, 1u) << "the next event asks the system again";
        }
    }
    ADD_FAILURE() << "no clean pass";
}

TEST(RecordMappingFault, a_mapping_refused_once_costs_a_status_at_opening_and_at_most_one_counted_event_later) {
    refuse_each(false);
}

TEST(RecordMappingFault, mappings_refused_for_good_cost_events_and_each_is_counted_in_its_place) {
    refuse_each(true);
}

}  // namespace
}  // namespace tierup::record
