// What     From a code version's node to its method and its tier, by offsets that are learned from the data access library and kept.
// What not Does not know where nodes come from (the queue, a counting record).
// Threads  Any preemptive thread. Version nodes are never freed while their loader allocator lives; collectible code has none.
// Failure  absent: no node, as far as anyone can tell. unsupported: nothing learned and no library to learn from. A tier that can't be told is unknown.
// Source   dotnet/runtime src/coreclr/vm/codeversion.h, NativeCodeVersionNode (fields) and NativeCodeVersion::OptimizationTier (numbers). Learned on
//          8.0.34, 9.0.23, 10.0.15 and 11.0.0: the method at +8, the tier at +36.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "base/code_version.h"
#include "base/status.h"
#include "base/tier.h"
#include "clr/data_access.h"
#include "memory/reader.h"

namespace tierup::runtime {

class VersionNodes {
public:
    VersionNodes(const memory::Reader& reader, clr::DataAccess& data_access) noexcept : reader_(reader), data_access_(data_access) {}
    VersionNodes(const VersionNodes&) = delete;
    VersionNodes& operator=(const VersionNodes&) = delete;

    /// `may_ask`: whether the library may be asked where the node alone does not tell; a question costs 10 us to 20 ms.
    [[nodiscard]] Status resolve(Address node, bool may_ask, Address& method, Tier& tier) noexcept;

    /// As above without asking, by plain loads: for a node that the background worker's own thread found in the queue, inside an event's callback.
    [[nodiscard]] bool resolve_plain(Address node, Address& method, Tier& tier) const noexcept;

    /// Learns from what the library told of `method` anyway: each version in it that has a node.
    void learn_from(Address method, const CodeVersionList& versions) noexcept;

    /// The offset at which a node names its method; kPoison before it was learned.
    [[nodiscard]] std::uint32_t method_offset() const noexcept { return method_offset_.load(std::memory_order_relaxed); }
    /// Bit i: the tier may stand at 4 * i. One bit, once it is known.
    [[nodiscard]] std::uint32_t tier_candidates() const noexcept { return tier_candidates_.load(std::memory_order_relaxed); }

    static constexpr std::uint32_t kNodeBytes = 48;  ///< Up to the tier and not further than the smallest node.
    static constexpr std::uint32_t kPoison = 0xDEAD'0000;

private:
    using Bytes = std::array<std::uint8_t, kNodeBytes>;

    [[nodiscard]] bool read(const Bytes& bytes, Address& method, Tier& tier) const noexcept;
    [[nodiscard]] Status ask(Address node, const Bytes& bytes, Address& method, Tier& tier) noexcept;
    [[nodiscard]] Status ask_about(Address node, Address method, Tier& tier) noexcept;
    [[nodiscard]] Tier tier_in(const Bytes& bytes) const noexcept;
    void learn_tier(const Bytes& bytes, Tier tier) noexcept;

    const memory::Reader& reader_;
    clr::DataAccess& data_access_;
    std::atomic<std::uint32_t> method_offset_ = kPoison;
    std::atomic<std::uint32_t> tier_candidates_ = (1u << (kNodeBytes / 4)) - 1;
};

}  // namespace tierup::runtime
