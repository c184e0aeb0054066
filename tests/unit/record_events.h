// What     Events as tests write and read them: made of a few numbers, and taken out of a read's bytes with their texts.
// What not Nothing of the queue's own code takes the bytes apart here: sizes and texts are read by the words of the C header.
// Threads  Values only.
// Failure  A record that does not fit its bytes fails the test.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/tiering_event.h"
#include "record/event_names.h"
#include "tierup/tierup.h"

namespace tierup::record {

inline TieringEvent published(std::uint64_t method, std::uint32_t thread = 1) {
    TieringEvent event;
    event.kind = TieringEventKind::published;
    event.method = method;
    event.thread = thread;
    return event;
}

inline EventText text_of(const std::u16string& text) {
    return {text.data(), static_cast<std::uint32_t>(text.size())};
}

struct ReadEvent {
    tierup_event event{};
    std::vector<std::u16string> texts;
};

/// "Behind it, if name_units is not 0: namespace, name and signature, each UTF-16 and zero-terminated."
inline std::vector<ReadEvent> take_apart(std::span<const std::byte> bytes) {
    std::vector<ReadEvent> events;
    while (!bytes.empty()) {
        ReadEvent read;
        if (bytes.size() < sizeof read.event) {
            ADD_FAILURE() << "half an event";
            break;
        }
        std::memcpy(&read.event, bytes.data(), sizeof read.event);
        if (read.event.size % 8 != 0 || read.event.size < sizeof read.event + read.event.name_units * 2u ||
            read.event.size > bytes.size()) {
            ADD_FAILURE() << "an event of " << read.event.size << " bytes with " << read.event.name_units << " units";
            break;
        }
        std::u16string units(read.event.name_units, u'?');
        std::memcpy(units.data(), bytes.data() + sizeof read.event, units.size() * 2);
        for (std::size_t zero = units.find(u'\0'); zero != std::u16string::npos; zero = units.find(u'\0')) {
            read.texts.push_back(units.substr(0, zero));
            units.erase(0, zero + 1);
        }
        EXPECT_TRUE(units.empty()) << "the last text has no zero";
        EXPECT_TRUE(read.event.name_units == 0 || read.texts.size() == 3);
        events.push_back(read);
        bytes = bytes.subspan(read.event.size);
    }
    return events;
}

/// One read of at most so many bytes, which must succeed.
template <typename Queue>
std::vector<ReadEvent> read_events(Queue& queue, std::size_t capacity_bytes = 1 << 16) {
    std::vector<std::byte> buffer(capacity_bytes);
    std::size_t bytes = 0;
    EXPECT_EQ(queue.read(buffer, bytes), Status::ok);
    return take_apart(std::span(buffer).first(bytes));
}

/// Reads until nothing more comes.
template <typename Queue>
std::vector<ReadEvent> read_all(Queue& queue) {
    std::vector<ReadEvent> all;
    for (std::vector<ReadEvent> some = read_events(queue); !some.empty(); some = read_events(queue)) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace tierup::record
