// What     Finds the background worker's two flags among the bytes of the runtime's writable data: those that are 1 whenever work is known to exist.
// What not Takes no samples and knows no witnesses (runtime/worker_flag.h).
// Threads  One at a time.
// Failure  verdict: not_started: go on sampling. unknown: it will not come to one; restart. absent: no byte is left.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, TryScheduleBackgroundWorkerWithoutGCTrigger_Locked and BackgroundWorkerStart:
//          s_isBackgroundWorkerRunning, s_isBackgroundWorkerProcessingWork; neighbours on 8.0.34, 9.0.23, 10.0.15 and 11.0.0 (experiment).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace tierup::layout {

/// 435 to 690 bytes of the data were 1 at work on the four runtimes.
inline constexpr std::uint32_t kMaxFlagCandidates = 4096;
/// Rests, each between two stretches of work, in which the byte was seen 0.
inline constexpr std::uint32_t kMinRests = 3;
/// And so many more for each strike, or where the two were not told apart.
inline constexpr std::uint32_t kMoreRests = 4;
/// Bytes apart from the pair that were 0 at rest too may have been so in one of so many of the flag's samples at most. A byte that is 1 as long as the worker
/// exists was seen among the runtime's thread counts (10.0.15).
inline constexpr std::uint32_t kRarely = 3;
/// After so many stretches of work without a verdict the first sample was a bad one.
inline constexpr std::uint32_t kMaxStretches = 24;

/// Offsets in the data. They are one byte apart.
struct WorkerFlags {
    std::uint32_t processing = 0;  ///< 1 from the moment work is added until the worker has found that there is none.
    std::uint32_t running = 0;     ///< 1 as long as the worker exists, 4 seconds longer.
    bool are_told_apart =
        false;  ///< false: they always moved together so far. Idle is then said only where both are 0, which is right for either.
};

class WorkerFlagVote {
public:
    void restart() noexcept;

    /// The first sample of all, taken while work existed: the whole data, block by block. exhausted: too many bytes are 1; nothing is kept.
    [[nodiscard]] Status collect(std::uint32_t offset, std::span<const std::uint8_t> block) noexcept;
    /// false: the caller learned that work did not exist all the while; nothing is kept.
    void end_collecting(bool was_at_work) noexcept;
    [[nodiscard]] bool is_collecting() const noexcept { return is_collecting_; }

    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint32_t offset(std::uint32_t index) const noexcept { return candidates_[index].offset; }

    /// `values[i]` is the byte at offset(i). Removes candidates, so offsets are to be asked for anew after each.
    void add_work(std::span<const std::uint8_t> values) noexcept;
    void add_rest(std::span<const std::uint8_t> values) noexcept;

    [[nodiscard]] Status verdict(WorkerFlags& flags) const noexcept;
    /// Work, then rest, then work: how often work was seen to begin.
    [[nodiscard]] std::uint32_t stretches() const noexcept { return stretches_; }

private:
    // A byte that was 0 at work in one stretch is not out yet: the runtime makes work visible some instructions before it sets the flag (both inside one
    // lock, which we do not hold), and a thread can be interrupted between. Twice, in different stretches, is more than that.
    struct Candidate {
        std::uint32_t offset = 0;
        std::uint32_t rest_samples = 0;  ///< In which it was 0.
        std::uint8_t strikes = 0;
        std::uint8_t rests = 0;            ///< Stretches with such a sample; kMaxStretches bounds it.
        std::uint16_t last_strike_in = 0;  ///< The stretch, whose numbers begin with 1.
        std::uint16_t last_rest_in = 0;
    };
    static constexpr std::uint8_t kOutAtStrikes = 2;

    template <typename Judge>
    void judge_each(std::span<const std::uint8_t> values, Judge judge) noexcept;
    [[nodiscard]] const Candidate* find_most_rested() const noexcept;
    [[nodiscard]] const Candidate* find(std::uint32_t offset) const noexcept;

    std::array<Candidate, kMaxFlagCandidates> candidates_{};
    std::uint32_t count_ = 0;
    std::uint16_t stretches_ = 0;
    bool is_collecting_ = true;
    bool is_at_rest_ = false;
};

}  // namespace tierup::layout
