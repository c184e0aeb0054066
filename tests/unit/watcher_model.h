// What     A model of the watcher as small state machines, and an explorer that runs every interleaving of them.
// What not Models no time and no answers: a pause or a time limit may end at any moment.
// Threads  One. The steps [C1]…[C4], [R1], [D1]…[D6] are those of src/watch/watcher.cpp and watcher_dispatch.cpp. Each is one atomic
//          transition, a locked section too, as what it touches is touched under the lock only. The exception is [D3], whose
//          store and wake a blocked caller sees without the lock: it is two transitions with the lock held between them.
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
    begins,            ///< begin, and then may cancel or not
    blocks,            ///< block without a time limit
    blocks_limited,    ///< block with a time limit that may run out at any moment
    begun_by_callback  ///< begin, made by the callback of caller 0 on the dispatcher thread
};

/// The watcher with one mistake in it: shows that the explorer would see it.
enum class Mutation : std::uint8_t {
    none,
    end_without_revalidating,  ///< [D3] does not look whether the waiter is still in the table
    end_without_looking,       ///< [D5] trusts a count that it read before it took the lock
    wake_without_bell,         ///< [C1] [C2] [C4] wake, but leave the bell as it is
    sleep_on_late_bell,        ///< [D6] sleeps on the bell's value after the lock was released
    cancel_without_ring,       ///< [C2] [C4] the last waiter leaves silently
    register_without_ring,     ///< [C1] an imminent waiter comes silently
    return_without_lock,       ///< [C4] a caller that sees its wait ended returns at once
    wake_before_end            ///< [D3] wakes the blocked caller before it stores that the wait ended
};

/// The two that begin with asleep are about waiting for a pause to end where a wake was due. They are properties of quiet states, in
/// which nothing can happen but the passing of time. A pause that was begun short because of a new waiter (is_backoff_stale_) may pass.
enum class Violation : std::uint8_t {
    none,
    ended_twice,                ///< a wait was called back, cancelled or timed out more than once in all
    waiter_without_dispatcher,  ///< somebody is in the table and no dispatcher will look
    two_dispatchers,
    touched_after_return,      ///< the dispatcher wrote to the stack of a blocked caller that had returned
    asleep_without_waiters,    ///< nothing but a pause's end would end the dispatcher
    asleep_before_evaluation,  ///< nothing but a full pause's end would have a new waiter evaluated
    stuck                      ///< from here no interleaving leads to the end
};

inline constexpr std::size_t kCallers = 3;
inline constexpr std::size_t kDispatchers = 2;  // one too many, so that a second one would be seen

using Callers = std::array<Caller, kCallers>;

struct Outcome {
    Violation violation = Violation::none;
    std::size_t states = 0;
    std::size_t ends = 0;  ///< Different states in which everything has come to its end.
};

Outcome explore(const Callers& callers, Mutation mutation);

}  // namespace tierup::watch::model
