// What     Names behind an event, and the event's layout against the C header.
// What not No queue.
// Threads  One.
// Failure  As GoogleTest has it.
#include "record/event_names.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "record_events.h"

namespace tierup::record {
namespace {

TEST(TieringEvent, has_the_layout_and_the_kinds_of_the_c_header) {
    static_assert(sizeof(TieringEvent) == sizeof(tierup_event));
    static_assert(offsetof(TieringEvent, kind) == offsetof(tierup_event, kind));
    static_assert(offsetof(TieringEvent, tier) == offsetof(tierup_event, tier));
    static_assert(offsetof(TieringEvent, name_units) == offsetof(tierup_event, name_units));
    static_assert(offsetof(TieringEvent, sequence) == offsetof(tierup_event, sequence));
    static_assert(offsetof(TieringEvent, time_ns) == offsetof(tierup_event, time_ns));
    static_assert(offsetof(TieringEvent, method) == offsetof(tierup_event, method));
    static_assert(offsetof(TieringEvent, module) == offsetof(tierup_event, module));
    static_assert(offsetof(TieringEvent, code) == offsetof(tierup_event, code));
    static_assert(offsetof(TieringEvent, node) == offsetof(tierup_event, node));
    static_assert(offsetof(TieringEvent, code_bytes) == offsetof(tierup_event, code_bytes));
    static_assert(offsetof(TieringEvent, token) == offsetof(tierup_event, token));
    static_assert(offsetof(TieringEvent, thread) == offsetof(tierup_event, thread));
    static_assert(offsetof(TieringEvent, count) == offsetof(tierup_event, count));
    static_assert(offsetof(TieringEvent, jitted) == offsetof(tierup_event, jitted));
    static_assert(offsetof(TieringEvent, flags) == offsetof(tierup_event, flags));
    static_assert(kEventNamesCut == TIERUP_EVENT_NAMES_CUT && kEventCountIsAtLeast == TIERUP_EVENT_COUNT_IS_AT_LEAST);
    EXPECT_EQ(static_cast<int>(TieringEventKind::queued), TIERUP_EVENT_QUEUED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::jit_started), TIERUP_EVENT_JIT_STARTED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::published), TIERUP_EVENT_PUBLISHED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::activated), TIERUP_EVENT_ACTIVATED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::discarded), TIERUP_EVENT_DISCARDED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::delay_began), TIERUP_EVENT_DELAY_BEGAN);
    EXPECT_EQ(static_cast<int>(TieringEventKind::delay_ended), TIERUP_EVENT_DELAY_ENDED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::batch_began), TIERUP_EVENT_BATCH_BEGAN);
    EXPECT_EQ(static_cast<int>(TieringEventKind::batch_ended), TIERUP_EVENT_BATCH_ENDED);
    EXPECT_EQ(static_cast<int>(TieringEventKind::gap), TIERUP_EVENT_GAP);
}

std::u16string copied(const EventNames& names, MeasuredNames& measured) {
    measured = measure_names(&names);
    std::u16string units(measured.units, u'?');
    std::vector<std::byte> bytes(units.size() * 2, std::byte{0xFF});
    copy_names(measured, bytes.data());
    std::memcpy(units.data(), bytes.data(), bytes.size());
    return units;
}

TEST(EventNames, stand_one_after_the_other_each_with_its_zero) {
    MeasuredNames measured;
    using namespace std::string_literals;
    EXPECT_EQ(copied({{u"Ns", 2}, {u"M", 1}, {u"void ()", 7}}, measured), u"Ns\0M\0void ()\0"s);
    EXPECT_FALSE(measured.is_cut);
    EXPECT_EQ(event_bytes(measured.units), 80u + 32u) << "13 units are 26 bytes, rounded up to 32";
}

TEST(EventNames, empty_and_missing_texts_are_a_zero_each) {
    MeasuredNames measured;
    EXPECT_EQ(copied({{nullptr, 5}, {u"", 0}, {}}, measured), std::u16string(3, u'\0'));
    EXPECT_EQ(measure_names(nullptr).units, 0u) << "no names at all are no units";
}

TEST(EventNames, a_text_at_an_odd_address_is_copied_like_any_other) {
    std::vector<char> payload(1 + 6);
    std::memcpy(payload.data() + 1, u"abc", 6);
    const auto* odd = reinterpret_cast<const char16_t*>(payload.data() + 1);
    MeasuredNames measured;
    EXPECT_EQ(copied({{}, {odd, 3}, {}}, measured).substr(1, 3), u"abc");
}

TEST(EventNames, a_text_of_the_greatest_length_is_whole_and_one_more_unit_is_cut) {
    const std::u16string whole(kMaxTextUnits, u'x');
    const std::u16string longer = whole + u"y";
    MeasuredNames measured;
    EXPECT_EQ(copied({{}, text_of(whole), {}}, measured).substr(1, kMaxTextUnits), whole);
    EXPECT_FALSE(measured.is_cut);
    const std::u16string units = copied({{}, text_of(longer), {}}, measured);
    EXPECT_EQ(units.substr(1), whole + std::u16string(2, u'\0'));
    EXPECT_TRUE(measured.is_cut);
}

TEST(EventNames, a_cut_does_not_part_a_surrogate_pair) {
    const std::u16string text = std::u16string(kMaxTextUnits - 1, u'x') + u"\U0001F600";
    MeasuredNames measured;
    EXPECT_EQ(copied({text_of(text), {}, {}}, measured), std::u16string(kMaxTextUnits - 1, u'x') + std::u16string(3, u'\0'));
    EXPECT_TRUE(measured.is_cut);
}

}  // namespace
}  // namespace tierup::record
