// What     Puts the layers together for one process: finds the runtime, opens the doors, owns methods and waits.
// What not No C types, no argument checks (capi), no managed code.
// Threads  start: once, before the rest. poll: cooperative mode. The rest: any preemptive thread.
// Failure  A runtime that can't be watched is a state with a reason (capabilities), not an error.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/code_version.h"
#include "base/status.h"
#include "clr/data_access.h"
#include "memory/kernel_reader.h"
#include "os/module.h"
#include "runtime/engine_probe.h"
#include "runtime/inspected_method.h"
#include "runtime/manager_view.h"
#include "runtime/method_identity.h"
#include "runtime/method_probe.h"
#include "runtime/method_table.h"
#include "runtime/method_view.h"
#include "runtime/pending_completions.h"
#include "runtime/pending_list.h"
#include "runtime/process_view.h"
#include "runtime/settings.h"
#include "runtime/signal_hub.h"
#include "runtime/worker_flag.h"
#include "runtime/worker_queue.h"
#include "watch/clock.h"
#include "watch/watcher.h"

namespace tierup::runtime {

/// The versions whose stub bytes, descriptors and DAC were measured. Another one is refused: a wrong answer is worse than none.
inline constexpr std::uint32_t kOldestRuntimeMajor = 8;
inline constexpr std::uint32_t kNewestRuntimeMajor = 11;

struct Capabilities {
    std::uint32_t runtime_major = 0;
    bool polls = false;
    bool tiers = false;
    const char* polls_reason = "";
    const char* tiers_reason = "";
    const char* runtime_path = "";
    const char* dac_path = "";
    const char* copy_door = "none";
};

/// A method as the caller names it. `entry_point` matters only for methods that are not registered.
struct MethodQuery {
    std::uint64_t method = 0;
    Address entry_point;
    std::uint32_t kinds = 0;
};

struct StartOptions {
    watch::Callback on_wait_ended = nullptr;       ///< Null: only blocking waits.
    void (*on_thread_began)() noexcept = nullptr;  ///< On each new dispatcher thread, before it sleeps. May be null.
    bool may_attach = true;                        ///< Signals are not turned off.
};

class Engine {
public:
    /// The hub outlives the engine and may be receiving events already.
    explicit Engine(SignalHub& hub) noexcept;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// `runtime_major` 0: taken from the runtime's path.
    void start(const SettingsSource& source, std::uint32_t runtime_major, const StartOptions& options) noexcept;

    [[nodiscard]] const Capabilities& capabilities() const noexcept { return capabilities_; }
    [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

    [[nodiscard]] Status inspect(std::uint64_t method, std::uint32_t known_kinds, MethodIdentity& identity) noexcept;
    [[nodiscard]] Status add_method(const MethodQuery& query) noexcept;

    /// [cooperative] tierup_answer
    [[nodiscard]] std::uint64_t poll(std::uint64_t method) const noexcept;
    /// [cooperative] As poll, again and again for a few microseconds while a compile is under way; see MethodView::glance.
    [[nodiscard]] std::uint64_t glance(std::uint64_t method) const noexcept;
    /// `versions` may be null. `subject` is what was looked at.
    [[nodiscard]] Status resolve(const MethodQuery& query, CodeVersionList* versions, MethodSubject& subject,
                                 Resolution& resolution) noexcept;

    /// `subject`: a registered method; 0 for a process-wide condition; a stream's id for Condition::events.
    [[nodiscard]] Status begin_wait(std::uint64_t subject, Condition condition, std::uint64_t spin_ns, void* context,
                                    std::uint64_t& wait_id, std::uint64_t& answer) noexcept;
    [[nodiscard]] Status cancel_wait(std::uint64_t wait_id) noexcept { return watcher_.cancel(wait_id); }
    [[nodiscard]] Status block(std::uint64_t subject, Condition condition, std::uint64_t spin_ns, std::uint64_t timeout_ns,
                               std::uint64_t& answer) noexcept;

    /// A method that was called for the first time a moment ago: see ManagerView::offer_probe.
    [[nodiscard]] Status offer_probe(std::uint64_t method) noexcept;
    /// [any, cooperative mode too] By loads alone.
    [[nodiscard]] std::uint32_t pending_count(bool& is_known) const noexcept {
        const Idle judged = process_.pending_by_loads();
        is_known = judged != Idle::not_known;
        return process_.pending_count(judged);
    }
    /// The one being compiled, the queue, those whose threshold is reached; `count` is how many there are, also beyond the room.
    [[nodiscard]] Status list_pending(const PendingListing& listing, std::uint32_t& count) noexcept {
        return pending_list_.list(listing, count);
    }
    [[nodiscard]] Status name_method(std::uint64_t method, char* name, std::size_t capacity, std::size_t& needed) noexcept;

    [[nodiscard]] SignalHub& hub() noexcept { return hub_; }
    [[nodiscard]] const ManagerView& manager() const noexcept { return manager_; }
    [[nodiscard]] const ProcessView& process() const noexcept { return process_; }

    [[nodiscard]] watch::WatcherStatistics watch_statistics() const noexcept { return watcher_.statistics(); }
    [[nodiscard]] const clr::DataAccess& data_access() const noexcept { return data_access_; }
    [[nodiscard]] std::uint64_t method_count() const noexcept { return methods_.size(); }

private:
    void find_runtime(std::uint32_t runtime_major) noexcept;
    void load_data_access() noexcept;
    [[nodiscard]] Status find_subject(std::uint64_t subject, Condition condition, std::uint64_t& found) const noexcept;

    memory::KernelReader reader_;
    clr::DataAccess data_access_;
    Settings settings_;
    os::Module module_;
    char dac_path_[os::kPathBytes] = {};
    Capabilities capabilities_;
    InspectedMethod inspected_;
    MethodTable methods_;
    WalkPlace place_;
    bool may_spin_ = false;
    SignalHub& hub_;
    watch::SystemClock clock_;
    ManagerView manager_;
    WorkerFlag worker_flag_;
    PendingCompletions completions_;
    CountedCell counted_cell_;
    ProcessView process_;
    PendingList pending_list_;
    WorkerQueue worker_queue_;
    MethodView view_;
    MethodProbe method_probe_;
    EngineProbe probe_;
    watch::Watcher watcher_;
};

}  // namespace tierup::runtime
