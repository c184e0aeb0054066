// What     What any waiter waits for, as watch sees it: one method, the whole process, or a stream, by the condition's number.
// What not Judges nothing itself.
// Threads  Any preemptive thread, several at once.
// Failure  Verdict::undecidable with the answer that says why.
#pragma once

#include "runtime/method_probe.h"
#include "runtime/process_view.h"
#include "runtime/signal_hub.h"
#include "watch/probe.h"

namespace tierup::runtime {

class EngineProbe final : public watch::Probe {
public:
    EngineProbe(MethodProbe& methods, ProcessView& process, SignalHub& hub) noexcept : methods_(methods), process_(process), hub_(hub) {}

    /// `subject`: a MethodRecord's address, 0 for the process, or a stream's id.
    [[nodiscard]] watch::Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept override;
    [[nodiscard]] std::uint32_t news(std::uint64_t subject, std::uint32_t condition) noexcept override;

private:
    [[nodiscard]] watch::Evaluation evaluate_active() noexcept;
    [[nodiscard]] watch::Evaluation evaluate_pending() noexcept;

    MethodProbe& methods_;
    ProcessView& process_;
    SignalHub& hub_;
};

}  // namespace tierup::runtime
