// What     What a waiter waits for, as watch sees it: evaluates one registered method against a condition.
// What not Does not sleep, count time or know who waits.
// Threads  Any preemptive thread; the record's hints may be used by several at once.
// Failure  Verdict::undecidable with the answer that says why.
#pragma once

#include <cstdint>

#include "runtime/method_view.h"
#include "runtime/signal_hub.h"
#include "watch/clock.h"
#include "watch/probe.h"

namespace tierup::runtime {

/// The numbers of tierup_condition.
enum class Condition : std::uint32_t { final_or_counting = 0, final = 1, tiering_active = 2, no_pending = 3, events = 4 };

[[nodiscard]] constexpr bool is_for_one_method(Condition condition) noexcept {
    return condition == Condition::final_or_counting || condition == Condition::final;
}

class MethodProbe final : public watch::Probe {
public:
    /// `hub` null: without events, every wait is polled.
    MethodProbe(const MethodView& view, watch::Clock& clock, SignalHub* hub = nullptr) noexcept : view_(view), clock_(clock), hub_(hub) {}

    /// `subject` is the address of a MethodRecord.
    [[nodiscard]] watch::Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept override;
    [[nodiscard]] std::uint32_t news(std::uint64_t subject, std::uint32_t condition) noexcept override;

private:
    void see_promotion(const Answer& answer, std::uint64_t now_ns) noexcept;
    [[nodiscard]] watch::Pace pace(const MethodRecord& record, const Answer& answer, std::uint64_t entry_code) const noexcept;

    const MethodView& view_;
    watch::Clock& clock_;
    SignalHub* hub_;
};

[[nodiscard]] watch::Verdict judge(const Answer& answer, Condition condition) noexcept;
[[nodiscard]] watch::Pace pace_of(const Answer& answer) noexcept;

}  // namespace tierup::runtime
