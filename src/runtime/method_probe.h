// What     What a waiter waits for, as watch sees it: evaluates one registered method against a condition.
// What not Does not sleep, count time or know who waits.
// Threads  Any preemptive thread; the record's hints may be used by several at once.
// Failure  Verdict::undecidable with the answer that says why.
#pragma once

#include <cstdint>

#include "runtime/method_view.h"
#include "watch/clock.h"
#include "watch/probe.h"

namespace tierup::runtime {

/// The numbers of tierup_condition.
enum class Condition : std::uint32_t { final_or_counting = 0, final = 1 };

class MethodProbe final : public watch::Probe {
public:
    MethodProbe(const MethodView& view, watch::Clock& clock) noexcept : view_(view), clock_(clock) {}

    /// `subject` is the address of a MethodRecord.
    [[nodiscard]] watch::Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept override;

private:
    const MethodView& view_;
    watch::Clock& clock_;
};

[[nodiscard]] watch::Verdict judge(const Answer& answer, Condition condition) noexcept;
[[nodiscard]] watch::Pace pace_of(const Answer& answer) noexcept;

}  // namespace tierup::runtime
