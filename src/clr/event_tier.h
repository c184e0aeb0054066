// What     The tier numbers of the runtime's method events in our own; where they stand in the event's flags.
// What not Not the DAC's numbers, which differ from 5 on (tier.h).
// Threads  Pure functions.
// Failure  A number that has no name here is Tier::unknown.
// Source   dotnet/runtime src/coreclr/inc/eventtrace.h, MethodFlags and MethodFlagsJitOptimizationTierShift; eventtrace.cpp,
//          ETW::MethodLog (the order of the tiers).
#pragma once

#include <cstdint>

#include "base/tier.h"

namespace tierup::clr {

inline constexpr std::uint32_t kDynamicMethodFlag = 0x1;
inline constexpr std::uint32_t kEventTierShift = 7;
inline constexpr std::uint32_t kEventTierMask = 0x7;

enum class EventTier : std::uint8_t {
    unknown = 0,
    min_opt_jitted = 1,
    optimized = 2,
    quick_jitted = 3,
    optimized_tier1 = 4,
    optimized_tier1_osr = 5,
    quick_jitted_instrumented = 6,
    optimized_tier1_instrumented = 7,
};

[[nodiscard]] constexpr EventTier event_tier_of(std::uint32_t method_flags) noexcept {
    return static_cast<EventTier>(method_flags >> kEventTierShift & kEventTierMask);
}

[[nodiscard]] constexpr Tier to_tier(EventTier tier) noexcept {
    switch (tier) {
        case EventTier::min_opt_jitted: return Tier::min_opt;
        case EventTier::optimized: return Tier::optimized;
        case EventTier::quick_jitted: return Tier::tier0;
        case EventTier::optimized_tier1: return Tier::tier1;
        case EventTier::optimized_tier1_osr: return Tier::tier1_osr;
        case EventTier::quick_jitted_instrumented: return Tier::tier0_instrumented;
        case EventTier::optimized_tier1_instrumented: return Tier::tier1_instrumented;
        case EventTier::unknown: break;
    }
    return Tier::unknown;
}

}  // namespace tierup::clr
