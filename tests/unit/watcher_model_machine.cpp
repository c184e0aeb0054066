// What     The callers' and ringers' transitions of watcher_model_machine.h, and the properties of every state.
// What not The dispatcher's transitions: watcher_model_dispatcher.cpp. Knows nothing of the watcher's code but the names of its steps.
// Threads  One.
// Failure  check() names the property that a state breaks.
#include "unit/watcher_model_machine.h"

#include <bit>

namespace tierup::watch::model {
namespace {

void finish(State& state, std::size_t k) {
    ++state.endings[k];
    state.step[k] = CallerStep::end;
}

}  // namespace

State Machine::first() const {
    State state;
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (callers_[k] == Caller::none || callers_[k] == Caller::begun_by_callback) {
            state.step[k] = CallerStep::end;
            if (callers_[k] == Caller::none) {
                add(state.published, k);
                state.ringer[k] = RingerStep::done;
            }
        }
    }
    return state;
}

void Machine::steps(const State& state, Steps& out) const {
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (state.to_rouse[k] != 0) {
            step_rouser(state, k, out);
        } else {
            step_caller(state, k, out);
        }
        if (state.to_rouse[kCallers + k] != 0) {
            step_rouser(state, kCallers + k, out);
        } else {
            step_ringer(state, k, out);
        }
    }
    if (state.to_rouse[kDispatcherThread] != 0) {
        step_rouser(state, kDispatcherThread, out);
    } else {
        step_dispatcher(state, out);
    }
}

bool Machine::is_end(const State& state) const {
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (state.step[k] != CallerStep::end) {
            return false;
        }
    }
    return state.dispatcher == DispatcherStep::absent && state.in_table == 0 && state.is_running == 0;
}

Violation Machine::check(const State& state, bool is_quiet) const {
    if (state.violation != Violation::none) {
        return state.violation;
    }
    if (state.in_table != 0 && state.dispatcher == DispatcherStep::absent) {
        return Violation::waiter_without_dispatcher;
    }
    for (std::uint8_t endings : state.endings) {
        if (endings > 1) {
            return Violation::ended_twice;
        }
    }
    if (is_end(state) && state.on != 0) {
        return Violation::events_left_on;
    }
    if (!is_quiet) {
        return Violation::none;
    }
    if (state.in_table == 0 && state.dispatcher == DispatcherStep::s3_parked && state.is_pause_long != 0) {
        return Violation::asleep_without_waiters;
    }
    if ((state.in_table & state.fresh) != 0) {
        return Violation::asleep_before_evaluation;
    }
    if ((wanted(state) & ~state.on) != 0) {
        return Violation::asleep_without_events;
    }
    return (state.in_table & state.published) != 0 ? Violation::lost_wakeup : Violation::none;
}

std::uint8_t Machine::wanted(const State& state) const {
    unsigned kinds = 0;
    for (std::size_t k = 0; k < kCallers; ++k) {
        kinds |= has(state.in_table, k) ? kind_of(k) : 0u;
    }
    return static_cast<std::uint8_t>(kinds);
}

/// [R1], and what is to be roused; the dispatcher itself strikes for the seats only.
void Machine::strike(State& state, std::size_t thread, bool is_summons) const {
    if (!is(Mutation::wake_without_strike) && !is(Mutation::strike_after_look)) {
        state.unheard = bit_of(kBeds) - 1;
    }
    unsigned beds = is_summons ? bit_of(kDispatcherBed) : 0u;
    if (!is_summons) {
        beds = thread == kDispatcherThread ? 0u : bit_of(kDispatcherBed);
        for (std::size_t k = 0; k < kCallers; ++k) {
            beds |= is_sitting(k) ? bit_of(k) : 0u;
        }
    }
    state.to_rouse[thread] = static_cast<std::uint8_t>(beds);
    state.is_summons[thread] = is_summons && !is(Mutation::summon_lightly) ? 1 : 0;
}

void Machine::step_rouser(const State& state, std::size_t thread, Steps& out) const {  // [R2]
    State after = state;
    const auto bed = static_cast<std::size_t>(std::countr_zero(state.to_rouse[thread]));
    drop(after.to_rouse[thread], bed);
    if (state.bed[bed] == Depth::light || (state.bed[bed] == Depth::deep && state.is_summons[thread] != 0)) {
        if (!is(Mutation::wake_without_word)) {
            after.bed[bed] = Depth::awake;
        }
        if (bed == kDispatcherBed) {
            after.dispatcher = state.dispatcher == DispatcherStep::s3_parked ? DispatcherStep::s4_get_up : state.dispatcher;
        } else {
            after.step[bed] = state.step[bed] == CallerStep::s3_parked ? CallerStep::s4_get_up : state.step[bed];
        }
    }
    if (is(Mutation::strike_after_look) && after.to_rouse[thread] == 0) {
        after.unheard = bit_of(kBeds) - 1;
    }
    out.next.push_back(after);
}

void Machine::register_waiter(State& state, std::size_t k, std::size_t thread) const {  // [C1]
    add(state.in_table, k);
    add(state.fresh, k);
    if (is_sitting(k)) {
        add(state.in_seat, k);
    }
    if (state.is_running != 0) {
        if (!is(Mutation::register_without_ring)) {
            strike(state, thread, true);
        }
        return;
    }
    state.is_running = 1;
    if (state.dispatcher != DispatcherStep::absent) {
        state.violation = Violation::two_dispatchers;
    }
    state.dispatcher = DispatcherStep::d1_strokes;
}

void Machine::leave(State& state, std::size_t k) const {  // the common part of [C2] and [C4]
    const std::uint8_t before = wanted(state);
    drop(state.in_table, k);
    ++state.endings[k];
    if (!is(Mutation::cancel_without_ring) && (state.in_table == 0 || wanted(state) != before)) {
        strike(state, k, true);
    }
    state.step[k] = CallerStep::end;
}

void Machine::step_ringer(const State& state, std::size_t k, Steps& out) const {
    State after = state;
    const bool is_on = (state.on & kind_of(k)) != 0;
    switch (state.ringer[k]) {
        case RingerStep::change:
            after.ringer[k] = RingerStep::fire;
            if (is(Mutation::news_before_change) && is_on) {
                add(after.has_news, k);
                after.ringer[k] = RingerStep::late_change;
            } else if (is(Mutation::strike_before_change) && is_on) {
                add(after.has_news, k);
                strike(after, kCallers + k, false);
                after.ringer[k] = RingerStep::late_change;
            } else {
                add(after.published, k);
            }
            out.world.push_back(after);
            return;
        case RingerStep::fire:  // only who has events on hears it
            after.ringer[k] = RingerStep::done;
            if (is_on) {
                add(after.has_news, k);
                strike(after, kCallers + k, false);  // [R1]
            }
            out.next.push_back(after);
            return;
        case RingerStep::late_change:
            add(after.published, k);
            after.ringer[k] = RingerStep::done;
            if (is(Mutation::news_before_change)) {
                strike(after, kCallers + k, false);
            }
            out.next.push_back(after);
            return;
        case RingerStep::done: return;
    }
}

void Machine::step_caller(const State& state, std::size_t k, Steps& out) const {
    State after = state;
    switch (state.step[k]) {
        case CallerStep::evaluate:
            if (has(state.published, k)) {
                finish(after, k);
            } else {
                after.step[k] = CallerStep::c1_register;
            }
            out.next.push_back(after);
            return;
        case CallerStep::c1_register:
            if (state.is_locked == 0) {
                register_waiter(after, k, k);
                after.step[k] = is_sitting(k) ? CallerStep::c5_strokes : is_blocking(k) ? CallerStep::c3_look : CallerStep::may_cancel;
                out.next.push_back(after);
            }
            return;
        case CallerStep::may_cancel:
            after.step[k] = CallerStep::end;  // it does not
            out.next.push_back(after);
            if (state.is_locked == 0) {  // [C2]
                State cancelled = state;
                cancelled.step[k] = CallerStep::end;
                if (has(state.in_table, k)) {
                    leave(cancelled, k);
                }
                out.next.push_back(cancelled);
            }
            return;
        case CallerStep::c3_look:
            if (!has(state.ended_word, k)) {
                after.step[k] = CallerStep::c3_parked;  // the kernel compares and parks in one step
            } else if (is(Mutation::return_without_lock)) {
                add(after.returned, k);
                finish(after, k);
            } else {
                after.step[k] = CallerStep::c4_leave;
            }
            out.next.push_back(after);
            return;
        case CallerStep::c3_parked:  // woken by [D3]
            if (callers_[k] == Caller::blocks_limited) {
                after.step[k] = CallerStep::c4_leave;
                out.timed.push_back(after);
            }
            return;
        case CallerStep::c4_leave:
            if (state.is_locked == 0) {
                add(after.returned, k);  // what follows touches the bell only
                if (has(state.in_table, k)) {
                    leave(after, k);
                } else {
                    finish(after, k);
                }
                out.next.push_back(after);
            }
            return;
        case CallerStep::end: return;
        default: step_sitting(state, k, out); return;
    }
}

void Machine::step_sitting(const State& state, std::size_t k, Steps& out) const {
    State after = state;
    switch (state.step[k]) {
        case CallerStep::c5_strokes:
            if (!is(Mutation::strokes_behind_evaluation)) {
                drop(after.unheard, k);
            }
            after.step[k] = CallerStep::c6_evaluate;
            break;
        case CallerStep::c6_evaluate:
            drop(after.fresh, k);
            after.step[k] = has(state.published, k)                   ? CallerStep::c7_leave
                            : is(Mutation::strokes_behind_evaluation) ? CallerStep::c6_strokes_late
                                                                      : CallerStep::s1_lie_down;
            if (!has(state.published, k) && callers_[k] == Caller::sits_limited) {
                State timed_out = after;
                timed_out.step[k] = CallerStep::c7_leave;
                out.timed.push_back(timed_out);
            }
            break;
        case CallerStep::c6_strokes_late:
            drop(after.unheard, k);
            after.step[k] = CallerStep::s1_lie_down;
            break;
        case CallerStep::s1_lie_down:
            after.bed[k] = Depth::light;
            after.step[k] = CallerStep::s2_look;
            break;
        case CallerStep::s2_look:
            after.step[k] =
                has(state.unheard, k) && !is(Mutation::sleep_without_second_look) ? CallerStep::s4_get_up : CallerStep::s3_compare;
            break;
        case CallerStep::s3_compare:  // the kernel compares and parks in one step
            after.step[k] = state.bed[k] == Depth::light ? CallerStep::s3_parked : CallerStep::s4_get_up;
            break;
        case CallerStep::s3_parked:
            after.step[k] = CallerStep::s4_get_up;
            out.timed.push_back(after);
            return;
        case CallerStep::s4_get_up:
            after.bed[k] = Depth::awake;
            if (!is(Mutation::strokes_behind_evaluation)) {
                drop(after.unheard, k);  // [C5]
            }
            after.step[k] = CallerStep::c6_evaluate;
            break;
        case CallerStep::c7_leave:
            if (state.is_locked != 0) {
                return;
            }
            drop(after.in_table, k);
            drop(after.in_seat, k);
            finish(after, k);
            break;
        default: return;
    }
    out.next.push_back(after);
}

void forget(State& state) {
    const DispatcherStep step = state.dispatcher;
    const bool is_lying = step >= DispatcherStep::s1_lie_down;
    const bool has_waiter = step >= DispatcherStep::d2_evaluate && step <= DispatcherStep::d4_register_new;
    state.current = has_waiter ? state.current : std::uint8_t{0};
    state.is_pause_long = is_lying ? state.is_pause_long : std::uint8_t{0};
    state.depth = is_lying ? state.depth : Depth::awake;
    state.count_seen = step == DispatcherStep::d5_sleep_or_end ? state.count_seen : std::uint8_t{0};
    if (step == DispatcherStep::absent || step == DispatcherStep::d1_strokes || step == DispatcherStep::s3_parked) {
        drop(state.unheard, kDispatcherBed);
    }
    for (std::size_t k = 0; k < kCallers; ++k) {
        if (state.step[k] < CallerStep::c6_evaluate || state.step[k] > CallerStep::s2_look) {
            drop(state.unheard, k);
        }
        const bool is_in_hand = has(state.batch, k) || (has_waiter && state.current == k);
        if (state.step[k] == CallerStep::end && state.endings[k] != 0 && !has(state.in_table, k) && !is_in_hand) {
            add(state.published, k);
            drop(state.has_news, k);
            drop(state.fresh, k);
            state.ringer[k] = state.ringer[k] == RingerStep::change ? RingerStep::done : state.ringer[k];
        }
    }
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
        state.is_summons[thread] = state.to_rouse[thread] != 0 ? state.is_summons[thread] : std::uint8_t{0};
    }
    state.ended_word = static_cast<std::uint8_t>(state.ended_word & ~state.returned);
}

}  // namespace tierup::watch::model
