// What     What a watcher tells its owner: which conditions somebody waits for, so that events are on while they are needed and not longer.
// What not No switching of events here: the owner does it, inside on_conditions().
// Threads  The dispatcher thread, without a lock of watch. It evaluates nobody meanwhile: what takes long belongs on a thread of its own.
// Failure  None. An owner that can't have events leaves Watcher::set_signals off, and the waits are polled.
#pragma once

#include <cstdint>

namespace tierup::watch {

/// The bit of a condition in a set of conditions; what is beyond 31 shares the last one.
[[nodiscard]] constexpr std::uint32_t bit_of_condition(std::uint32_t condition) noexcept {
    return std::uint32_t{1} << (condition < 31 ? condition : 31);
}

struct RoundFigures {
    std::uint32_t conditions = 0;  ///< As told last by on_conditions().
    std::uint32_t pending = 0;     ///< Waits, after the round.
    std::uint32_t evaluated = 0;   ///< Of these and the ended ones, in this round.
    std::uint32_t ended = 0;
    bool is_over_all = false;  ///< Everybody's turn, not only theirs who have news.
};

class Demand {
public:
    /// `conditions`: one bit (bit_of_condition) for each condition that somebody waits for; 0: nobody waits. Each wait is evaluated at least once
    /// after the call that named its condition first, so what is switched on inside it misses nothing: see docs/CORRECTNESS.md, step 5.
    /// A bit goes away kLingerNs after the last wait of its kind, at once where signals are off.
    virtual void on_conditions(std::uint32_t conditions) noexcept { (void)conditions; }

    /// On a new dispatcher thread, behind its first round: what a callback on it would have to do once can be done now, while there is time.
    virtual void on_thread_began() noexcept {}

    /// After every round of the dispatcher.
    virtual void on_round(const RoundFigures& figures) noexcept { (void)figures; }

protected:
    constexpr Demand() noexcept = default;
    Demand(const Demand&) noexcept = default;
    Demand& operator=(const Demand&) noexcept = default;
    ~Demand() = default;
};

}  // namespace tierup::watch
