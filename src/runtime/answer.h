// What     A method's state as one value: compilation state, reason, tier, remaining calls; and its 64-bit packed form (tierup_answer).
// What not No texts (capi has them), no addresses.
// Threads  Values only.
// Failure  Undecided is a state with a reason of its own, never a default.
#pragma once

#include <cstdint>

#include "base/tier.h"

namespace tierup::runtime {

/// The numbers of tierup_compilation.
enum class Compilation : std::uint8_t { cold = 0, optimizing = 1, final = 2, undecided = 3 };

/// The numbers of tierup_reason; its comments say what each means.
enum class Reason : std::uint8_t {
    none = 0,
    never_called = 1,
    in_delay = 2,
    counting = 3,
    counting_at_next_call = 4,
    counting_in_prestub = 5,
    threshold_reached = 6,
    promotion_pending = 7,
    activating = 8,
    class_constructor = 9,
    tier_1 = 16,
    optimized_at_once = 17,
    min_opt = 18,
    not_eligible = 19,
    not_il = 20,
    collectible = 21,
    dynamic_method = 22,
    tiering_disabled = 23,
    call_counting_disabled = 24,
    promotion_abandoned = 25,
    no_dac = 32,
    dac_failed = 33,
    code_not_listed = 34,
    shape_unknown = 35,
    memory_changed = 36,
    runtime_async = 37,
    runtime_unsupported = 38,
};

struct Answer {
    Compilation compilation = Compilation::undecided;
    Reason reason = Reason::none;
    Tier tier = Tier::unknown;
    std::uint32_t remaining_calls = 0;
    bool remaining_is_exact = true;
    bool needs_resolve = false;   ///< Plain loads were not enough; nothing else in the answer counts.
    bool needs_register = false;  ///< The method is not known; nothing else in the answer counts.

    friend constexpr bool operator==(const Answer&, const Answer&) noexcept = default;
};

[[nodiscard]] constexpr std::uint64_t pack(const Answer& answer) noexcept {
    return static_cast<std::uint64_t>(answer.compilation) | (answer.needs_resolve ? 1u << 2 : 0u) | (answer.needs_register ? 1u << 3 : 0u) |
           (answer.remaining_is_exact ? 1u << 4 : 0u) | static_cast<std::uint64_t>(answer.reason) << 8 |
           static_cast<std::uint64_t>(answer.tier) << 16 | static_cast<std::uint64_t>(answer.remaining_calls) << 32;
}

[[nodiscard]] constexpr Answer unpack(std::uint64_t bits) noexcept {
    Answer answer;
    answer.compilation = static_cast<Compilation>(bits & 3);
    answer.needs_resolve = (bits >> 2 & 1) != 0;
    answer.needs_register = (bits >> 3 & 1) != 0;
    answer.remaining_is_exact = (bits >> 4 & 1) != 0;
    answer.reason = static_cast<Reason>(bits >> 8 & 0xff);
    answer.tier = static_cast<Tier>(bits >> 16 & 0xff);
    answer.remaining_calls = static_cast<std::uint32_t>(bits >> 32);
    return answer;
}

[[nodiscard]] constexpr Answer ask_to_resolve() noexcept {
    Answer answer;
    answer.needs_resolve = true;
    return answer;
}

[[nodiscard]] constexpr Answer ask_to_register() noexcept {
    Answer answer;
    answer.needs_register = true;
    return answer;
}

}  // namespace tierup::runtime
