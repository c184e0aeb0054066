// What     The DAC's tier numbers in our own.
// What not Not the events' numbers, which differ (RUNTIME_FACTS: "Event tier", "DAC tier").
// Threads  A pure function.
// Failure  A number that has no name here is Tier::unknown.
// Source   DacpTieredVersionData::OptimizationTier, dacprivate.h (dotnet/diagnostics) at 3c9f99e8251b.
#pragma once

#include "base/tier.h"
#include "clr/dac_abi.h"

namespace tierup::clr {

[[nodiscard]] constexpr Tier to_tier(DacTier tier) noexcept {
    switch (tier) {
        case DacTier::min_opt_jitted: return Tier::min_opt;
        case DacTier::optimized: return Tier::optimized;
        case DacTier::quick_jitted: return Tier::tier0;
        case DacTier::optimized_tier1: return Tier::tier1;
        case DacTier::ready_to_run: return Tier::ready_to_run;
        case DacTier::optimized_tier1_osr: return Tier::tier1_osr;
        case DacTier::quick_jitted_instrumented: return Tier::tier0_instrumented;
        case DacTier::optimized_tier1_instrumented: return Tier::tier1_instrumented;
        case DacTier::unknown: break;
    }
    return Tier::unknown;
}

}  // namespace tierup::clr
