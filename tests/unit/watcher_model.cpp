// What     The search of watcher_model.h: every state that can be reached, and whether each can reach the end.
// What not Knows no transition: watcher_model_machine.cpp.
// Threads  One.
// Failure  See watcher_model.h.
#include "unit/watcher_model.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "unit/watcher_model_machine.h"

namespace tierup::watch::model {
namespace {

std::string key_of(const State& state) {
    std::string key(sizeof state, '\0');
    std::memcpy(key.data(), &state, sizeof state);
    return key;
}

}  // namespace

Outcome explore(const Callers& callers, Mutation mutation) {
    const Machine machine(callers, mutation);
    std::unordered_map<std::string, std::uint32_t> known;
    std::vector<State> states{machine.first()};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // to, from
    std::vector<std::uint32_t> ends;
    known.emplace(key_of(states[0]), 0);
    Outcome outcome;
    std::vector<State> next;
    std::vector<State> timed_next;
    for (std::size_t i = 0; i < states.size(); ++i) {
        next.clear();
        timed_next.clear();
        machine.steps(states[i], next, timed_next);
        outcome.violation = machine.check(states[i], next.empty());
        if (outcome.violation != Violation::none) {
            outcome.states = states.size();
            return outcome;
        }
        if (machine.is_end(states[i])) {
            ends.push_back(static_cast<std::uint32_t>(i));
        }
        next.insert(next.end(), timed_next.begin(), timed_next.end());
        for (State& state : next) {
            forget(state);
            const auto [place, is_new] = known.emplace(key_of(state), static_cast<std::uint32_t>(states.size()));
            if (is_new) {
                states.push_back(state);
            }
            edges.emplace_back(place->second, static_cast<std::uint32_t>(i));
        }
    }
    outcome.states = states.size();
    outcome.ends = ends.size();
    // Whatever happened, there is a way to the end: walk back from the ends and see that every state is met.
    std::sort(edges.begin(), edges.end());
    std::vector<bool> reaches_end(states.size(), false);
    std::vector<std::uint32_t> work = ends;
    std::size_t met = 0;
    while (!work.empty()) {
        const std::uint32_t i = work.back();
        work.pop_back();
        if (!reaches_end[i]) {
            reaches_end[i] = true;
            ++met;
            for (auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair{i, 0u}); edge != edges.end() && edge->first == i;
                 ++edge) {
                work.push_back(edge->second);
            }
        }
    }
    if (met != states.size()) {
        outcome.violation = Violation::stuck;
    }
    return outcome;
}

}  // namespace tierup::watch::model
