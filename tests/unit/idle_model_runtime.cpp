// What     The runtime's transitions of idle_model_machine.h: worker, callers of methods, events.
// What not The reader's: idle_model_reader.cpp.
// Threads  One.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, see idle_model.h.
#include "unit/idle_model_machine.h"

namespace tierup::idle_model {
namespace {

void move(State& state, Place from, Place to) {
    for (Place& place : state.item) {
        place = place == from ? to : place;
    }
}

void ring(State& state) {
    state.rung = state.followed = 1;
}

}  // namespace

std::uint8_t queued(const State& state) {
    std::uint8_t count = 0;
    for (Place place : state.item) {
        count = static_cast<std::uint8_t>(count + (place == Place::queued ? 1 : 0));
    }
    return count;
}

std::vector<State> Machine::first() const {
    std::vector<State> all;
    for (Place place : {Place::absent, Place::counted_out, Place::queued}) {
        State state;
        state.item[0] = place;
        state.flag = place == Place::counted_out ? 1 : 0;
        if (place == Place::absent) {
            state.worker = Worker::resting;
            state.processing = 0;
        }
        all.push_back(state);
    }
    return all;
}

void Machine::tell(State& state, bool is_by_worker) const {
    if (state.attached != 0) {
        state.told_since_resume =
            is_by_worker && (state.has_looked != 0 || setup_.rule == Rule::observed_from_attach) ? 1 : state.told_since_resume;
        ring(state);
    }
}

void Machine::tell_batch(State& state, Batch batch) const {
    if (state.attached != 0) {
        state.batch = batch;
        state.is_same_epoch = 0;
        tell(state, true);
    }
}

void Machine::observe_delay(State& state) const {
    if (state.has_list != 0 && (setup_.rule == Rule::observed || setup_.rule == Rule::observed_from_attach)) {
        state.need = static_cast<std::uint8_t>(state.resumes + 1);
    }
}

void Machine::step_runtime(const State& state, std::vector<State>& next) const {
    State after = state;
    after.is_look_owed = state.followed;
    switch (state.worker) {
        case Worker::resting:
            if (state.processing == 0) {
                return;
            }
            after.worker = Worker::top;
            break;
        case Worker::top: after.worker = state.has_list != 0 ? Worker::delaying : Worker::checking; break;
        case Worker::delaying:
            after.has_list = 0;
            after.worker = Worker::resume_event;
            break;
        case Worker::resume_event:
            if (state.attached != 0) {
                ++after.resumes;
                after.told_since_resume = 0;
                after.batch = after.batch == Batch::unknown ? Batch::out : after.batch;
                tell(after, false);
            }
            after.worker = Worker::installing;
            break;
        case Worker::installing:
            after.installed = static_cast<std::uint8_t>(state.installed + 1);
            after.worker = Worker::checking;
            break;
        case Worker::checking:
            after.worker = state.has_list != 0                     ? Worker::top
                           : state.flag != 0 || queued(state) != 0 ? Worker::start_event
                                                                   : Worker::leaving;
            break;
        case Worker::start_event:
            tell_batch(after, Batch::in);
            after.all_jitted = 0;
            after.worker = Worker::in_batch;
            break;
        case Worker::in_batch:
            if (state.has_list != 0) {
                after.worker = Worker::stop_event;
            } else if (queued(state) != 0) {
                if (state.flag != 0) {  // asked for long enough ago: completes first
                    State completing = state;
                    completing.flag = 0;
                    move(completing, Place::counted_out, Place::moving);
                    completing.worker = Worker::completing;
                    next.push_back(completing);
                }
                for (Place& place : after.item) {
                    if (place == Place::queued) {
                        place = Place::taken;
                        break;
                    }
                }
                after.worker = Worker::compiling;
            } else if (state.flag != 0) {
                after.flag = 0;
                move(after, Place::counted_out, Place::moving);
                after.worker = Worker::completing;
            } else {
                after.all_jitted = 1;
                after.worker = Worker::stop_event;
            }
            break;
        case Worker::completing:
            move(after, Place::moving, Place::queued);
            after.worker = Worker::in_batch;
            break;
        case Worker::compiling: after.worker = Worker::load_event; break;
        case Worker::load_event:
            move(after, Place::taken, Place::compiled);
            tell(after, true);
            after.worker = Worker::activating;
            break;
        case Worker::activating:
            move(after, Place::compiled, Place::activated);
            after.worker = Worker::after_one;
            break;
        case Worker::after_one: {
            State yielding = state;
            yielding.worker = Worker::yield_stop_event;
            next.push_back(yielding);
            after.worker = state.has_list != 0 ? Worker::stop_event : Worker::in_batch;
            break;
        }
        case Worker::yield_stop_event:
            tell_batch(after, Batch::out);
            after.worker = Worker::yielded;
            break;
        case Worker::yielded:  // broken off without another stop event, or the next batch
            after.worker = state.has_list != 0 ? Worker::top : Worker::start_event;
            break;
        case Worker::stop_event:
            tell_batch(after, Batch::out);
            after.worker = state.all_jitted != 0 ? Worker::leaving : Worker::top;
            break;
        case Worker::leaving:
            if (state.has_list != 0 || state.flag != 0 || queued(state) != 0) {
                after.worker = Worker::top;
            } else {
                after.processing = 0;
                after.worker = Worker::resting;
            }
            break;
    }
    next.push_back(after);
}

/// Callers of methods, the pause event that one of them sends, and our own attaching.
void Machine::step_callers(const State& state, std::vector<State>& next) const {
    State after = state;
    if (state.item[1] == Place::absent && setup_.rule < Rule::list_only) {
        for (Place place : {Place::counted_out, Place::queued}) {  // queued at once: where calls are counted without stubs
            State added = state;
            added.item[1] = place;
            added.flag = place == Place::counted_out ? 1 : state.flag;
            added.processing = 1;
            next.push_back(added);
        }
    }
    if (state.has_list == 0 && state.delays < last_delay() && state.pause_due == 0) {
        after.has_list = 1;
        ++after.delays;
        after.processing = 1;
        after.pause_due = 1;
        if (!setup_.is_pause_late) {
            after.pause_due = 0;
            if (after.attached != 0) {
                observe_delay(after);
                tell(after, false);
            }
        }
        next.push_back(after);
    }
    if (state.pause_due != 0) {
        State told = state;
        told.pause_due = 0;
        if (told.attached != 0) {
            observe_delay(told);
            tell(told, false);
        }
        next.push_back(told);
    }
    if (state.attached == 0) {
        State attached = state;
        attached.attached = 1;
        ring(attached);  // the first look after events are on
        next.push_back(attached);
    }
}

}  // namespace tierup::idle_model
