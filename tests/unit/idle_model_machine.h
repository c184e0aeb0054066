// What     The state of the model of idle_model.h and its transitions.
// What not Searches nothing: idle_model.cpp does.
// Threads  One.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "unit/idle_model.h"

namespace tierup::idle_model {

/// Where a promotion stands. `moving`: taken out of the pending completions, not in the queue yet.
enum class Place : std::uint8_t { absent, counted_out, moving, queued, taken, compiled, activated };

enum class Worker : std::uint8_t {
    resting,  ///< "processing work" is 0
    top,
    delaying,
    resume_event,  ///< the list is null already
    installing,
    checking,
    start_event,
    in_batch,
    completing,  ///< the flag is 0 already
    compiling,
    load_event,
    activating,
    after_one,
    yield_stop_event,
    yielded,
    stop_event,
    leaving
};

enum class Reader : std::uint8_t { asleep, first_epoch, first, second, list, told, second_epoch, done };
enum class Batch : std::uint8_t { unknown, out, in };

constexpr std::size_t kItems = 2;  ///< Of which the first exists from the beginning.
constexpr std::uint8_t kDelays = 2;

/// All of it bytes, so that equal states have equal bytes.
struct State {
    std::array<Place, kItems> item{};
    std::uint8_t flag = 0;       ///< A completion of call counting is pending.
    std::uint8_t has_list = 0;   ///< A delay is active.
    std::uint8_t delays = 0;     ///< Begun.
    std::uint8_t installed = 0;  ///< Whose stubs are in.
    std::uint8_t processing = 1;
    Worker worker = Worker::top;
    std::uint8_t all_jitted = 0;
    std::uint8_t pause_due = 0;
    // what events have told us since we are attached
    std::uint8_t attached = 0;
    Batch batch = Batch::unknown;
    std::uint8_t is_same_epoch = 0;  ///< No batch event since the first reading: the number itself does not matter.
    std::uint8_t resumes = 0;
    std::uint8_t told_since_resume = 0;  ///< By the worker.
    std::uint8_t need = 0;               ///< So many resumes must have been told, for a delay was seen.
    std::uint8_t rung = 0;
    std::uint8_t followed = 0;
    std::uint8_t is_look_owed = 0;  ///< A step that no event follows was made; the follow-up is long enough to look once more.
    std::uint8_t has_looked = 0;    ///< At the list, since events are on: worker events before that prove nothing.
    // the one who reads
    Reader reader = Reader::asleep;
    Batch seen_batch = Batch::unknown;
    std::uint8_t is_first_zero = 0;
    std::uint8_t is_second_zero = 0;
    std::uint8_t has_no_list = 0;
    std::uint8_t may_be_told = 0;  ///< installed, and so on, as read together with the list
    std::uint8_t items_then = 0;   ///< Bits: what existed when the evaluation began.
    std::uint8_t was_active = 0;   ///< At some instant since then.
    std::uint8_t has_seen_delay = 0;
    std::uint8_t captured = 0;  ///< The number of the delay that this wait saw.
    Violation violation = Violation::none;
};
static_assert(std::has_unique_object_representations_v<State>);

std::uint8_t queued(const State& state);

class Machine {
public:
    explicit Machine(const Setup& setup) : setup_(setup) {}

    std::vector<State> first() const;
    void step_runtime(const State& state, std::vector<State>& next) const;
    void step_callers(const State& state, std::vector<State>& next) const;
    void step_reader(const State& state, std::vector<State>& next) const;
    bool is_lost(const State& state) const;
    bool has_said_yes(const State& state) const { return state.reader == Reader::done; }

private:
    /// Two items and a delay break every rule of the first kind that can be broken, one item and two delays those of the second.
    bool is_for_active() const { return setup_.rule >= Rule::list_only; }
    std::uint8_t last_delay() const { return is_for_active() ? setup_.delays : std::uint8_t{1}; }
    bool is_for_idle() const { return setup_.rule < Rule::list_only || setup_.rule == Rule::worker_flag; }
    void tell(State& state, bool is_by_worker) const;
    void tell_batch(State& state, Batch batch) const;
    void observe_delay(State& state) const;
    void begin_evaluation(State& state) const;
    bool judge(const State& state) const;
    void finish(State& state) const;

    Setup setup_;
};

}  // namespace tierup::idle_model
