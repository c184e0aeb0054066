// What     The plain-load door: values, and the bound at the page's end with an unreadable page behind it.
#include "memory/plain_window.h"

#include <array>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include "mapped_pages.h"

namespace {

using tierup::Address;
using tierup::memory::load_code_window;
using tierup::memory::load_plain;
using tierup::testing::MappedPages;

TEST(PlainWindow, loads_values_of_each_width) {
    alignas(8) const std::array<std::uint8_t, 8> bytes = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    const Address at(reinterpret_cast<std::uint64_t>(bytes.data()));
    EXPECT_EQ(load_plain<std::uint8_t>(at.plus(2)), 0x33);
    EXPECT_EQ(load_plain<std::uint16_t>(at.plus(2)), 0x4433);
    EXPECT_EQ(load_plain<std::uint32_t>(at.plus(4)), 0x8877'6655u);
    EXPECT_EQ(load_plain<std::uint64_t>(at), 0x8877'6655'4433'2211u);
}

TEST(PlainWindow, a_window_loads_up_to_the_last_byte_of_a_page_and_not_beyond) {
    MappedPages pages(2);
    pages.unmap(1);
    for (std::size_t i = 0; i < 64; ++i) {
        pages.page(1)[static_cast<std::ptrdiff_t>(i) - 64] = static_cast<std::uint8_t>(i);
    }
    std::uint8_t window[40] = {};
    for (std::int64_t before_end = 40; before_end <= 64; ++before_end) {
        ASSERT_TRUE(load_code_window(pages.address(1).plus(-before_end), window)) << before_end;
        EXPECT_EQ(std::memcmp(window, pages.page(1) - before_end, sizeof window), 0) << before_end;
    }
    for (std::int64_t before_end = 1; before_end < 40; ++before_end) {
        EXPECT_FALSE(load_code_window(pages.address(1).plus(-before_end), window)) << before_end;
    }
}

TEST(PlainWindow, windows_that_are_no_multiple_of_eight_are_loaded_whole) {
    MappedPages pages(1);
    for (std::size_t i = 0; i < 32; ++i) {
        pages.page(0)[i] = static_cast<std::uint8_t>(i + 1);
    }
    std::uint8_t window[13] = {};
    ASSERT_TRUE(load_code_window(pages.address(0).plus(3), window));
    EXPECT_EQ(std::memcmp(window, pages.page(0) + 3, sizeof window), 0);
}

}  // namespace
