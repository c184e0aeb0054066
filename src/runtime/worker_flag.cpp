// What     Sampling, locating and checking of worker_flag.h.
// What not See there.
#include "runtime/worker_flag.h"

#include <algorithm>
#include <span>

#include "memory/plain_window.h"
#include "os/clock.h"

namespace tierup::runtime {

namespace {

constexpr std::uint64_t kMaxDataBytes = 4u << 20;  // 374,032 to 543,832 were seen
constexpr std::uint32_t kBlockBytes = 4096;        // bounds our stack
/// The first sample copies half a megabyte.
constexpr std::uint32_t kCollectingTakesLonger = 50;
/// First samples that failed: the data could not be read, or more than layout::kMaxFlagCandidates bytes were 1 (seen once, on 8.0.34).
constexpr std::uint32_t kMaxFailedCollections = 16;
/// Between the moment that work can be seen and the flag's store lie a few instructions, inside the runtime's lock.
constexpr std::uint32_t kLooksAgain = 16;
constexpr std::uint64_t kSameStretchNs = 10'000'000;
constexpr std::uint32_t kDisabledAtContradictions = 2;

// The order that a reader of 0 needs: the worker publishes code and installs stubs inside locks that it released before it took the tiering lock to clear
// the flag, so these stores come first. Acquire keeps the reader's later loads behind this one; its partner is that chain of the runtime's lock operations.
TIERUP_UNCHECKED_LOAD std::uint8_t load_flag(Address from) noexcept {
    return __atomic_load_n(reinterpret_cast<const std::uint8_t*>(from.value()), __ATOMIC_ACQUIRE);
}

bool is_same(const WorkKnowledge& one, const WorkKnowledge& other) noexcept {
    return one.known == other.known && one.token == other.token;
}

/// One thread samples at a time; nobody waits for it.
class Turn {
public:
    explicit Turn(std::atomic<bool>& is_taken) noexcept
        : is_taken_(is_taken), is_ours_(!is_taken.exchange(true, std::memory_order_acquire)) {}
    ~Turn() {
        if (is_ours_) {
            is_taken_.store(false, std::memory_order_release);  // partner: the exchange above
        }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    [[nodiscard]] bool is_ours() const noexcept { return is_ours_; }

private:
    std::atomic<bool>& is_taken_;
    bool is_ours_;
};

}  // namespace

Status WorkerFlag::open(const memory::Reader& reader, Address data, Address data_end, std::uint64_t max_sample_ns) noexcept {
    if (state_.load(std::memory_order_relaxed) != State::closed || data.is_null() || data_end <= data ||
        data_end.value() - data.value() > kMaxDataBytes) {
        return Status::invalid_argument;
    }
    reader_ = &reader;
    data_ = data;
    data_bytes_ = static_cast<std::uint32_t>(data_end.value() - data.value());
    max_sample_ns_ = max_sample_ns;
    set_state(State::searching);
    return Status::ok;
}

std::uint8_t WorkerFlag::load(std::uint32_t offset) const noexcept {
    return load_flag(data_.plus(offset));
}

bool WorkerFlag::are_both_set() const noexcept {
    return load(flags_.processing) == 1 && load(flags_.running) == 1;
}

Status WorkerFlag::sample(const WorkWitness& witness, SampleSize size) noexcept {
    const State before = state_.load(std::memory_order_acquire);  // partner: set_state
    if (before == State::closed || before == State::disabled) {
        return Status::unsupported;
    }
    const Turn turn(is_sampling_);
    if (!turn.is_ours()) {
        return Status::exhausted;
    }
    const State state = state_.load(std::memory_order_relaxed);  // only who has the turn changes it
    if (state == State::disabled) {
        return Status::unsupported;
    }
    if (state == State::searching && vote_.is_collecting() && size == SampleSize::small) {
        return Status::not_started;
    }
    const std::uint64_t began_ns = os::monotonic_now_ns();
    const Status status = state != State::searching ? check(witness) : vote_.is_collecting() ? collect(witness) : vote(witness);
    last_sample_ns_.store(os::monotonic_now_ns() - began_ns, std::memory_order_relaxed);
    candidates_.store(vote_.count(), std::memory_order_relaxed);
    stretches_.store(vote_.stretches(), std::memory_order_relaxed);
    if (status == Status::ok) {
        samples_.fetch_add(1, std::memory_order_relaxed);
    }
    return status;
}

// Race: work ends, or begins, while the bytes are read. Window: a sample, about a microsecond (the first: some hundreds).
// Harmless because a sample counts only if the witness says the same before and after, in a bounded time; what slips through is one strike of two.
// Test: a_sample_during_which_work_ended_does_not_count (tests/unit/worker_flag_test.cpp).
Status WorkerFlag::collect(const WorkWitness& witness) noexcept {
    const WorkKnowledge before = witness.look();
    if (before.known != WorkKnown::at_work) {
        return Status::unknown;
    }
    const std::uint64_t began_ns = os::monotonic_now_ns();
    std::array<std::uint8_t, kBlockBytes> block;
    for (std::uint32_t done = 0; done < data_bytes_;) {
        const std::uint32_t step = std::min(data_bytes_ - done, kBlockBytes);
        Status status = reader_->try_read(data_.plus(done), block.data(), step);
        if (status == Status::ok) {
            status = vote_.collect(done, std::span(block).first(step));
        }
        if (status != Status::ok) {
            vote_.restart();
            if (++failed_collections_ == kMaxFailedCollections) {
                set_state(State::disabled);
            }
            return status == Status::exhausted ? Status::unknown : status;
        }
        done += step;
    }
    const bool counts = is_same(before, witness.look()) && os::monotonic_now_ns() - began_ns < max_sample_ns_ * kCollectingTakesLonger;
    vote_.end_collecting(counts);
    return counts ? Status::ok : Status::unknown;
}

Status WorkerFlag::vote(const WorkWitness& witness) noexcept {
    const WorkKnowledge before = witness.look();
    if (before.known == WorkKnown::nothing) {
        return Status::unknown;
    }
    const std::uint64_t began_ns = os::monotonic_now_ns();
    const std::uint32_t count = vote_.count();
    for (std::uint32_t i = 0; i < count; ++i) {
        values_[i] = load(vote_.offset(i));
    }
    if (!is_same(before, witness.look()) || os::monotonic_now_ns() - began_ns >= max_sample_ns_) {
        return Status::unknown;
    }
    const std::span<const std::uint8_t> values = std::span(values_).first(count);
    if (before.known == WorkKnown::at_work) {
        vote_.add_work(values);
    } else {
        vote_.add_rest(values);
    }
    judge_votes();
    return Status::ok;
}

void WorkerFlag::judge_votes() noexcept {
    layout::WorkerFlags flags;
    const Status verdict = vote_.verdict(flags);
    if (verdict == Status::ok) {
        flags_ = flags;
        set_state(State::located);
    } else if (verdict == Status::absent || verdict == Status::unknown) {
        vote_.restart();
    }
}

// Race: the witness sees new work some instructions before the runtime sets the flag. Window: nanoseconds, or as long as that thread is interrupted.
// Harmless because the flag is looked at again while the work lasts; until a later sample agrees, read says not_known, and only a second contradiction disables.
// Test: one_contradiction_is_doubt_and_two_disable (tests/unit/worker_flag_test.cpp).
Status WorkerFlag::check(const WorkWitness& witness) noexcept {
    const WorkKnowledge before = witness.look();
    if (before.known != WorkKnown::at_work) {
        return before.known == WorkKnown::at_rest ? Status::ok : Status::unknown;
    }
    bool is_set = are_both_set();
    for (std::uint32_t i = 0; i < kLooksAgain && !is_set && is_same(before, witness.look()); ++i) {
        is_set = are_both_set();
    }
    if (!is_same(before, witness.look())) {
        return Status::unknown;
    }
    if (is_set) {
        set_state(State::located);
        return Status::ok;
    }
    const std::uint64_t now_ns = os::monotonic_now_ns();
    const bool is_first = contradictions_.load(std::memory_order_relaxed) == 0;
    if (!is_first && before.token == contradicted_token_ && now_ns - contradicted_at_ns_ < kSameStretchNs) {
        return Status::ok;  // the same one
    }
    contradicted_token_ = before.token;
    contradicted_at_ns_ = now_ns;
    const std::uint32_t contradictions = contradictions_.fetch_add(1, std::memory_order_relaxed) + 1;
    set_state(contradictions >= kDisabledAtContradictions ? State::disabled : State::contradicted);
    return Status::ok;
}

// Race: work is added right after the load. Window: none that matters.
// Harmless because work that began before the caller asked had set the flag inside the lock that it took before it returned; what begins later is no part of the question.
// Test: the flag's columns of the differential test; here: reads_at_rest_only_while_the_flag_is_0 (tests/unit/worker_flag_test.cpp).
WorkerReading WorkerFlag::read() const noexcept {
    if (!is_located()) {
        return WorkerReading::not_known;
    }
    const std::uint8_t processing = load(flags_.processing);
    const std::uint8_t running = flags_.are_told_apart ? std::uint8_t{0} : load(flags_.running);
    if (processing > 1 || running > 1) {
        return WorkerReading::not_known;
    }
    return processing == 0 && running == 0 ? WorkerReading::at_rest : WorkerReading::at_work;
}

WorkerFlagFigures WorkerFlag::figures() const noexcept {
    WorkerFlagFigures figures;
    const State state = state_.load(std::memory_order_acquire);  // partner: set_state
    figures.contradictions = contradictions_.load(std::memory_order_relaxed);
    switch (state) {
        case State::closed: figures.reason = "the runtime's variables were not found"; break;
        case State::searching: figures.reason = "the worker was not yet seen at work and at rest often enough"; break;
        case State::located: break;
        case State::contradicted: figures.reason = "the worker's flag was 0 while work existed; checked again at the next work"; break;
        case State::disabled:
            figures.reason = figures.contradictions != 0 ? "the worker's flag was 0 while work existed, twice"
                                                         : "the runtime's variables can't be read, or too many of their bytes are 1";
            break;
    }
    figures.flag = state == State::located ? data_.plus(flags_.processing) : Address();
    figures.samples = samples_.load(std::memory_order_relaxed);
    figures.candidates = candidates_.load(std::memory_order_relaxed);
    figures.stretches = stretches_.load(std::memory_order_relaxed);
    figures.last_sample_ns = last_sample_ns_.load(std::memory_order_relaxed);
    return figures;
}

}  // namespace tierup::runtime
