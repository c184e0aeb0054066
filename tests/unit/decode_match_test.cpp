// What     The matcher on rows made up from the instruction sets, at chosen addresses.
// What not Real bytes: tests/recorded.
// Source   Displacements worked out by hand from the x64 manual; arm64 words from llvm-mc 14.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "decode/match.h"

namespace {

using tierup::Address;
using tierup::decode::Architecture;
using tierup::decode::kRowsArm64;
using tierup::decode::kRowsX64;
using tierup::decode::kWindowBytes;
using tierup::decode::Match;
using tierup::decode::match_stub;
using tierup::decode::Row;
using tierup::decode::Shape;
using Window = std::array<std::uint8_t, kWindowBytes>;

constexpr Address kAt{0x7F00'1234'5678};

Window window_of(std::initializer_list<std::uint8_t> bytes, std::uint8_t rest = 0xCC) {
    Window window;
    window.fill(rest);
    std::copy(bytes.begin(), bytes.end(), window.begin());
    return window;
}

Window window_of_words(std::initializer_list<std::uint32_t> words) {
    Window window{};
    std::size_t at = 0;
    for (const std::uint32_t word : words) {
        std::memcpy(window.data() + at, &word, sizeof word);
        at += sizeof word;
    }
    return window;
}

Match match_x64(const Window& window) {
    return match_stub(Architecture::x64, kAt, window);
}
Match match_arm64(const Window& window) {
    return match_stub(Architecture::arm64, kAt, window);
}

const Window kFixup = window_of({0xFF, 0x25, 0xFA, 0x3F, 0, 0, 0x4C, 0x8B, 0x15, 0xFB, 0x3F, 0, 0, 0xFF, 0x25, 0xFD, 0x3F, 0, 0});
const Window kStub = window_of({0x4C, 0x8B, 0x15, 0xF9, 0x3F, 0, 0, 0xFF, 0x25, 0xFB, 0x3F, 0, 0});
const Window kCounting = window_of(
    {0x48, 0x8B, 0x05, 0xF9, 0x3F, 0, 0, 0x66, 0xFF, 0x08, 0x74, 0x06, 0xFF, 0x25, 0xF6, 0x3F, 0, 0, 0xFF, 0x25, 0xF8, 0x3F, 0, 0});

void expect_unknown(const Match& match) {
    EXPECT_EQ(match.shape, Shape::unknown);
    EXPECT_EQ(match.row, nullptr);
    EXPECT_TRUE(match.target_slot.is_null());
    EXPECT_TRUE(match.method_slot.is_null());
    EXPECT_TRUE(match.cell_slot.is_null());
    EXPECT_TRUE(match.threshold_slot.is_null());
    EXPECT_TRUE(match.unprepared_target.is_null());
}

TEST(MatchX64, fixup_precode_gives_target_and_method_slot_and_where_it_goes_unprepared) {
    const Match match = match_x64(kFixup);
    EXPECT_EQ(match.shape, Shape::fixup_precode);
    EXPECT_EQ(match.target_slot, kAt.plus(0x4000));
    EXPECT_EQ(match.method_slot, kAt.plus(0x4008));
    EXPECT_EQ(match.unprepared_target, kAt.plus(6));
    EXPECT_TRUE(match.cell_slot.is_null());
    EXPECT_TRUE(match.threshold_slot.is_null());
}

TEST(MatchX64, stub_precode_gives_method_and_target_slot) {
    const Match match = match_x64(kStub);
    EXPECT_EQ(match.shape, Shape::stub_precode);
    EXPECT_EQ(match.method_slot, kAt.plus(0x4000));
    EXPECT_EQ(match.target_slot, kAt.plus(0x4008));
    EXPECT_TRUE(match.unprepared_target.is_null());
}

TEST(MatchX64, call_counting_stub_gives_cell_target_and_threshold_slot) {
    const Match match = match_x64(kCounting);
    EXPECT_EQ(match.shape, Shape::call_counting_stub);
    EXPECT_EQ(match.cell_slot, kAt.plus(0x4000));
    EXPECT_EQ(match.target_slot, kAt.plus(0x4008));
    EXPECT_EQ(match.threshold_slot, kAt.plus(0x4010));
    EXPECT_TRUE(match.method_slot.is_null());
}

TEST(MatchX64, bytes_behind_the_row_do_not_matter) {
    for (const Window& stub : {kFixup, kStub, kCounting}) {
        const Match expected = match_x64(stub);
        Window window = stub;
        std::fill(window.begin() + expected.row->length, window.end(), std::uint8_t{0x5A});
        EXPECT_EQ(match_x64(window).row, expected.row);
    }
}

TEST(MatchX64, code_that_begins_with_a_tail_call_is_unknown) {
    // jmp [rip+0x3FFA], then whatever follows a method
    expect_unknown(match_x64(window_of({0xFF, 0x25, 0xFA, 0x3F, 0, 0})));
    expect_unknown(match_x64(window_of({0xFF, 0x25, 0x62, 0x75, 0x9A, 0, 0, 0, 0x19, 0, 0, 0}, 0)));
}

TEST(MatchX64, tail_calls_in_the_order_of_a_precode_but_with_slots_elsewhere_are_unknown) {
    Window window = kFixup;
    window[2] = 0xF2;  // the first jump's slot is eight bytes too low for the other two
    expect_unknown(match_x64(window));
    window = kFixup;
    window[9] = 0x03;  // the method's slot is eight bytes too high
    expect_unknown(match_x64(window));
    window = kCounting;
    window[20] = 0x00;
    expect_unknown(match_x64(window));
}

TEST(MatchX64, the_inside_of_an_unprepared_fixup_precode_is_no_stub_precode) {
    // From the second instruction on, the same bytes as a stub precode: mov r10, [..]; jmp [..].
    const Window window = window_of({0x4C, 0x8B, 0x15, 0xFB, 0x3F, 0, 0, 0xFF, 0x25, 0xFD, 0x3F, 0, 0});
    expect_unknown(match_stub(Architecture::x64, kAt.plus(6), window));
}

TEST(MatchX64, data_at_a_distance_that_is_no_stub_page_is_unknown) {
    Window window = kStub;
    window[4] = window[10] = 0x0F;  // 0x1000
    expect_unknown(match_x64(window));
    window = kStub;
    window[5] = window[11] = 0x7F;  // 8 MiB and more away
    expect_unknown(match_x64(window));
    window = window_of({0x4C, 0x8B, 0x15, 0xF9, 0xBF, 0xFF, 0xFF, 0xFF, 0x25, 0xFB, 0xBF, 0xFF, 0xFF});  // 0x4000 before the stub
    expect_unknown(match_x64(window));
}

TEST(MatchX64, stubs_at_the_end_of_the_address_space_wrap_without_trouble) {
    const Address at(0xFFFF'FFFF'FFFF'F000);
    EXPECT_EQ(match_stub(Architecture::x64, at, kStub).target_slot, Address(0x3008));
}

TEST(MatchX64, zeros_and_ones_and_int3_are_unknown) {
    for (const int fill : {0x00, 0xFF, 0xCC, 0x90}) {
        expect_unknown(match_x64(window_of({}, static_cast<std::uint8_t>(fill))));
        expect_unknown(match_arm64(window_of({}, static_cast<std::uint8_t>(fill))));
    }
}

const Window kArmFixup = window_of_words({0x5802000B, 0xD61F0160, 0x5802000C, 0x5802002B, 0xD61F0160});
const Window kArmFixupBarrier = window_of_words({0x5802000B, 0xD61F0160, 0xD50339BF, 0x5801FFEC, 0x5802000B, 0xD61F0160});
const Window kArmStub = window_of_words({0x5802004A, 0x5801FFEC, 0xD61F0140});
const Window kArmCounting =
    window_of_words({0x58020009, 0x7940012A, 0x7100054A, 0x7900012A, 0x54000060, 0x5801FFA9, 0xD61F0120, 0x5801FFAA, 0xD61F0140});

TEST(MatchArm64, fixup_precodes_with_and_without_barrier_give_the_same_slots) {
    for (const Window& window : {kArmFixup, kArmFixupBarrier}) {
        const Match match = match_arm64(window);
        EXPECT_EQ(match.shape, Shape::fixup_precode);
        EXPECT_EQ(match.target_slot, kAt.plus(0x4000));
        EXPECT_EQ(match.method_slot, kAt.plus(0x4008));
        EXPECT_EQ(match.unprepared_target, kAt.plus(8));
    }
}

TEST(MatchArm64, stub_precode_gives_method_and_target_slot) {
    const Match match = match_arm64(kArmStub);
    EXPECT_EQ(match.shape, Shape::stub_precode);
    EXPECT_EQ(match.method_slot, kAt.plus(0x4000));
    EXPECT_EQ(match.target_slot, kAt.plus(0x4008));
}

TEST(MatchArm64, call_counting_stub_gives_its_slots_at_each_stub_page_size) {
    // llvm-mc's words for data 0x4000, 0x8000 and 0x10000 behind the stub.
    const std::array<std::pair<std::int64_t, std::array<std::uint32_t, 3>>, 3> pages = {{
        {0x4000, {0x58020009, 0x5801FFA9, 0x5801FFAA}},
        {0x8000, {0x58040009, 0x5803FFA9, 0x5803FFAA}},
        {0x10000, {0x58080009, 0x5807FFA9, 0x5807FFAA}},
    }};
    for (const auto& [distance, loads] : pages) {
        const Match match = match_arm64(
            window_of_words({loads[0], 0x7940012A, 0x7100054A, 0x7900012A, 0x54000060, loads[1], 0xD61F0120, loads[2], 0xD61F0140}));
        EXPECT_EQ(match.shape, Shape::call_counting_stub) << distance;
        EXPECT_EQ(match.cell_slot, kAt.plus(distance));
        EXPECT_EQ(match.target_slot, kAt.plus(distance + 8));
        EXPECT_EQ(match.threshold_slot, kAt.plus(distance + 16));
    }
}

TEST(MatchArm64, data_at_a_distance_that_is_no_stub_page_is_unknown) {
    expect_unknown(match_arm64(window_of_words({0x5800804A, 0x58007FEC, 0xD61F0140})));  // 0x1000
    expect_unknown(match_arm64(window_of_words({0x5802004A, 0x58FFFFCC, 0xD61F0140})));  // method slot eight bytes before the load
    expect_unknown(match_arm64(window_of_words({0x5803004A, 0x5802FFEC, 0xD61F0140})));  // 0x6000
}

TEST(MatchArm64, bytes_of_one_architecture_are_unknown_to_the_other) {
    expect_unknown(match_arm64(kFixup));
    expect_unknown(match_arm64(kCounting));
    expect_unknown(match_x64(kArmFixup));
    expect_unknown(match_x64(kArmCounting));
}

bool is_operand_bit(const Row& row, std::size_t byte, unsigned bit) {
    return (row.mask[byte] & 1u << bit) == 0;
}

/// Flips each bit of each stub: outside operands the stub is not that row any more; in an operand its slots disagree.
void expect_each_flip_to_be_seen(Architecture architecture, const std::vector<Window>& stubs) {
    for (const Window& stub : stubs) {
        const Match whole = match_stub(architecture, kAt, stub);
        ASSERT_NE(whole.row, nullptr);
        std::size_t compared_bits = 0;
        for (std::size_t byte = 0; byte < whole.row->length; ++byte) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                Window window = stub;
                window[byte] ^= static_cast<std::uint8_t>(1u << bit);
                const Match match = match_stub(architecture, kAt, window);
                EXPECT_EQ(match.shape, Shape::unknown) << whole.row->name << " byte " << byte << " bit " << bit;
                compared_bits += is_operand_bit(*whole.row, byte, bit) ? 0u : 1u;
            }
        }
        EXPECT_GT(compared_bits, 32u) << whole.row->name;
    }
}

TEST(MatchRows, no_single_flipped_bit_of_an_x64_stub_goes_unseen) {
    expect_each_flip_to_be_seen(Architecture::x64, {kFixup, kStub, kCounting});
}

TEST(MatchRows, no_single_flipped_bit_of_an_arm64_stub_goes_unseen) {
    expect_each_flip_to_be_seen(Architecture::arm64, {kArmFixup, kArmFixupBarrier, kArmStub, kArmCounting});
}

TEST(MatchRows, every_row_is_reached_by_some_stub_of_this_test) {
    std::vector<const Row*> reached;
    for (const Window& stub : {kFixup, kStub, kCounting}) {
        reached.push_back(match_x64(stub).row);
    }
    for (const Window& stub : {kArmFixup, kArmFixupBarrier, kArmStub, kArmCounting}) {
        reached.push_back(match_arm64(stub).row);
    }
    const auto is_reached = [&](const Row& row) { return std::find(reached.begin(), reached.end(), &row) != reached.end(); };
    for (const Row& row : kRowsX64) {
        EXPECT_TRUE(is_reached(row)) << row.name;
    }
    for (const Row& row : kRowsArm64) {
        EXPECT_TRUE(is_reached(row)) << row.name;
    }
}

}  // namespace
