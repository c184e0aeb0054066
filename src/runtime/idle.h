// What     The judgement "is a background compilation pending?": which words to read in which order, and what they prove together.
// What not Reads nothing itself: the sources are the board and the manager view (process_view.h), or a model in a test.
// Threads  Any; each source is read as its own comment says.
// Failure  Idle::not_known where neither the batch nor the worker's flag is known; then nobody is told to be idle.
// Source   The argument is docs/CORRECTNESS.md; the runtime's side is DoBackgroundWork in dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#pragma once

#include <cstdint>

#include "base/fence.h"
#include "runtime/signal_board.h"

namespace tierup::runtime {

enum class Idle : std::uint8_t { idle, pending, not_known };

/// After so many looks that something moved under, the answer is "pending": it was, a moment ago.
inline constexpr int kMaxIdleLooks = 4;

/// `Sources` has batch_epoch(), queue_is_known(), queued_count(), completion_is_pending(), each an acquire load.
///
/// A pending method stands in one of three places: in the pending completions, in the queue, or with the worker. It moves only inside a
/// batch. Two equal epochs that say "closed" around the two reads therefore prove that it did not move between them: it would have been seen.
template <typename Sources>
[[nodiscard]] Idle judge_idle(const Sources& sources) noexcept {
    if (!sources.queue_is_known()) {
        return Idle::not_known;
    }
    for (int look = 0; look < kMaxIdleLooks; ++look) {
        const BatchEpoch before = sources.batch_epoch();
        if (sources.queued_count() != 0 || sources.completion_is_pending()) {
            return Idle::pending;
        }
        if (batch_of(before) == Batch::unknown) {
            return Idle::not_known;
        }
        full_fence();  // partner: the fence in SignalBoard::move_to
        const BatchEpoch after = sources.batch_epoch();
        if (before == after) {
            return batch_of(after) == Batch::closed ? Idle::idle : Idle::pending;
        }
    }
    return Idle::pending;
}

}  // namespace tierup::runtime
