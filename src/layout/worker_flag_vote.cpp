// What     The counting of votes of worker_flag_vote.h.
// What not See there.
#include "layout/worker_flag_vote.h"

namespace tierup::layout {

void WorkerFlagVote::restart() noexcept {
    count_ = 0;
    stretches_ = 0;
    is_collecting_ = true;
    is_at_rest_ = false;
}

Status WorkerFlagVote::collect(std::uint32_t offset, std::span<const std::uint8_t> block) noexcept {
    if (!is_collecting_) {
        return Status::invalid_argument;
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] != 1) {
            continue;
        }
        if (count_ == kMaxFlagCandidates) {
            restart();
            return Status::exhausted;
        }
        candidates_[count_] = {};
        candidates_[count_++].offset = offset + static_cast<std::uint32_t>(i);
    }
    return Status::ok;
}

void WorkerFlagVote::end_collecting(bool was_at_work) noexcept {
    if (!was_at_work) {
        restart();
        return;
    }
    is_collecting_ = false;
    stretches_ = 1;
}

/// `judge` answers whether the candidate stays. A byte that is neither 0 nor 1 is no flag.
template <typename Judge>
void WorkerFlagVote::judge_each(std::span<const std::uint8_t> values, Judge judge) noexcept {
    if (is_collecting_ || values.size() != count_) {
        return;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        Candidate candidate = candidates_[i];
        if (values[i] <= 1 && judge(candidate, values[i])) {
            candidates_[kept++] = candidate;
        }
    }
    count_ = kept;
}

void WorkerFlagVote::add_work(std::span<const std::uint8_t> values) noexcept {
    if (is_at_rest_) {
        is_at_rest_ = false;
        ++stretches_;
    }
    judge_each(values, [this](Candidate& candidate, std::uint8_t value) noexcept {
        if (value == 0 && candidate.last_strike_in != stretches_) {
            candidate.last_strike_in = stretches_;
            ++candidate.strikes;
        }
        return candidate.strikes < kOutAtStrikes;
    });
}

void WorkerFlagVote::add_rest(std::span<const std::uint8_t> values) noexcept {
    is_at_rest_ = !is_collecting_;
    judge_each(values, [this](Candidate& candidate, std::uint8_t value) noexcept {
        if (value == 0) {
            ++candidate.rest_samples;
            candidate.rests = static_cast<std::uint8_t>(candidate.rests + (candidate.last_rest_in != stretches_ ? 1 : 0));
            candidate.last_rest_in = stretches_;
        }
        return true;
    });
}

const WorkerFlagVote::Candidate* WorkerFlagVote::find_most_rested() const noexcept {
    const Candidate* most = &candidates_[0];
    for (std::uint32_t i = 1; i < count_; ++i) {
        most = candidates_[i].rest_samples > most->rest_samples ? &candidates_[i] : most;
    }
    return most;
}

const WorkerFlagVote::Candidate* WorkerFlagVote::find(std::uint32_t offset) const noexcept {
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (candidates_[i].offset == offset) {
            return &candidates_[i];
        }
    }
    return nullptr;
}

// The flag is the byte that was 1 in all work and 0 in the most samples at rest. It is taken if a neighbour was 1 in all work too (the worker exists while it
// works, so of the two the one that was 0 more often is `processing`), and if nothing else that is left was 0 at rest nearly as often.
Status WorkerFlagVote::verdict(WorkerFlags& flags) const noexcept {
    if (is_collecting_) {
        return Status::not_started;
    }
    if (count_ == 0) {
        return Status::absent;
    }
    const Status undecided = stretches_ > kMaxStretches ? Status::unknown : Status::not_started;
    const Candidate* most = find_most_rested();
    // Declared before it, and so in front of it wherever it was seen; behind it is as good where nothing stands in front.
    const Candidate* neighbour = find(most->offset - 1);
    if (neighbour == nullptr) {
        neighbour = find(most->offset + 1);
    }
    if (neighbour == nullptr || neighbour->strikes != 0) {
        return undecided;
    }
    // By several samples: one sample reads one byte after the other.
    const bool are_told_apart = most->rest_samples >= neighbour->rest_samples + kMinRests;
    if (most->rests < kMinRests + most->strikes * kMoreRests + (are_told_apart ? 0 : kMoreRests)) {
        return undecided;
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
        const Candidate& candidate = candidates_[i];
        if (&candidate != most && &candidate != neighbour && std::uint64_t{candidate.rest_samples} * kRarely > most->rest_samples) {
            return undecided;
        }
    }
    flags.processing = most->offset;
    flags.running = neighbour->offset;
    flags.are_told_apart = are_told_apart;
    return Status::ok;
}

}  // namespace tierup::layout
