#include "runtime/engine_probe.h"

namespace tierup::runtime {

watch::Evaluation EngineProbe::evaluate(std::uint64_t subject, std::uint32_t condition) noexcept {
    switch (static_cast<Condition>(condition)) {
        case Condition::tiering_active: return evaluate_active();
        case Condition::no_pending: return evaluate_pending();
        case Condition::events:
            return {.verdict = hub_.has_data(subject) ? watch::Verdict::satisfied : watch::Verdict::pending,
                    .pace = watch::Pace::distant,
                    .answer = 0};
        case Condition::final_or_counting:
        case Condition::final: break;
    }
    return methods_.evaluate(subject, condition);
}

std::uint32_t EngineProbe::news(std::uint64_t subject, std::uint32_t condition) noexcept {
    return is_for_one_method(static_cast<Condition>(condition)) ? methods_.news(subject, condition) : watch::kNewsNotCounted;
}

/// The stubs are installed a moment after the delay's end, and no event says so: then it is imminent.
watch::Evaluation EngineProbe::evaluate_active() noexcept {
    const Truth is_active = process_.is_tiering_active();
    const bool is_delay_over = is_active == Truth::no && !process_.is_delay_active();
    return {.verdict = is_active == Truth::yes ? watch::Verdict::satisfied : watch::Verdict::pending,
            .pace = is_delay_over ? watch::Pace::imminent : watch::Pace::distant,
            .answer = static_cast<std::uint64_t>(is_active)};
}

watch::Evaluation EngineProbe::evaluate_pending() noexcept {
    const Idle judged = process_.pending();
    if (judged == Idle::not_known) {
        process_.learn();  // without events nobody else would
    }
    // With events the end of the batch rings; without them a short pause follows each change, as for a method that is being compiled.
    return {.verdict = judged == Idle::idle ? watch::Verdict::satisfied : watch::Verdict::pending,
            .pace = hub_.are_on() || process_.is_delay_active() ? watch::Pace::distant : watch::Pace::imminent,
            .answer = process_.pending_count(judged)};
}

}  // namespace tierup::runtime
