// What     The dispatcher's transitions of watcher_model_machine.h.
// What not Knows nothing of the watcher's code but the names of its steps.
// Threads  One.
#include <bit>

#include "unit/watcher_model_machine.h"

namespace tierup::watch::model {
namespace {

void touch(State& state, std::size_t k) {
    if (has(state.returned, k)) {
        state.violation = Violation::touched_after_return;
    }
}

void end_blocked(State& state, std::size_t k) {
    touch(state, k);
    add(state.ended_word, k);
}

void wake_blocked(State& state, std::size_t k) {
    touch(state, k);
    if (state.step[k] == CallerStep::c3_parked) {
        state.step[k] = CallerStep::c3_look;
    }
}

}  // namespace

void Machine::step_dispatcher(const State& state, Steps& out) const {
    State after = state;
    const std::size_t k = state.current;
    switch (state.dispatcher) {
        case DispatcherStep::absent: return;
        case DispatcherStep::d2_pick:
            if (state.batch == 0) {
                after.dispatcher = is(Mutation::end_without_looking) ? DispatcherStep::d5_count : DispatcherStep::d5_sleep_or_end;
            } else if (state.is_locked == 0) {
                const auto candidate = static_cast<std::uint8_t>(std::countr_zero(state.batch));
                drop(after.batch, candidate);
                if (has(state.in_table, candidate) &&
                    (state.is_over_all != 0 || has(state.fresh, candidate) || has(state.has_news, candidate))) {
                    after.current = candidate;
                    after.dispatcher = DispatcherStep::d2_evaluate;
                    if (!is(Mutation::news_behind_evaluation)) {
                        drop(after.has_news, candidate);
                    }
                }
            } else {
                return;
            }
            out.next.push_back(after);
            return;
        case DispatcherStep::d2_evaluate:
            drop(after.fresh, k);
            after.dispatcher = has(state.published, k) ? DispatcherStep::d3_end_wait : DispatcherStep::d2_pick;
            if (is(Mutation::news_behind_evaluation) && !has(state.published, k)) {
                after.dispatcher = DispatcherStep::d2_news_late;
            }
            out.next.push_back(after);
            return;
        case DispatcherStep::d2_news_late:
            drop(after.has_news, k);
            after.dispatcher = DispatcherStep::d2_pick;
            out.next.push_back(after);
            return;
        case DispatcherStep::d3_end_wait:
            if (state.is_locked != 0) {
                return;
            }
            after.dispatcher = DispatcherStep::d2_pick;
            if (has(state.in_table, k) || is(Mutation::end_without_revalidating)) {
                drop(after.in_table, k);
                after.dispatcher = DispatcherStep::d4_call_back;
                if (is_blocking(k)) {
                    after.is_locked = 1;
                    after.dispatcher = DispatcherStep::d3_wake;
                    if (is(Mutation::wake_before_end)) {
                        wake_blocked(after, k);
                    } else {
                        end_blocked(after, k);
                    }
                }
            }
            out.next.push_back(after);
            return;
        case DispatcherStep::d3_wake:
            if (is(Mutation::wake_before_end)) {
                end_blocked(after, k);
            } else {
                wake_blocked(after, k);
            }
            after.is_locked = 0;
            after.dispatcher = DispatcherStep::d2_pick;
            out.next.push_back(after);
            return;
        case DispatcherStep::d4_call_back:
            ++after.endings[k];
            after.dispatcher =
                k == 0 && callers_[kCallers - 1] == Caller::begun_by_callback ? DispatcherStep::d4_evaluate_new : DispatcherStep::d2_pick;
            out.next.push_back(after);
            return;
        case DispatcherStep::d4_evaluate_new:
            after.dispatcher = DispatcherStep::d4_register_new;
            if (has(state.published, kCallers - 1)) {
                ++after.endings[kCallers - 1];
                after.dispatcher = DispatcherStep::d2_pick;
            }
            out.next.push_back(after);
            return;
        case DispatcherStep::d4_register_new:
            if (state.is_locked == 0) {
                register_waiter(after, kCallers - 1, kDispatcherThread);
                after.dispatcher = DispatcherStep::d2_pick;
                out.next.push_back(after);
            }
            return;
        case DispatcherStep::s1_lie_down:
        case DispatcherStep::s2_look:
        case DispatcherStep::s3_compare:
        case DispatcherStep::s3_parked:
        case DispatcherStep::s4_get_up: step_sleeping(state, out); return;
        default: step_telling(state, out); return;
    }
}

/// The beginning and the end of a round, where the owner is told who waits.
void Machine::step_telling(const State& state, Steps& out) const {
    State after = state;
    const auto served = static_cast<std::uint8_t>(state.in_table & ~state.in_seat);
    switch (state.dispatcher) {
        case DispatcherStep::d1_strokes:
            if (!is(Mutation::strokes_behind_round)) {
                drop(after.unheard, kDispatcherBed);
            }
            after.dispatcher = DispatcherStep::d1_look;
            break;
        case DispatcherStep::d1_look:
            if (state.is_locked != 0) {
                return;
            }
            if ((wanted(state) & ~state.told) != 0) {
                after.told = static_cast<std::uint8_t>(state.told | wanted(state));
                after.dispatcher = DispatcherStep::d1_tell;
            } else if (is(Mutation::demand_behind_the_round)) {
                after.dispatcher = DispatcherStep::d1_begin_late;
            } else {
                after.batch = served;
                after.dispatcher = DispatcherStep::d2_pick;
            }
            break;
        case DispatcherStep::d1_begin_late:
            if (state.is_locked != 0) {
                return;
            }
            after.batch = served;
            after.dispatcher = DispatcherStep::d2_pick;
            break;
        case DispatcherStep::d1_tell:
            after.on = state.told;
            if (!is(Mutation::switch_on_silently)) {
                strike(after, kDispatcherThread, false);
            }
            after.dispatcher = DispatcherStep::d1_strokes;
            break;
        case DispatcherStep::d5_count:
            after.count_seen = state.in_table;
            after.dispatcher = DispatcherStep::d5_sleep_or_end;
            break;
        case DispatcherStep::d5_sleep_or_end: {
            if (state.is_locked != 0) {
                return;
            }
            const std::uint8_t kinds = is(Mutation::end_without_looking) && state.count_seen == 0 ? std::uint8_t{0} : wanted(state);
            const std::uint8_t count = is(Mutation::end_without_looking) ? state.count_seen : state.in_table;
            const bool has_surplus = (state.told & ~kinds) != 0;
            if (has_surplus) {  // and the linger is over
                State telling = state;
                telling.told = static_cast<std::uint8_t>(state.told & kinds);
                telling.dispatcher = DispatcherStep::d5_tell;
                out.next.push_back(telling);
            }
            if (count == 0 && !has_surplus) {
                after.is_running = 0;
                after.dispatcher = DispatcherStep::absent;
            } else {
                const bool are_seats_minded = (state.in_table & state.in_seat) != 0 && !is(Mutation::long_sleep_beside_seats);
                after.is_pause_long = !has_surplus && !are_seats_minded ? 1 : 0;
                after.depth = served != 0 ? Depth::light : Depth::deep;
                after.dispatcher = DispatcherStep::s1_lie_down;
                if (is(Mutation::strokes_behind_round)) {
                    drop(after.unheard, kDispatcherBed);
                }
            }
            break;
        }
        case DispatcherStep::d5_tell:
            after.on = state.told;
            after.dispatcher = is(Mutation::end_without_looking) ? DispatcherStep::d5_count : DispatcherStep::d5_sleep_or_end;
            break;
        default: return;
    }
    out.next.push_back(after);
}

void Machine::step_sleeping(const State& state, Steps& out) const {
    State after = state;
    switch (state.dispatcher) {
        case DispatcherStep::s1_lie_down:
            after.bed[kDispatcherBed] = state.depth;
            after.dispatcher = DispatcherStep::s2_look;
            break;
        case DispatcherStep::s2_look:
            after.dispatcher = has(state.unheard, kDispatcherBed) && !is(Mutation::sleep_without_second_look) ? DispatcherStep::s4_get_up
                                                                                                              : DispatcherStep::s3_compare;
            break;
        case DispatcherStep::s3_compare:  // the kernel compares and parks in one step
            after.dispatcher = state.bed[kDispatcherBed] == state.depth ? DispatcherStep::s3_parked : DispatcherStep::s4_get_up;
            break;
        case DispatcherStep::s3_parked:  // woken by [R2], or the pause ends: a backstop
            after.is_over_all = 1;
            after.dispatcher = DispatcherStep::s4_get_up;
            out.timed.push_back(after);
            return;
        case DispatcherStep::s4_get_up:
            after.bed[kDispatcherBed] = Depth::awake;
            after.dispatcher = DispatcherStep::d1_look;
            if (!is(Mutation::strokes_behind_round)) {
                drop(after.unheard, kDispatcherBed);
            }
            break;
        default: return;
    }
    if (state.dispatcher == DispatcherStep::s1_lie_down) {
        after.is_over_all = 0;
    }
    out.next.push_back(after);
}

}  // namespace tierup::watch::model
