// What     The state of the model of watcher_model.h and its transitions.
// What not Searches nothing: watcher_model.cpp does.
// Threads  One.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "unit/watcher_model.h"

namespace tierup::watch::model {

enum class CallerStep : std::uint8_t {
    evaluate,
    c1_register,
    r1_wake_registered,
    may_cancel,
    c3_look,
    c3_parked,
    c4_leave,
    r1_wake_left,
    end
};
enum class DispatcherStep : std::uint8_t {
    absent,
    d1_begin_round,
    d2_evaluate,
    d3_end_wait,
    d3_wake,
    d4_call_back,
    d4_evaluate_new,
    d4_register_new,
    d5_count,
    d5_sleep_or_end,
    d6_sleep,
    d6_parked
};

/// All of it bytes, so that equal states have equal bytes.
struct State {
    std::uint8_t published = 0;   ///< Bit k: the condition of caller k holds.
    std::uint8_t in_table = 0;    ///< Bit k, as the next three.
    std::uint8_t evaluated = 0;   ///< by the dispatcher, since it was registered
    std::uint8_t ended_word = 0;  ///< the blocked caller's futex word
    std::uint8_t returned = 0;    ///< the blocked caller's stack is gone
    std::uint8_t is_running = 0;
    std::uint8_t is_asleep = 0;
    std::uint8_t is_stale = 0;  ///< is_backoff_stale_
    std::uint8_t bell = 0;
    std::uint8_t is_locked = 0;  ///< between the two transitions of [D3]
    Violation violation = Violation::none;
    std::array<CallerStep, kCallers> step{};
    std::array<std::uint8_t, kCallers> must_wake{};
    std::array<std::uint8_t, kCallers> endings{};  ///< callback ran, cancelled, timed out or returned ok
    std::array<DispatcherStep, kDispatchers> dispatcher{};
    std::array<std::uint8_t, kDispatchers> batch{};    ///< bits still to evaluate
    std::array<std::uint8_t, kDispatchers> current{};  ///< the waiter being ended
    std::array<std::uint8_t, kDispatchers> bell_seen{};
    std::array<std::uint8_t, kDispatchers> is_pause_short{};
    std::array<std::uint8_t, kDispatchers> count_seen{};  ///< for the mutation end_without_looking
};
static_assert(std::has_unique_object_representations_v<State>);

constexpr std::uint8_t bit_of(std::size_t k) {
    return static_cast<std::uint8_t>(1u << k);
}
constexpr bool has(unsigned set, std::size_t k) {
    return (set & bit_of(k)) != 0;
}
constexpr void add(std::uint8_t& set, std::size_t k) {
    set = static_cast<std::uint8_t>(set | bit_of(k));
}
constexpr void drop(std::uint8_t& set, std::size_t k) {
    set = static_cast<std::uint8_t>(set & ~bit_of(k));
}

/// The transitions of one set of callers.
class Machine {
public:
    Machine(const Callers& callers, Mutation mutation) : callers_(callers), mutation_(mutation) {}

    State first() const;

    /// What can happen next. The transitions in `timed_next` happen because time passes: the end of a pause or of a time limit.
    void steps(const State& state, std::vector<State>& next, std::vector<State>& timed_next) const;

    /// Everybody has what they came for, and the dispatcher is gone.
    bool is_end(const State& state) const;

    /// What holds in every state; `is_quiet`: nothing can happen but the passing of time.
    Violation check(const State& state, bool is_quiet) const;

private:
    bool is_blocking(std::size_t k) const { return callers_[k] == Caller::blocks || callers_[k] == Caller::blocks_limited; }
    bool ring(State& state) const;
    void register_waiter(State& state, std::size_t k) const;
    void leave(State& state, std::size_t k) const;
    void step_caller(const State& state, std::size_t k, std::vector<State>& next, std::vector<State>& timed_next) const;
    void step_dispatcher(const State& state, std::size_t d, std::vector<State>& next, std::vector<State>& timed_next) const;

    Callers callers_;
    Mutation mutation_;
};

/// Forgets what can't matter any more, so that states that differ in nothing else are one.
void forget(State& state);

}  // namespace tierup::watch::model
