// What     The process-wide questions: is the call-counting delay over and its stubs installed; is a background compilation pending; how many.
// What not Does not wait (watch) and does not ask for events (signal_hub).
// Threads  note_delay: also inside event callbacks. pending_by_loads, pending_count: any, cooperative mode
//          too. The rest: any preemptive thread.
// Failure  Where nothing proves an answer it is not_known or pending, never idle or active.
// Source   docs/CORRECTNESS.md; dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/reader.h"
#include "os/mutex.h"
#include "runtime/idle.h"
#include "runtime/manager_view.h"
#include "runtime/pending_completions.h"
#include "runtime/settings.h"
#include "runtime/signal_board.h"
#include "runtime/worker_flag.h"
#include "runtime/worker_watch.h"
#include "watch/clock.h"

namespace tierup::runtime {

/// Between two lessons: a sample of the worker's flag costs some microseconds, its first one 100 to 300.
inline constexpr std::uint64_t kLessonIntervalNs = 500'000;
/// The thread list is read this often at most (tens of microseconds a time).
inline constexpr std::uint64_t kThreadLookIntervalNs = 20'000'000;

class ProcessView final : public WorkerWatch, private WorkWitness {
public:
    struct Parts {
        const memory::Reader& reader;
        ManagerView& manager;
        WorkerFlag& worker_flag;
        PendingCompletions& completions;
        const SignalBoard& board;
        const Settings& settings;
        watch::Clock& clock;
    };
    explicit ProcessView(const Parts& parts) noexcept : at_(parts) {}
    ProcessView(const ProcessView&) = delete;
    ProcessView& operator=(const ProcessView&) = delete;

    /// Truth::no also where it can't be proved yet.
    [[nodiscard]] Truth is_tiering_active() noexcept;
    [[nodiscard]] Idle pending() noexcept;
    /// The same by loads of memory alone, no system call: for a caller in cooperative mode. Where only the thread list could tell: not_known.
    [[nodiscard]] Idle pending_by_loads() const noexcept;
    [[nodiscard]] bool is_delay_active() noexcept;
    /// How many, where pending() said so; at least 1 unless it is idle.
    [[nodiscard]] std::uint32_t pending_count(Idle judged) const noexcept;

    /// Whether what is needed to tell idle from pending is known by now.
    [[nodiscard]] bool can_tell_idle() const noexcept {
        return at_.worker_flag.is_located() || batch_of(at_.board.batch_epoch()) != Batch::unknown;
    }

    /// For abandoned promotions: no where nothing is pending and the worker is in no batch.
    [[nodiscard]] Truth is_at_work() const noexcept override;

    /// A delay has begun: remembers its list, whose deletion will show that the stubs are installed.
    void note_delay() noexcept;
    /// [worker, in an event's callback] The flag is 1 now: it is searched with that, and checked against it later on.
    void witness_work() noexcept;
    /// [any preemptive thread] Lets the view learn what it does not know yet: samples, votes. Cheap when there is nothing left to learn.
    void learn() noexcept;

private:
    struct IdleSources;

    [[nodiscard]] WorkKnowledge look() const noexcept override;
    [[nodiscard]] bool has_tiering() const noexcept;
    void remember_list(Address list) noexcept;
    [[nodiscard]] bool is_remembered_list_gone() const noexcept;
    [[nodiscard]] bool is_batch_open_without_delay() noexcept;
    [[nodiscard]] bool is_worker_gone() noexcept;
    void learn_locked() noexcept;
    void learn_version_nodes() noexcept;

    Parts at_;
    // A delay's list as it was seen last, and how many delays had ended then.
    std::atomic<std::uint64_t> seen_list_{0};
    std::atomic<std::uint64_t> seen_at_delay_{0};
    std::atomic<std::uint32_t> seen_flags_{0};
    std::atomic<std::uint32_t> seen_allocated_{0};
    os::Mutex lesson_mutex_;  // never taken in a callback
    std::atomic<std::uint64_t> last_lesson_ns_{0};
    std::atomic<std::uint64_t> last_thread_look_ns_{0};
    std::atomic<std::uint32_t> app_domain_tries_{0};
};

}  // namespace tierup::runtime
