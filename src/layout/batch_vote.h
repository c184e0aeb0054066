// What     Finds the tiering manager without a delay: the offset whose fields fit what the worker's events say, sample for sample.
// What not Takes no samples (batch_sample.h), asks nobody to make the runtime work.
// Threads  One at a time.
// Failure  verdict: not_started: not enough samples yet. unknown: two offsets had a queue. absent: kMaxSamples brought no decision.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, DoBackgroundWork: PendingMethodCount = the queue's count, plus the methods pending
//          completion where completion is pending. Numbers of samples: experiment on 8.0.34, 9.0.23, 10.0.15 and 11.0.0 (docs/RUNTIME.md).
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "layout/batch_sample.h"
#include "layout/manager_layout.h"

namespace tierup::layout {

/// A queue that is not empty and leads from head to tail in as many nodes as the count says: in two samples, since one might be a coincidence.
inline constexpr std::uint32_t kMinWalkedSamples = 2;
/// At least one batch event whose number is not 0 and fits.
inline constexpr std::uint32_t kMinCountedSamples = 1;
inline constexpr std::uint32_t kMaxSpoiledPart =
    8;  ///< One misfit in so many samples is forgiven: a foreground thread was adding to the queue.
inline constexpr std::uint32_t kMaxSamples = 4096;

class BatchVote {
public:
    void add(const BatchSample& sample) noexcept;
    /// `layout` is filled only where ok is returned.
    [[nodiscard]] Status verdict(ManagerLayout& layout) const noexcept;
    [[nodiscard]] std::uint32_t samples() const noexcept { return samples_; }

private:
    struct Candidate {
        std::uint16_t misfits = 0;
        std::uint16_t walked = 0;   ///< Samples with a queue of its own.
        std::uint16_t counted = 0;  ///< Batch events whose number, not 0, is the sum that its fields allow.
        bool has_sentinel = false;  ///< In the last walked sample.
    };
    static constexpr std::uint32_t kCandidates = kAppDomainBytes / 8;

    [[nodiscard]] bool is_elected(const Candidate& candidate) const noexcept;

    std::array<Candidate, kCandidates> candidates_{};
    std::uint32_t samples_ = 0;
};

}  // namespace tierup::layout
