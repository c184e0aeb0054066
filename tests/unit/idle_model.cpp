// What     The search of idle_model.h: every state that can be reached.
// What not Knows no transition: idle_model_runtime.cpp, idle_model_reader.cpp.
// Threads  One.
// Failure  See idle_model.h.
#include "unit/idle_model.h"

#include <cstring>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "unit/idle_model_machine.h"

namespace tierup::idle_model {
namespace {

struct Hash {
    std::size_t operator()(const State& state) const {
        return std::hash<std::string_view>()({reinterpret_cast<const char*>(&state), sizeof state});
    }
};
struct Same {
    bool operator()(const State& a, const State& b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
};

void forget(State& state) {
    if (state.reader == Reader::asleep || state.reader == Reader::first_epoch || state.reader == Reader::done) {
        state.is_same_epoch = state.is_first_zero = state.is_second_zero = state.has_no_list = state.may_be_told = 0;
        state.items_then = 0;
        state.seen_batch = Batch::unknown;
    }
    if (state.reader == Reader::first || state.reader == Reader::second || state.reader == Reader::asleep) {
        state.has_no_list = state.may_be_told = 0;
    }
    state.all_jitted = state.worker == Worker::stop_event ? state.all_jitted : std::uint8_t{0};
}

}  // namespace

Outcome explore(const Setup& setup) {
    const Machine machine(setup);
    std::unordered_set<State, Hash, Same> known;
    const bool counts_resumes = setup.rule >= Rule::list_only;
    std::vector<State> work = machine.first();
    Outcome outcome;
    bool has_said_yes = false;
    std::vector<State> next;
    while (!work.empty()) {
        const State state = work.back();
        work.pop_back();
        if (!known.insert(state).second) {
            continue;
        }
        if (state.violation != Violation::none) {
            outcome = {state.violation, known.size()};
            return outcome;
        }
        if (machine.has_said_yes(state)) {
            has_said_yes = true;
            continue;
        }
        next.clear();
        machine.step_runtime(state, next);
        machine.step_reader(state, next);
        if (next.empty() && machine.is_lost(state)) {
            outcome = {Violation::lost_wakeup, known.size()};
            return outcome;
        }
        machine.step_callers(state, next);
        for (State& after : next) {
            // Every instant is a state.
            after.was_active = after.has_list == 0 && after.installed == after.delays ? std::uint8_t{1} : after.was_active;
            forget(after);
            after.is_look_owed = after.followed != 0 ? after.is_look_owed : std::uint8_t{0};
            if (!counts_resumes) {
                after.resumes = after.told_since_resume = 0;
                after.installed = after.was_active = 0;
            }
            if (known.find(after) == known.end()) {
                work.push_back(after);
            }
        }
    }
    outcome = {has_said_yes ? Violation::none : Violation::never_said, known.size()};
    return outcome;
}

}  // namespace tierup::idle_model
