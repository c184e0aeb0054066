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
    may_cancel,
    c3_look,
    c3_parked,
    c4_leave,
    c5_strokes,
    c6_evaluate,
    c6_strokes_late,
    s1_lie_down,
    s2_look,
    s3_compare,
    s3_parked,
    s4_get_up,
    c7_leave,
    end
};
/// The runtime's thread that makes caller k's condition true and fires the event.
enum class RingerStep : std::uint8_t { change, fire, late_change, done };
enum class DispatcherStep : std::uint8_t {
    absent,
    d1_strokes,
    d1_look,
    d1_tell,
    d1_begin_late,
    d2_pick,
    d2_evaluate,
    d2_news_late,
    d3_end_wait,
    d3_wake,
    d4_call_back,
    d4_evaluate_new,
    d4_register_new,
    d5_count,
    d5_sleep_or_end,
    d5_tell,
    s1_lie_down,
    s2_look,
    s3_compare,
    s3_parked,
    s4_get_up
};
enum class Depth : std::uint8_t { awake, light, deep };

/// Who strikes and rouses: the callers, the ringers, the dispatcher. Listeners: the callers (in seats), the dispatcher.
inline constexpr std::size_t kThreads = 2 * kCallers + 1;
inline constexpr std::size_t kDispatcherThread = 2 * kCallers;
inline constexpr std::size_t kDispatcherBed = kCallers;
inline constexpr std::size_t kBeds = kCallers + 1;

/// All of it bytes, so that equal states have equal bytes. Sets have bit k for caller k.
struct State {
    std::uint8_t published = 0;  ///< The condition holds.
    std::uint8_t has_news = 0;   ///< The news number is not the one that its waiter knows.
    std::uint8_t in_table = 0;
    std::uint8_t fresh = 0;       ///< Not evaluated since it was registered.
    std::uint8_t ended_word = 0;  ///< The blocked caller's futex word.
    std::uint8_t returned = 0;    ///< The blocked caller's stack is gone.
    std::uint8_t in_seat = 0;
    std::uint8_t is_running = 0;
    std::uint8_t is_locked = 0;  ///< Between the two transitions of [D3].
    std::uint8_t told = 0;       ///< Kinds.
    std::uint8_t on = 0;         ///< Kinds whose events are delivered.
    std::uint8_t unheard = 0;    ///< Bit b: the bell was struck since the listener in bed b read the strokes.
    Violation violation = Violation::none;
    std::array<Depth, kBeds> bed{};
    std::array<std::uint8_t, kThreads> to_rouse{};  ///< Beds.
    std::array<std::uint8_t, kThreads> is_summons{};
    std::array<std::uint8_t, kThreads> to_wake{};  ///< Beds: after the exchange, before the futex wake.
    std::array<CallerStep, kCallers> step{};
    std::array<RingerStep, kCallers> ringer{};
    std::array<std::uint8_t, kCallers> endings{};  ///< Callback ran, cancelled, timed out or returned ok.
    DispatcherStep dispatcher{};
    std::uint8_t batch = 0;    ///< Still to evaluate.
    std::uint8_t current = 0;  ///< The waiter in hand.
    std::uint8_t is_over_all = 0;
    std::uint8_t is_pause_long = 0;
    Depth depth{};
    std::uint8_t count_seen = 0;  ///< For the mutation end_without_looking.
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

/// What can follow a state.
struct Steps {
    std::vector<State> next;
    std::vector<State> world;  ///< An event that begins.
    std::vector<State> timed;  ///< The end of a pause or of a time limit.
};

/// The transitions of one set of callers.
class Machine {
public:
    Machine(const Callers& callers, Mutation mutation) : callers_(callers), mutation_(mutation) {}

    State first() const;
    void steps(const State& state, Steps& out) const;

    /// Everybody has what they came for, and the dispatcher is gone.
    bool is_end(const State& state) const;

    /// What holds in every state; `is_quiet`: nothing can happen but the passing of time and an event that has not begun.
    Violation check(const State& state, bool is_quiet) const;

private:
    bool is(Mutation mutation) const { return mutation_ == mutation; }
    bool is_blocking(std::size_t k) const { return callers_[k] == Caller::blocks || callers_[k] == Caller::blocks_limited; }
    bool is_sitting(std::size_t k) const { return callers_[k] == Caller::sits || callers_[k] == Caller::sits_limited; }
    std::uint8_t kind_of(std::size_t k) const { return callers_[k] == Caller::begins_other_kind ? 2 : 1; }
    std::uint8_t wanted(const State& state) const;
    void strike(State& state, std::size_t thread, bool is_summons) const;
    void register_waiter(State& state, std::size_t k, std::size_t thread) const;
    void leave(State& state, std::size_t k) const;
    void step_rouser(const State& state, std::size_t thread, Steps& out) const;
    void step_caller(const State& state, std::size_t k, Steps& out) const;
    void step_sitting(const State& state, std::size_t k, Steps& out) const;
    void step_ringer(const State& state, std::size_t k, Steps& out) const;
    void step_dispatcher(const State& state, Steps& out) const;
    void step_telling(const State& state, Steps& out) const;
    void step_sleeping(const State& state, Steps& out) const;

    Callers callers_;
    Mutation mutation_;
};

/// Forgets what can't matter any more, so that states that differ in nothing else are one.
void forget(State& state);

}  // namespace tierup::watch::model
