// What     How long the dispatcher sleeps between two rounds.
// What not Reads no clock.
// Threads  Owned by one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "watch/probe.h"

namespace tierup::watch {

/// Below this, sleeping costs more than it saves: a futex time-out on an idle machine comes back after some 10 us by itself.
inline constexpr std::uint64_t kFirstPauseNs = 20'000;
/// Small against a tier-1 compile (hundreds of us for a small method, RUNTIME_FACTS "Cost").
inline constexpr std::uint64_t kImminentPauseNs = 200'000;
/// 1000 rounds a second at most while only a delay or other threads' calls can change anything.
inline constexpr std::uint64_t kDistantPauseNs = 1'000'000;
/// With many waiters the pause grows with them, so that the dispatcher makes at most a million evaluations a second.
inline constexpr std::uint64_t kPausePerWaiterNs = 1'000;

class Backoff {
public:
    /// The pause after a round: `changed` if any evaluation's answer differed from the one before, `pace` the most urgent one.
    [[nodiscard]] constexpr std::uint64_t next_pause_ns(bool changed, Pace pace, std::uint64_t waiters) noexcept {
        const std::uint64_t cap_ns = pace == Pace::imminent ? kImminentPauseNs : kDistantPauseNs;
        const std::uint64_t grown_ns = previous_ns_ + previous_ns_ / 2;
        previous_ns_ = changed || previous_ns_ == 0 ? kFirstPauseNs : std::min(grown_ns, cap_ns);
        return std::max(previous_ns_, waiters * kPausePerWaiterNs);
    }

private:
    std::uint64_t previous_ns_ = 0;  ///< 0 before the first pause.
};

}  // namespace tierup::watch
