// What     A model of the runtime's tiering worker and of one who reads it from outside, and an explorer of every interleaving.
// What not No time: a delay, a yield or a pause ends at any moment. Not the watcher's bell: watcher_model.h.
// Threads  One. Steps of the runtime: dotnet/runtime src/coreclr/vm/tieredcompilation.cpp (BackgroundWorkerStart, TryDeactivateTieringDelay,
//          DoBackgroundWork, AsyncCompleteCallCounting, AsyncPromoteToTier1); a section under its tiering lock is one step.
// Failure  explore() names what a rule got wrong in some interleaving.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tierup::idle_model {

/// How it is decided that nothing is pending, or that tiering is active.
enum class Rule : std::uint8_t {
    // idle
    count_flag_batch,      ///< read in this order, without an epoch: DESIGN 2.1 as it was written
    flag_count_batch,      ///< the other order
    epoch,                 ///< count and flag between two equal readings of a known, even epoch
    epoch_flag_first,      ///< the same, the two the other way round
    epoch_unknown_is_out,  ///< an epoch that is not known yet counts as "not in a batch"
    epoch_not_compared,    ///< the second reading is even, but may be another one
    // active
    list_only,             ///< no list
    worker_event,          ///< no list, and the worker has told something since the last resume
    observed,              ///< the same, and since every delay that somebody saw: an evaluation, or the pause event's callback
    observed_from_attach,  ///< the same, but what the worker told before the first look at the list counts too
    in_batch,              ///< no list, read between two equal readings of an odd epoch
    worker_flag,           ///< the runtime's flag "processing work" is 0: idle and active in one
    own_states,            ///< no list, and the methods of the delay that this wait saw are seen to have their stubs
};

struct Setup {
    Rule rule{};
    bool is_pause_late = true;      ///< The pause event may come at any time after its delay began; else at once.
    bool sees_delay_first = false;  ///< The wait begins with a look while a delay is active, and ends by a later one.
    bool follows_up = true;         ///< Behind a ring it looks again without one.
    bool minds_lost = true;         ///< Else only what is said falsely is a violation.
    std::uint8_t delays = 2;        ///< For the rules about active.
};

enum class Violation : std::uint8_t {
    none,
    false_idle,    ///< said idle, and work that existed when the evaluation began is not activated
    false_active,  ///< said active, and at no instant since the evaluation (or the wait, if it saw a delay) began was it so:
                   ///< no delay active, and the stubs of every delay until then installed
    lost_wakeup,   ///< the runtime rests, what is waited for is true and could be known, and the waiter sleeps with nothing to wake it
    never_said     ///< no interleaving ever leads to the answer: the rule is empty
};

struct Outcome {
    Violation violation = Violation::none;
    std::size_t states = 0;
};

Outcome explore(const Setup& setup);

}  // namespace tierup::idle_model
