// What     One code version of a method as the runtime lists it, and a bounded list of them.
// What not No addresses are followed here.
// Threads  Values only.
// Failure  A method with more than kMaxCodeVersions versions keeps the first ones and says so in `is_truncated`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/tier.h"

namespace tierup {

struct CodeVersion {
    Address code;  ///< Null while the version has no code (queued or being compiled).
    Address node;  ///< The runtime's version node; null for the first version.
    Tier tier = Tier::unknown;
};

/// One tier ladder has 3 versions, OSR adds one per patch point that fired; 64 leaves room and bounds every loop.
inline constexpr std::size_t kMaxCodeVersions = 64;

struct CodeVersionList {
    std::array<CodeVersion, kMaxCodeVersions> items{};
    std::uint32_t count = 0;
    bool is_truncated = false;

    [[nodiscard]] const CodeVersion* begin() const noexcept { return items.data(); }
    [[nodiscard]] const CodeVersion* end() const noexcept { return items.data() + count; }
};

}  // namespace tierup
