// What     The reader's transitions of idle_model_machine.h, and whether what it says is true.
// What not Knows nothing of our code: the rules are those of docs/CORRECTNESS.md.
// Threads  One.
#include "unit/idle_model_machine.h"

namespace tierup::idle_model {

void Machine::begin_evaluation(State& state) const {
    state.rung = 0;
    state.items_then = 0;
    for (std::size_t i = 0; i < kItems; ++i) {
        state.items_then = static_cast<std::uint8_t>(state.items_then | (state.item[i] != Place::absent ? 1u << i : 0u));
    }
    if (!setup_.sees_delay_first || state.has_seen_delay == 0) {
        state.was_active = 0;
    }
    state.is_same_epoch = 1;
    state.seen_batch = state.batch;
    state.reader = is_for_active() ? Reader::list : Reader::first;
}

bool Machine::judge(const State& state) const {
    const bool are_zero = state.is_first_zero != 0 && state.is_second_zero != 0;
    const bool is_same_epoch = state.is_same_epoch != 0;
    switch (setup_.rule) {
        case Rule::count_flag_batch:
        case Rule::flag_count_batch: return are_zero && state.batch == Batch::out;
        case Rule::epoch:
        case Rule::epoch_flag_first: return are_zero && is_same_epoch && state.seen_batch == Batch::out;
        case Rule::epoch_unknown_is_out: return are_zero && is_same_epoch && state.seen_batch != Batch::in;
        case Rule::epoch_not_compared: return are_zero && state.seen_batch == Batch::out && state.batch == Batch::out;
        case Rule::in_batch: return state.has_no_list != 0 && is_same_epoch && state.seen_batch == Batch::in;
        default: return state.has_no_list != 0 && state.may_be_told != 0;
    }
}

/// The last step of an evaluation: what it says, and whether that is true.
void Machine::finish(State& state) const {
    if (!judge(state)) {
        state.reader = Reader::asleep;
        return;
    }
    state.reader = Reader::done;
    if (is_for_idle()) {
        for (std::size_t i = 0; i < kItems; ++i) {
            if ((state.items_then & 1u << i) != 0 && state.item[i] != Place::activated) {
                state.violation = Violation::false_idle;
            }
        }
    }
    if (!is_for_idle() || setup_.rule == Rule::worker_flag) {
        if (state.was_active == 0) {
            state.violation = Violation::false_active;
        }
    }
}

void Machine::step_reader(const State& state, std::vector<State>& next) const {
    State after = state;
    const bool is_flag_first = setup_.rule == Rule::flag_count_batch || setup_.rule == Rule::epoch_flag_first;
    switch (state.reader) {
        case Reader::asleep:
            if (state.attached == 0 || (state.rung == 0 && (!setup_.follows_up || state.followed == 0))) {
                return;
            }
            if (state.rung == 0 && state.is_look_owed == 0 && state.worker != Worker::installing && state.worker != Worker::activating &&
                state.worker != Worker::top && state.worker != Worker::checking &&
                state.worker != Worker::leaving) {  // the follow-up is over, but it outlasts the few steps that no event follows
                State given_up = state;
                given_up.followed = 0;
                next.push_back(given_up);
            }
            after.reader = Reader::first_epoch;
            break;
        case Reader::first_epoch:
            after.is_look_owed = 0;
            begin_evaluation(after);
            break;
        case Reader::first:
            after.is_first_zero = is_flag_first ? state.flag == 0 : queued(state) == 0;
            after.reader = Reader::second;
            break;
        case Reader::second:
            after.is_second_zero = is_flag_first ? queued(state) == 0 : state.flag == 0;
            after.reader = Reader::second_epoch;
            break;
        case Reader::list:
            after.has_no_list = state.has_list == 0;
            after.has_looked = 1;
            observe_delay(after);  // one step: in the code the resumes are read before and behind the list, again if they differ
            if (state.has_list != 0 && setup_.sees_delay_first) {
                after.has_seen_delay = 1;
                after.captured = state.delays;
            }
            after.reader = Reader::told;
            break;
        case Reader::told:
            after.may_be_told = 0;
            switch (setup_.rule) {
                case Rule::list_only: after.may_be_told = 1; break;
                case Rule::worker_event: after.may_be_told = state.told_since_resume; break;
                case Rule::observed_from_attach:
                case Rule::observed: after.may_be_told = state.told_since_resume != 0 && state.resumes >= state.need; break;
                case Rule::worker_flag: after.may_be_told = state.processing == 0; break;
                case Rule::own_states: after.may_be_told = state.has_seen_delay != 0 && state.installed >= state.captured; break;
                default: break;
            }
            if (setup_.sees_delay_first && state.has_seen_delay == 0) {
                after.may_be_told = 0;
            }
            after.reader = Reader::second_epoch;
            break;
        case Reader::second_epoch: finish(after); break;
        case Reader::done: return;
    }
    next.push_back(after);
}

/// `state` has no next step of the runtime and of the reader: what is waited for is true, and it is known where we stand.
bool Machine::is_lost(const State& state) const {
    const bool is_known = state.attached != 0 && (setup_.rule == Rule::worker_flag || state.batch != Batch::unknown);
    return setup_.minds_lost && is_known && state.pause_due == 0 && (!setup_.sees_delay_first || state.has_seen_delay != 0);
}

}  // namespace tierup::idle_model
