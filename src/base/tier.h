// What     What produced a piece of native code, in our own numbering (tierup_tier in the C header; capi checks that).
// What not Not the runtime's numbers: clr translates the DAC's (and later the events') at the border.
// Threads  Values only.
#pragma once

#include <cstdint>

namespace tierup {

enum class Tier : std::uint8_t {
    unknown = 0,
    min_opt = 1,
    optimized = 2,
    tier0 = 3,
    tier0_instrumented = 4,
    ready_to_run = 5,
    tier1_instrumented = 6,
    tier1 = 7,
    tier1_osr = 8,
};

/// True for code that the runtime never replaces by promotion.
[[nodiscard]] constexpr bool is_last_tier(Tier tier) noexcept {
    return tier == Tier::min_opt || tier == Tier::optimized || tier == Tier::tier1;
}

}  // namespace tierup
