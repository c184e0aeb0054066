// What     Learning by asking: a number in the node is its method if the library lists this node among that method's versions.
// What not See version_nodes.h.
#include "runtime/version_nodes.h"

#include <cstring>

#include "layout/foreign_pointer.h"
#include "runtime/manager_loads.h"

namespace tierup::runtime {

namespace {

constexpr std::uint32_t kTierBytes = 4;  // an enum

/// NativeCodeVersion::OptimizationTier, which "can't be changed without breaking event tracing" (its comment); not the DAC's numbers.
[[nodiscard]] Tier to_tier(std::uint32_t number) noexcept {
    switch (number) {
        case 0: return Tier::tier0;
        case 1: return Tier::tier1;
        case 2: return Tier::tier1_osr;
        case 3: return Tier::optimized;
        case 4: return Tier::tier0_instrumented;
        case 5: return Tier::tier1_instrumented;
        default: return Tier::unknown;
    }
}

template <typename Value, typename Bytes>
[[nodiscard]] Value value_at(const Bytes& bytes, std::uint32_t offset) noexcept {
    Value value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

}  // namespace

Status VersionNodes::resolve(Address node, bool may_ask, Address& method, Tier& tier) noexcept {
    method = {};
    tier = Tier::unknown;
    Bytes bytes;
    if (!layout::is_object_pointer(node.value()) || reader_.try_read(node, bytes.data(), bytes.size()) != Status::ok) {
        return Status::absent;
    }
    if (method_offset() == kPoison) {
        return may_ask ? ask(node, bytes, method, tier) : Status::unsupported;
    }
    if (!read(bytes, method, tier)) {
        return Status::absent;
    }
    if (tier == Tier::unknown && may_ask && ask_about(node, method, tier) == Status::ok) {
        learn_tier(bytes, tier);
    }
    return Status::ok;
}

bool VersionNodes::resolve_plain(Address node, Address& method, Tier& tier) const noexcept {
    method = {};
    tier = Tier::unknown;
    if (method_offset() == kPoison || !layout::is_object_pointer(node.value())) {
        return false;
    }
    std::array<std::uint64_t, kNodeBytes / sizeof(std::uint64_t)> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = load_in_order<std::uint64_t>(node.plus(static_cast<std::int64_t>(i * sizeof words[0])));
    }
    Bytes bytes;
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return read(bytes, method, tier);
}

void VersionNodes::learn_from(Address method, const CodeVersionList& versions) noexcept {
    const bool is_learned = method_offset() != kPoison && (tier_candidates() & (tier_candidates() - 1)) == 0;
    if (is_learned) {
        return;
    }
    for (const CodeVersion& version : versions) {
        Bytes bytes;
        if (version.node.is_null() || reader_.try_read(version.node, bytes.data(), bytes.size()) != Status::ok) {
            continue;
        }
        std::uint32_t found = kPoison;
        std::uint32_t places = 0;
        for (std::uint32_t offset = 0; offset + sizeof(std::uint64_t) <= kNodeBytes; offset += sizeof(std::uint64_t)) {
            if (value_at<std::uint64_t>(bytes, offset) == method.value()) {
                found = offset;
                ++places;
            }
        }
        if (places == 1 && (method_offset() == kPoison || method_offset() == found)) {
            learn_tier(bytes, version.tier);
            method_offset_.store(found, std::memory_order_relaxed);
        }
    }
}

bool VersionNodes::read(const Bytes& bytes, Address& method, Tier& tier) const noexcept {
    const auto named = value_at<std::uint64_t>(bytes, method_offset());
    if (!layout::is_object_pointer(named)) {
        return false;
    }
    method = Address(named);
    tier = tier_in(bytes);
    return true;
}

Status VersionNodes::ask(Address node, const Bytes& bytes, Address& method, Tier& tier) noexcept {
    if (!data_access_.is_available()) {
        return Status::unsupported;
    }
    std::uint32_t found = kPoison;
    for (std::uint32_t offset = 0; offset + sizeof(std::uint64_t) <= kNodeBytes; offset += sizeof(std::uint64_t)) {
        const auto candidate = value_at<std::uint64_t>(bytes, offset);
        Tier candidate_tier = Tier::unknown;
        if (!layout::is_object_pointer(candidate) || ask_about(node, Address(candidate), candidate_tier) != Status::ok) {
            continue;
        }
        if (found != kPoison) {
            return Status::unknown;
        }
        found = offset;
        method = Address(candidate);
        tier = candidate_tier;
    }
    if (found == kPoison) {
        return Status::absent;
    }
    learn_tier(bytes, tier);
    method_offset_.store(found, std::memory_order_relaxed);
    return Status::ok;
}

Status VersionNodes::ask_about(Address node, Address method, Tier& tier) noexcept {
    CodeVersionList versions;
    if (const Status status = data_access_.list_versions(method, versions); status != Status::ok) {
        return status;
    }
    for (const CodeVersion& version : versions) {
        if (version.node == node) {
            tier = version.tier;
            return Status::ok;
        }
    }
    return Status::absent;
}

/// All places where the tier may stand must say the same.
Tier VersionNodes::tier_in(const Bytes& bytes) const noexcept {
    const std::uint32_t candidates = tier_candidates();
    Tier tier = Tier::unknown;
    bool is_first = true;
    for (std::uint32_t i = 0; i < kNodeBytes / kTierBytes; ++i) {
        if ((candidates >> i & 1) == 0) {
            continue;
        }
        const Tier here = to_tier(value_at<std::uint32_t>(bytes, i * kTierBytes));
        if (here == Tier::unknown || (!is_first && here != tier)) {
            return Tier::unknown;
        }
        tier = here;
        is_first = false;
    }
    return tier;
}

/// The library's numbers are others, so a place that agrees with it over several tiers is the tier's. None left: unknown for ever.
void VersionNodes::learn_tier(const Bytes& bytes, Tier tier) noexcept {
    if (tier == Tier::unknown) {
        return;
    }
    std::uint32_t agreeing = 0;
    for (std::uint32_t i = 0; i < kNodeBytes / kTierBytes; ++i) {
        agreeing |= to_tier(value_at<std::uint32_t>(bytes, i * kTierBytes)) == tier ? 1u << i : 0;
    }
    tier_candidates_.fetch_and(agreeing, std::memory_order_relaxed);
}

}  // namespace tierup::runtime
