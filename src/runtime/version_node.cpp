#include "runtime/version_node.h"

#include <bit>

namespace tierup::runtime {

void VersionNodes::learn_from(const memory::Reader& reader, const CodeVersionList& versions) noexcept {
    if (samples_.load(std::memory_order_relaxed) >= kEnoughSamples) {
        return;
    }
    for (const CodeVersion& version : versions) {
        std::uint64_t words[kNodeWords];
        if (version.node.is_null() || version.code.is_null() || reader.try_read_value(version.node, words) != Status::ok) {
            continue;
        }
        std::uint32_t same = 0;
        for (std::uint32_t i = 0; i < kNodeWords; ++i) {
            same |= Address(words[i]) == version.code ? 1u << i : 0u;
        }
        possible_words_.fetch_and(same, std::memory_order_relaxed);
        samples_.fetch_add(1, std::memory_order_release);  // partner: the acquire load in has_code
    }
}

bool VersionNodes::has_code(const memory::Reader& reader, Address node, Address code) const noexcept {
    const std::uint32_t samples = samples_.load(std::memory_order_acquire);  // partner: the release add in learn_from
    const std::uint32_t possible = possible_words_.load(std::memory_order_relaxed);
    if (samples < kMinSamples || !std::has_single_bit(possible) || node.is_null()) {
        return false;
    }
    std::uint64_t found = 0;
    const auto offset_bytes = static_cast<std::int64_t>(std::countr_zero(possible)) * std::int64_t{sizeof found};
    return reader.try_read_value(node.plus(offset_bytes), found) == Status::ok && Address(found) == code;
}

}  // namespace tierup::runtime
