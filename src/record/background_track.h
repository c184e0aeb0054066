// What     Follows the background worker by the events on its thread and tells what the runtime doesn't: QUEUED, ACTIVATED, DISCARDED.
// What not Writes no event that the runtime has sent; the caller does, right after on_step.
// Threads  on_step: any; what is not on the worker's thread ends at one load. request_restart, set_queue_reader: any. The worker is one thread at a
//          time, and one worker's end and the next one's begin are ordered by the runtime's own lock.
// Failure  Without a queue reader QUEUED comes right before JIT_STARTED or PUBLISHED, with the tier only where the event has it.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, DoBackgroundWork, OptimizeMethod, CompileCodeVersion (main at 005d4975).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "base/tier.h"
#include "base/tiering_event.h"
#include "record/known_queue.h"
#include "record/queue_reader.h"
#include "record/tiering_event_sink.h"

namespace tierup::record {

enum class StepKind : std::uint8_t { batch_began, batch_ended, delay_ended, jit_started, method_loaded };

struct BackgroundStep {
    StepKind kind{};
    Tier tier = Tier::unknown;  ///< method_loaded
    bool is_dynamic = false;    ///< method_loaded
    std::uint32_t thread = 0;
    std::uint64_t time_ns = 0;
    Address method;  ///< jit_started, method_loaded
    Address module;
    Address code;
    std::uint32_t code_bytes = 0;
    std::uint32_t token = 0;
};

/// What the step belongs to, for the caller's own event.
struct Promotion {
    bool is_background = false;
    Tier tier = Tier::unknown;  ///< The target.
    Address version;
};

class BackgroundTrack {
public:
    constexpr explicit BackgroundTrack(TieringEventSink& sink) noexcept : sink_(sink) {}
    BackgroundTrack(const BackgroundTrack&) = delete;
    BackgroundTrack& operator=(const BackgroundTrack&) = delete;

    /// Each such event of every thread, before the caller writes its own. Feed the batch and delay events also while nobody listens: they say which
    /// thread is the worker.
    Promotion on_step(const BackgroundStep& step) noexcept;

    /// Events may have been missed (the method events were off or were switched): what has left the queue until the worker's next step is not told to be
    /// discarded. Nothing is queued twice. Not needed where nobody listened in between.
    void request_restart() noexcept { is_restart_wanted_.store(true, std::memory_order_relaxed); }

    /// Null: none (any longer). It must live as long as the process.
    void set_queue_reader(QueueReader* reader) noexcept {
        reader_.store(reader, std::memory_order_release);  // partner: settle_queue, discover
    }

private:
    /// A promotion that left the queue.
    struct Taken {
        bool is_set = false;
        KnownNode node;
    };
    struct Outcome {
        bool is_set = false;
        TieringEvent event;
    };

    [[nodiscard]] bool follow_worker(const BackgroundStep& step) noexcept;
    void tell_outcome(const BackgroundStep& step) noexcept;
    void tell(TieringEventKind kind, const KnownNode& node, const BackgroundStep& step) noexcept;
    void drop_taken(const BackgroundStep& step) noexcept;
    void take_first(std::uint32_t count, const BackgroundStep& step) noexcept;
    [[nodiscard]] bool settle_queue(const BackgroundStep& step, Address& head) noexcept;
    void discover(Address head, const BackgroundStep& step) noexcept;
    [[nodiscard]] bool is_unseen_promotion(const BackgroundStep& step) const noexcept;
    [[nodiscard]] Promotion match(const BackgroundStep& step) noexcept;
    void keep_outcome(const BackgroundStep& step) noexcept;

    TieringEventSink& sink_;
    std::atomic<QueueReader*> reader_{nullptr};
    std::atomic<bool> is_restart_wanted_{false};
    std::atomic<std::uint32_t> worker_in_batch_{0};  // the worker's thread while it is in a batch, else 0

    // The worker's own from here on.
    Taken taken_;      // being compiled, as far as we know
    Outcome outcome_;  // of the compilation that was published last; told at the next step
    KnownQueue known_;
    bool is_gap_behind_ = false;  // in this step
};

}  // namespace tierup::record
