// What     How long one sleeps between two looks: while polling, while following up an event, and as a backstop behind events.
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

/// After an event its effect follows without another one: the entry point is switched behind the load event, counting stubs are installed
/// behind the resume event (RUNTIME.md; vm/tieredcompilation.cpp, ActivateCodeVersion and TryDeactivateTieringDelay). That takes some
/// microseconds, and milliseconds where thousands of methods were held; beyond this time the backstop is near enough.
inline constexpr std::uint64_t kFollowNs = 10'000'000;

/// With events on, everybody is looked at this often all the same. It can't be needed but where an event did not come, so it may be as slow as
/// a wait may be late then: less than a delay's tick (100 ms) and about a frame. A hundred looks a second are below 0.1 % of a processor.
inline constexpr std::uint64_t kBackstopNs = 10'000'000;
/// Many waiters: at most 200,000 evaluations a second, some per cent of a processor; 10,000 waiters are looked at every 50 ms.
inline constexpr std::uint64_t kBackstopPerWaiterNs = 5'000;

[[nodiscard]] constexpr std::uint64_t backstop_ns(std::uint64_t waiters) noexcept {
    return std::max(kBackstopNs, waiters * kBackstopPerWaiterNs);
}

/// With events on, the dispatcher and the sessions outlive the last wait by this, so that wait after wait starts neither a thread nor a session each time:
/// some 40 times what both cost (RUNTIME_FACTS: 10 to 50 us a session), and too short to be seen by a program that measures.
/// It is also how often the dispatcher looks whether callers in seats are still there.
inline constexpr std::uint64_t kLingerNs = 2'000'000;

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
