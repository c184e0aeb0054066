// What     The runtime's own answer to "is there background work": the flag that its worker's lock keeps equal to "a delay, a pending completion, a queue or
//          a batch". Found among libcoreclr's variables by voting; read by one load.
// What not Knows neither events nor the tiering manager: a witness tells what is known. Decides nothing alone about a wait.
// Threads  open: once, before the rest. sample: any thread, an event callback too (one samples, others go by). read, figures: any.
// Failure  not_known until located, and again as soon as one sample contradicts; two contradictions disable it for the process.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp; layout/worker_flag_vote.h.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "layout/worker_flag_vote.h"
#include "memory/reader.h"

namespace tierup::runtime {

enum class WorkKnown : std::uint8_t { nothing, at_work, at_rest };

/// What can be known of the worker at this moment from elsewhere. at_work: the delay's list exists, the queue's count is not 0, a completion is pending, or we are
/// inside an event callback on the worker's thread. at_rest: none of these; a compile under way may be overlooked.
struct WorkKnowledge {
    WorkKnown known = WorkKnown::nothing;
    std::uint64_t token = 0;  ///< Of what it is known by: the list's address, for instance. Another token is another piece of work.
};

class WorkWitness {
public:
    virtual WorkKnowledge look() const noexcept { return {}; }

protected:
    constexpr WorkWitness() noexcept = default;
    WorkWitness(const WorkWitness&) noexcept = default;
    WorkWitness& operator=(const WorkWitness&) noexcept = default;
    ~WorkWitness() = default;
};

enum class WorkerReading : std::uint8_t { not_known, at_work, at_rest };

/// May the sample be the first one, which copies half a megabyte (100 to 300 us)? Inside an event callback it may not.
enum class SampleSize : std::uint8_t { any, small };

struct WorkerFlagFigures {
    const char* reason = "";  ///< "" once located, else what is missing; lives as long as the process.
    Address flag;             ///< Null until located.
    std::uint64_t samples = 0;
    std::uint32_t candidates = 0;
    std::uint32_t stretches = 0;  ///< Of work, seen while it was searched.
    std::uint32_t contradictions = 0;
    std::uint64_t last_sample_ns = 0;
};

class WorkerFlag {
public:
    constexpr WorkerFlag() noexcept = default;
    WorkerFlag(const WorkerFlag&) = delete;
    WorkerFlag& operator=(const WorkerFlag&) = delete;

    /// A sample that took longer was interrupted: work may have ended and begun again under the same token. 5 to 12 us are usual.
    static constexpr std::uint64_t kMaxSampleNs = 100'000;

    /// libcoreclr's variables (os::Module::data), mapped and writable as long as the process lives; `reader` lives as long.
    [[nodiscard]] Status open(const memory::Reader& reader, Address data, Address data_end,
                              std::uint64_t max_sample_ns = kMaxSampleNs) noexcept;

    /// ok: it counted. unknown: the witness knew nothing or saw a change, or the sample took too long. exhausted: another thread is at it. faulted: the data can't be read.
    /// not_started: a small sample before the first one. unsupported: not opened, or disabled.
    Status sample(const WorkWitness& witness, SampleSize size = SampleSize::any) noexcept;

    [[nodiscard]] WorkerReading read() const noexcept;
    [[nodiscard]] bool is_located() const noexcept {
        return state_.load(std::memory_order_acquire) == State::located;
    }  // partner: set_state
    [[nodiscard]] WorkerFlagFigures figures() const noexcept;

private:
    enum class State : std::uint8_t { closed, searching, located, contradicted, disabled };

    void set_state(State state) noexcept { state_.store(state, std::memory_order_release); }  // partner: the acquire loads of state_
    [[nodiscard]] Status collect(const WorkWitness& witness) noexcept;
    [[nodiscard]] Status vote(const WorkWitness& witness) noexcept;
    void judge_votes() noexcept;
    [[nodiscard]] Status check(const WorkWitness& witness) noexcept;
    [[nodiscard]] bool are_both_set() const noexcept;
    [[nodiscard]] std::uint8_t load(std::uint32_t offset) const noexcept;

    const memory::Reader* reader_ = nullptr;
    Address data_;
    std::uint32_t data_bytes_ = 0;
    std::uint64_t max_sample_ns_ = kMaxSampleNs;
    std::atomic<State> state_ = State::closed;
    std::atomic<bool> is_sampling_ = false;
    layout::WorkerFlags flags_;  ///< Written once, before state_ becomes located.
    std::uint32_t failed_collections_ = 0;
    std::uint64_t contradicted_token_ = 0;
    std::uint64_t contradicted_at_ns_ = 0;
    std::atomic<std::uint64_t> samples_ = 0;
    std::atomic<std::uint64_t> last_sample_ns_ = 0;
    std::atomic<std::uint32_t> candidates_ = 0;
    std::atomic<std::uint32_t> stretches_ = 0;
    std::atomic<std::uint32_t> contradictions_ = 0;
    layout::WorkerFlagVote vote_;
    std::array<std::uint8_t, layout::kMaxFlagCandidates> values_{};
};

}  // namespace tierup::runtime
