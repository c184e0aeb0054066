// What     UTF-16 as the runtime gives it, written as UTF-8 into a bounded buffer.
// What not No allocation, no normalisation.
// Threads  A pure function.
// Failure  A lone surrogate becomes U+FFFD; what does not fit is cut at a whole character.
// Source   RFC 3629 (UTF-8), RFC 2781 (UTF-16).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tierup::clr {

/// Takes one character off the front of `text`.
[[nodiscard]] constexpr char32_t take_character(const char16_t* text, std::size_t units, std::size_t& at) noexcept {
    const char32_t first = text[at++];
    if (first < 0xD800 || first > 0xDFFF) {
        return first;
    }
    if (first > 0xDBFF || at == units || text[at] < 0xDC00 || text[at] > 0xDFFF) {
        return 0xFFFD;
    }
    return 0x10000 + ((first - 0xD800) << 10) + (text[at++] - char32_t{0xDC00});
}

/// Always ends `utf8` with a zero unless `capacity` is 0. Returns the bytes of the whole text with its zero, fitting or not.
constexpr std::size_t write_utf8(const char16_t* text, std::size_t units, char* utf8, std::size_t capacity) noexcept {
    std::size_t needed = 0;
    std::size_t used = 0;
    bool is_cut = false;
    for (std::size_t at = 0; at < units;) {
        const char32_t character = take_character(text, units, at);
        const std::size_t bytes = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
        needed += bytes;
        is_cut = is_cut || used + bytes + 1 > capacity;
        if (is_cut) {
            continue;
        }
        constexpr unsigned char kLeads[] = {0, 0, 0xC0, 0xE0, 0xF0};
        for (std::size_t i = 0; i < bytes; ++i) {
            const auto shifted = static_cast<std::uint32_t>(character >> (6 * (bytes - 1 - i)));
            const std::uint32_t byte = i == 0 ? (shifted | kLeads[bytes]) : ((shifted & 0x3F) | 0x80);
            utf8[used++] = static_cast<char>(static_cast<unsigned char>(byte));
        }
    }
    if (capacity > 0) {
        utf8[used] = '\0';
    }
    return needed + 1;
}

}  // namespace tierup::clr
