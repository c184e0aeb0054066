// What     The search of watcher_model.h: every state that can be reached, and whether each can reach the end.
// What not Knows no transition: watcher_model_machine.cpp.
// Threads  One.
// Failure  See watcher_model.h.
#include "unit/watcher_model.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "unit/watcher_model_machine.h"

namespace tierup::watch::model {
namespace {

struct Hash {
    std::size_t operator()(const State& state) const {
        return std::hash<std::string_view>()({reinterpret_cast<const char*>(&state), sizeof state});
    }
};
struct Same {
    bool operator()(const State& a, const State& b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
};

}  // namespace

Outcome explore(const Callers& callers, Mutation mutation) {
    const Machine machine(callers, mutation);
    std::unordered_map<State, std::uint32_t, Hash, Same> known;
    std::vector<State> states{machine.first()};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // to, from
    std::vector<std::uint32_t> ends;
    known.emplace(states[0], 0);
    Outcome outcome;
    Steps steps;
    for (std::size_t i = 0; i < states.size(); ++i) {
        steps = {};
        machine.steps(states[i], steps);
        outcome.violation = machine.check(states[i], steps.next.empty());
        if (outcome.violation != Violation::none) {
            outcome.states = states.size();
            return outcome;
        }
        if (machine.is_end(states[i])) {
            ends.push_back(static_cast<std::uint32_t>(i));
        }
        std::vector<State>& all = steps.next;
        all.insert(all.end(), steps.world.begin(), steps.world.end());
        all.insert(all.end(), steps.timed.begin(), steps.timed.end());
        for (State& state : all) {
            forget(state);
            const auto [place, is_new] = known.emplace(state, static_cast<std::uint32_t>(states.size()));
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
