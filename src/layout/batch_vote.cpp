// What     The rules by which a sample speaks for or against an offset.
// What not See batch_vote.h.
#include "layout/batch_vote.h"

#include "layout/manager_fields.h"

namespace tierup::layout {

namespace {

enum class Speech : std::uint8_t { against, nothing, empty_queue, walked_queue };

/// Race: a foreground thread adds to the queue between the event's count and the copy, or inside the copy (only where calls are counted without a
/// stub: TC_UseCallCountingStubs=0, a threshold of 1). Window: microseconds. Harmless because such a sample speaks against the right offset as one
/// of many, and one in kMaxSpoiledPart is forgiven. Test: a_spoiled_sample_among_many_is_forgiven (tests/unit/layout_batch_vote_test.cpp).
Speech hear(const BatchSample& sample, std::uint32_t offset, const ManagerFields& fields) noexcept {
    if (!fields.fits(sample.image.app_domain.plus(offset))) {
        return Speech::against;
    }
    if (sample.has_pending_count) {
        const bool is_sum_possible =
            fields.completion_is_pending != 0 ? fields.queued_count <= sample.pending_count : fields.queued_count == sample.pending_count;
        if (!is_sum_possible) {
            return Speech::against;
        }
    }
    if (fields.queued_count == 0) {
        return Speech::empty_queue;
    }
    if (sample.was_walked(offset)) {
        return Speech::walked_queue;
    }
    return sample.is_walk_cut || fields.queued_count > kMaxSampleNodes ? Speech::nothing : Speech::against;
}

void count_up(std::uint16_t& number) noexcept {
    if (number != 0xFFFF) {
        ++number;
    }
}

}  // namespace

void BatchVote::add(const BatchSample& sample) noexcept {
    if (samples_ == kMaxSamples) {
        return;
    }
    ++samples_;
    for (std::uint32_t index = 0; index < kCandidates; ++index) {
        const std::uint32_t offset = index * kListOffsetStep;
        Candidate& candidate = candidates_[index];
        if (!is_list_offset(offset, sample.image.readable_bytes)) {
            count_up(candidate.misfits);
            continue;
        }
        const ManagerFields fields = fields_in(sample.image.readable(), offset);
        const Speech speech = hear(sample, offset, fields);
        if (speech == Speech::against) {
            count_up(candidate.misfits);
            continue;
        }
        if (speech == Speech::walked_queue) {
            count_up(candidate.walked);
            candidate.has_sentinel = fields.has_sentinel(sample.image.app_domain.plus(offset));
        }
        if (sample.has_pending_count && sample.pending_count != 0 && speech != Speech::nothing) {
            count_up(candidate.counted);
        }
    }
}

bool BatchVote::is_elected(const Candidate& candidate) const noexcept {
    return candidate.walked >= kMinWalkedSamples && candidate.counted >= kMinCountedSamples &&
           std::uint32_t{candidate.misfits} * kMaxSpoiledPart <= samples_;
}

Status BatchVote::verdict(ManagerLayout& layout) const noexcept {
    std::uint32_t queues = 0;
    std::uint32_t elected = kPoison;
    for (std::uint32_t index = 0; index < kCandidates; ++index) {
        const Candidate& candidate = candidates_[index];
        queues += candidate.walked > 0 && std::uint32_t{candidate.misfits} * kMaxSpoiledPart <= samples_ ? 1 : 0;
        if (is_elected(candidate)) {
            elected = index * kListOffsetStep;
        }
    }
    if (queues > 1) {
        return Status::unknown;
    }
    if (elected != kPoison) {
        const bool has_sentinel = candidates_[elected / kListOffsetStep].has_sentinel;
        layout = {.list_offset = elected,
                  .entry_offset = elected - (has_sentinel ? kSentinelBeforeList : kOneEndBeforeList),
                  .found_by = found_by_batch_events};
        return Status::ok;
    }
    return samples_ == kMaxSamples ? Status::absent : Status::not_started;
}

}  // namespace tierup::layout
