// What     Measuring, cutting and copying an event's texts.
// Threads  Any.
// Failure  See event_names.h.
#include "record/event_names.h"

#include <cstring>

namespace tierup::record {

namespace {

bool is_high_surrogate(const EventText& text, std::uint32_t index) noexcept {
    char16_t unit = 0;
    std::memcpy(&unit, text.text + index, sizeof unit);  // a payload need not be aligned
    return (unit & 0xFC00) == 0xD800;                    // Unicode 15, section 3.8, D71
}

EventText cut(const EventText& text, bool& is_cut) noexcept {
    if (text.text == nullptr) {
        return {};
    }
    if (text.units <= kMaxTextUnits) {
        return text;
    }
    is_cut = true;
    return {text.text, is_high_surrogate(text, kMaxTextUnits - 1) ? kMaxTextUnits - 1 : kMaxTextUnits};
}

}  // namespace

MeasuredNames measure_names(const EventNames* names) noexcept {
    MeasuredNames measured;
    if (names == nullptr) {
        return measured;
    }
    const std::array<EventText, 3> given = {names->method_namespace, names->method_name, names->method_signature};
    std::uint32_t units = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        measured.texts[i] = cut(given[i], measured.is_cut);
        units += measured.texts[i].units + 1;
    }
    measured.units = static_cast<std::uint16_t>(units);
    return measured;
}

void copy_names(const MeasuredNames& names, std::byte* to) noexcept {
    if (names.units == 0) {
        return;
    }
    for (const EventText& text : names.texts) {
        const std::size_t bytes = std::size_t{text.units} * sizeof(char16_t);
        if (bytes != 0) {
            std::memcpy(to, text.text, bytes);
        }
        std::memset(to + bytes, 0, sizeof(char16_t));
        to += bytes + sizeof(char16_t);
    }
}

}  // namespace tierup::record
