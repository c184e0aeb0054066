// What     A model of the watcher as small state machines, and an explorer that runs every interleaving of them.
// What not Models no time and no answers: a pause or a time limit may end at any moment. Signals are on; without them everything is polled.
// Threads  One. The steps [C1]…[C7], [R1], [R2], [D1]…[D5], [S1]…[S3] are those of src/watch/. Each is one atomic transition, a locked section
//          too, as what it touches is touched under the lock only; but [D3], whose store and wake a blocked caller sees without the lock, is two with
//          the lock held between them. A rouse of one bed is one: between its load, exchange and wake others can only make it superfluous.
// Failure  explore() names the first property that some interleaving breaks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tierup::watch::model {

/// How a caller uses the watcher.
enum class Caller : std::uint8_t {
    none,
    begins,             ///< begin, and then may cancel or not
    blocks,             ///< block, served by the dispatcher, without a time limit
    blocks_limited,     ///< the same with a time limit that may run out at any moment
    sits,               ///< block in a seat: serves itself
    sits_limited,       ///< the same with a time limit
    begun_by_callback,  ///< begin, made by the callback of caller 0 on the dispatcher thread
    begins_other_kind   ///< begins, for another kind of condition than all the rest
};

/// The watcher with one mistake in it: shows that the explorer would see it.
enum class Mutation : std::uint8_t {
    none,
    end_without_revalidating,   ///< [D3] does not look whether the waiter is still in the table
    end_without_looking,        ///< [D5] trusts a count that it read before it took the lock
    cancel_without_ring,        ///< [C2] [C4] the last waiter leaves silently
    register_without_ring,      ///< [C1] a waiter comes silently
    return_without_lock,        ///< [C4] a caller that sees its wait ended returns at once
    wake_before_end,            ///< [D3] wakes the blocked caller before it stores that the wait ended
    strike_before_change,       ///< [R1] the event rings, and then the world changes
    news_before_change,         ///< the news number changes, and then the world; then [R1]
    wake_without_strike,        ///< [R2] without [R1]
    wake_without_word,          ///< [R2] leaves "asleep" in the bed
    sleep_without_second_look,  ///< [S2] is left out
    strike_after_look,          ///< [R1] behind the look into the bed
    strokes_behind_round,       ///< [D1] reads the strokes at its end
    strokes_behind_evaluation,  ///< [C5] behind [C6]
    news_behind_evaluation,     ///< [D2] reads the news number after it evaluated
    demand_behind_the_round,    ///< [D1] looks at the conditions, and begins the round in another locked section
    switch_on_silently,         ///< [D1] does not strike after events were switched on
    summon_lightly,             ///< [R2] for a newcomer does not wake a deep sleeper
    long_sleep_beside_seats     ///< [D5] does not mind that seats are left silently
};

/// Those that begin with asleep or lost are about waiting for a pause to end where a wake was due. They are properties of quiet states, in which nothing
/// can happen but the passing of time and an event that has not begun.
enum class Violation : std::uint8_t {
    none,
    ended_twice,                ///< a wait was called back, cancelled or timed out more than once in all
    waiter_without_dispatcher,  ///< somebody is in the table and no dispatcher will look
    two_dispatchers,
    touched_after_return,      ///< the dispatcher wrote to the stack of a blocked caller that had returned
    asleep_without_waiters,    ///< nothing but a long pause's end would end the dispatcher
    asleep_before_evaluation,  ///< a waiter has not been evaluated since it was registered
    asleep_without_events,     ///< events are off for a kind that somebody waits for
    lost_wakeup,               ///< a condition holds, its event is over, and its waiter's server sleeps
    events_left_on,            ///< at the end
    stuck                      ///< from here no interleaving leads to the end
};

inline constexpr std::size_t kCallers = 3;

using Callers = std::array<Caller, kCallers>;

struct Outcome {
    Violation violation = Violation::none;
    std::size_t states = 0;
    std::size_t ends = 0;  ///< Different states in which everything has come to its end.
};

Outcome explore(const Callers& callers, Mutation mutation);

}  // namespace tierup::watch::model
