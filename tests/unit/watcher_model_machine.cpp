// What     The transitions of watcher_model_machine.h and the properties of every state.
// What not Knows nothing of the watcher's code but the names of its steps.
// Threads  One.
// Failure  check() names the property that a state breaks.
#include "unit/watcher_model_machine.h"

#include <bit>

namespace tierup::watch::model {
namespace {

void wake_dispatchers(State& state) {
    for (DispatcherStep& step : state.dispatcher) {
        step = step == DispatcherStep::d6_parked ? DispatcherStep::d1_begin_round : step;
    }
}

void finish_blocked(State& state, std::size_t k) {
    ++state.endings[k];
    add(state.returned, k);
    state.step[k] = CallerStep::end;
}

void touch(State& state, std::size_t k) {
    if (has(state.returned, k)) {
        state.violation = Violation::touched_after_return;
    }
}

void wake_blocked(State& state, std::size_t k) {
    touch(state, k);
    if (state.step[k] == CallerStep::c3_parked) {
        state.step[k] = CallerStep::c3_look;
    }
}

}  // namespace

State Machine::first() const {
    State state;
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (callers_[k] == Caller::none || callers_[k] == Caller::begun_by_callback) {
            state.step[k] = CallerStep::end;
            if (callers_[k] == Caller::none) {
                add(state.published, k);
            }
        }
    }
    return state;
}

void Machine::steps(const State& state, std::vector<State>& next, std::vector<State>& timed_next) const {
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (!has(state.published, k)) {  // the runtime's worker: in any order
            State after = state;
            add(after.published, k);
            next.push_back(after);
        }
        step_caller(state, k, next, timed_next);
    }
    for (std::size_t d = 0; d < kDispatchers; ++d) {
        step_dispatcher(state, d, next, timed_next);
    }
}

bool Machine::is_end(const State& state) const {
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (state.step[k] != CallerStep::end) {
            return false;
        }
    }
    for (DispatcherStep step : state.dispatcher) {
        if (step != DispatcherStep::absent) {
            return false;
        }
    }
    return state.in_table == 0 && state.is_running == 0;
}

Violation Machine::check(const State& state, bool is_quiet) const {
    if (state.violation != Violation::none) {
        return state.violation;
    }
    std::size_t live = 0;
    bool is_parked = false;
    bool is_parked_long = false;
    for (std::size_t d = 0; d < kDispatchers; ++d) {
        live += state.dispatcher[d] != DispatcherStep::absent ? 1u : 0u;
        is_parked = is_parked || state.dispatcher[d] == DispatcherStep::d6_parked;
        is_parked_long = is_parked_long || (state.dispatcher[d] == DispatcherStep::d6_parked && state.is_pause_short[d] == 0);
    }
    if (live > 1) {
        return Violation::two_dispatchers;
    }
    if (state.in_table != 0 && live == 0) {
        return Violation::waiter_without_dispatcher;
    }
    for (std::uint8_t endings : state.endings) {
        if (endings > 1) {
            return Violation::ended_twice;
        }
    }
    if (is_quiet && is_parked && state.in_table == 0) {
        return Violation::asleep_without_waiters;
    }
    if (is_quiet && is_parked_long && (state.in_table & ~state.evaluated) != 0) {
        return Violation::asleep_before_evaluation;
    }
    return Violation::none;
}

bool Machine::ring(State& state) const {
    if (state.is_asleep == 0) {
        return false;
    }
    state.is_asleep = 0;
    if (mutation_ != Mutation::wake_without_bell) {
        ++state.bell;
    }
    return true;
}

void Machine::register_waiter(State& state, std::size_t k) const {  // [C1]
    add(state.in_table, k);
    if (state.is_running != 0) {
        state.is_stale = 1;
        state.must_wake[k] = mutation_ != Mutation::register_without_ring && ring(state) ? 1 : 0;
    } else {
        state.is_running = 1;
        state.is_stale = 0;
        std::size_t d = 0;
        while (state.dispatcher[d] != DispatcherStep::absent) {
            ++d;
        }
        state.dispatcher[d] = DispatcherStep::d1_begin_round;
    }
}

void Machine::leave(State& state, std::size_t k) const {  // the common part of [C2] and [C4]
    drop(state.in_table, k);
    ++state.endings[k];
    state.must_wake[k] = state.in_table == 0 && mutation_ != Mutation::cancel_without_ring && ring(state) ? 1 : 0;
    state.step[k] = CallerStep::r1_wake_left;
}

void Machine::step_caller(const State& state, std::size_t k, std::vector<State>& next, std::vector<State>& timed_next) const {
    State after = state;
    switch (state.step[k]) {
        case CallerStep::evaluate:
            if (has(state.published, k)) {
                after.step[k] = CallerStep::end;
                ++after.endings[k];
            } else {
                after.step[k] = CallerStep::c1_register;
            }
            next.push_back(after);
            return;
        case CallerStep::c1_register:
            if (state.is_locked == 0) {
                register_waiter(after, k);
                after.step[k] = CallerStep::r1_wake_registered;
                next.push_back(after);
            }
            return;
        case CallerStep::r1_wake_registered:
            if (state.must_wake[k] != 0) {
                wake_dispatchers(after);
                after.must_wake[k] = 0;
            }
            after.step[k] = is_blocking(k) ? CallerStep::c3_look : CallerStep::may_cancel;
            next.push_back(after);
            return;
        case CallerStep::may_cancel:
            after.step[k] = CallerStep::end;  // it does not
            next.push_back(after);
            if (state.is_locked == 0) {  // [C2]
                State cancelled = state;
                cancelled.step[k] = CallerStep::end;
                if (has(state.in_table, k)) {
                    leave(cancelled, k);
                }
                next.push_back(cancelled);
            }
            return;
        case CallerStep::c3_look:
            if (has(state.ended_word, k)) {
                after.step[k] = CallerStep::c4_leave;
                if (mutation_ == Mutation::return_without_lock) {
                    finish_blocked(after, k);
                }
            } else {
                after.step[k] = CallerStep::c3_parked;  // the kernel compares and parks in one step
            }
            next.push_back(after);
            return;
        case CallerStep::c3_parked:  // woken by [D3]
            if (callers_[k] == Caller::blocks_limited) {
                after.step[k] = CallerStep::c4_leave;
                timed_next.push_back(after);
            }
            return;
        case CallerStep::c4_leave:
            if (state.is_locked == 0) {
                if (has(state.in_table, k)) {
                    leave(after, k);
                    add(after.returned, k);  // what follows touches the bell only
                } else {
                    finish_blocked(after, k);
                }
                next.push_back(after);
            }
            return;
        case CallerStep::r1_wake_left:
            if (state.must_wake[k] != 0) {
                wake_dispatchers(after);
                after.must_wake[k] = 0;
            }
            after.step[k] = CallerStep::end;
            next.push_back(after);
            return;
        case CallerStep::end: return;
    }
}

void Machine::step_dispatcher(const State& state, std::size_t d, std::vector<State>& next, std::vector<State>& timed_next) const {
    State after = state;
    const std::size_t k = state.current[d];
    switch (state.dispatcher[d]) {
        case DispatcherStep::absent: return;
        case DispatcherStep::d1_begin_round:
            if (state.is_locked == 0) {
                after.is_asleep = 0;
                after.batch[d] = state.in_table;
                after.dispatcher[d] = DispatcherStep::d2_evaluate;
                next.push_back(after);
            }
            return;
        case DispatcherStep::d2_evaluate:
            if (state.batch[d] == 0) {
                after.dispatcher[d] =
                    mutation_ == Mutation::end_without_looking ? DispatcherStep::d5_count : DispatcherStep::d5_sleep_or_end;
            } else {
                const auto candidate = static_cast<std::uint8_t>(std::countr_zero(state.batch[d]));
                drop(after.batch[d], candidate);
                add(after.evaluated, candidate);
                if (has(state.published, candidate)) {
                    after.current[d] = candidate;
                    after.dispatcher[d] = DispatcherStep::d3_end_wait;
                }
            }
            next.push_back(after);
            return;
        case DispatcherStep::d3_end_wait:
            if (state.is_locked != 0) {
                return;
            }
            after.dispatcher[d] = DispatcherStep::d2_evaluate;
            if (has(state.in_table, k) || mutation_ == Mutation::end_without_revalidating) {
                drop(after.in_table, k);
                after.dispatcher[d] = DispatcherStep::d4_call_back;
                if (is_blocking(k)) {
                    after.is_locked = 1;
                    after.dispatcher[d] = DispatcherStep::d3_wake;
                    if (mutation_ == Mutation::wake_before_end) {
                        wake_blocked(after, k);
                    } else {
                        touch(after, k);
                        add(after.ended_word, k);
                    }
                }
            }
            next.push_back(after);
            return;
        case DispatcherStep::d3_wake:
            if (mutation_ == Mutation::wake_before_end) {
                touch(after, k);
                add(after.ended_word, k);
            } else {
                wake_blocked(after, k);
            }
            after.is_locked = 0;
            after.dispatcher[d] = DispatcherStep::d2_evaluate;
            next.push_back(after);
            return;
        case DispatcherStep::d4_call_back:
            ++after.endings[k];
            after.dispatcher[d] = k == 0 && callers_[kCallers - 1] == Caller::begun_by_callback ? DispatcherStep::d4_evaluate_new
                                                                                                : DispatcherStep::d2_evaluate;
            next.push_back(after);
            return;
        case DispatcherStep::d4_evaluate_new:
            after.dispatcher[d] = DispatcherStep::d4_register_new;
            if (has(state.published, kCallers - 1)) {
                ++after.endings[kCallers - 1];
                after.dispatcher[d] = DispatcherStep::d2_evaluate;
            }
            next.push_back(after);
            return;
        case DispatcherStep::d4_register_new:
            if (state.is_locked == 0) {
                register_waiter(after, kCallers - 1);
                after.must_wake[kCallers - 1] = 0;
                after.dispatcher[d] = DispatcherStep::d2_evaluate;
                next.push_back(after);
            }
            return;
        case DispatcherStep::d5_count:
            after.count_seen[d] = state.in_table;
            after.dispatcher[d] = DispatcherStep::d5_sleep_or_end;
            next.push_back(after);
            return;
        case DispatcherStep::d5_sleep_or_end:
            if (state.is_locked == 0) {
                const std::uint8_t count = mutation_ == Mutation::end_without_looking ? state.count_seen[d] : state.in_table;
                if (count == 0) {
                    after.is_running = 0;
                    after.dispatcher[d] = DispatcherStep::absent;
                } else {
                    after.is_asleep = 1;
                    after.is_pause_short[d] = state.is_stale;
                    after.is_stale = 0;
                    after.bell_seen[d] = state.bell;
                    after.dispatcher[d] = DispatcherStep::d6_sleep;
                }
                next.push_back(after);
            }
            return;
        case DispatcherStep::d6_sleep:  // the kernel compares and parks in one step
            after.dispatcher[d] = mutation_ == Mutation::sleep_on_late_bell || state.bell_seen[d] == state.bell
                                      ? DispatcherStep::d6_parked
                                      : DispatcherStep::d1_begin_round;
            next.push_back(after);
            return;
        case DispatcherStep::d6_parked:  // woken by [R1], or the pause ends
            after.dispatcher[d] = DispatcherStep::d1_begin_round;
            timed_next.push_back(after);
            return;
    }
}

void forget(State& state) {
    std::uint8_t batches = 0;
    bool is_bell_compared = false;
    for (std::size_t d = 0; d < kDispatchers; ++d) {
        const DispatcherStep step = state.dispatcher[d];
        const bool is_ending = step >= DispatcherStep::d3_end_wait && step <= DispatcherStep::d4_register_new;
        const bool is_sleeping = step == DispatcherStep::d6_sleep || step == DispatcherStep::d6_parked;
        state.current[d] = is_ending ? state.current[d] : std::uint8_t{0};
        state.is_pause_short[d] = is_sleeping ? state.is_pause_short[d] : std::uint8_t{0};
        state.bell_seen[d] = is_sleeping ? state.bell_seen[d] : std::uint8_t{0};
        state.count_seen[d] = step == DispatcherStep::d5_sleep_or_end ? state.count_seen[d] : std::uint8_t{0};
        is_bell_compared = is_bell_compared || step == DispatcherStep::d6_sleep;
        batches = static_cast<std::uint8_t>(batches | state.batch[d]);
    }
    if (!is_bell_compared) {
        state.bell = 0;
        state.bell_seen = {};
    }
    state.evaluated = static_cast<std::uint8_t>(state.evaluated & state.in_table);
    state.ended_word = static_cast<std::uint8_t>(state.ended_word & ~state.returned);
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (state.step[k] == CallerStep::end && state.endings[k] != 0 && !has(state.in_table | batches, k)) {
            add(state.published, k);
        }
    }
}

}  // namespace tierup::watch::model
