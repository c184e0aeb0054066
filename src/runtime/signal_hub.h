// What     Where events meet those who wait: takes each event in, notes what it says, wakes the watcher; and has events on while they are wanted.
// What not Judges nothing (idle.h, process_view.h, method_probe.h), parses nothing (clr), attaches nothing itself (EventSource).
// Threads  on_event: the runtime's threads, inside its callback: no lock, no allocation. on_conditions, on_round: the dispatcher. The rest: any
//          preemptive thread.
// Failure  Without events everything goes on by polling; figures() says why there are none.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "os/mutex.h"
#include "record/background_track.h"
#include "record/event_streams.h"
#include "record/page_source.h"
#include "runtime/event_sink.h"
#include "runtime/event_source.h"
#include "runtime/method_table.h"
#include "runtime/published_tiers.h"
#include "runtime/settings.h"
#include "runtime/signal_board.h"
#include "watch/clock.h"
#include "watch/demand.h"
#include "watch/watcher.h"

namespace tierup::runtime {

class ManagerView;
class ProcessView;

/// A wait for one method polls memory about as soon as an event could wake it; one that lasts so long is worth an attach, which may itself call methods for
/// the first time and so re-arm the delay. Longer than the default delay with one extension (200 ms).
inline constexpr std::uint64_t kLongWaitNs = 500'000'000;

/// What the worker compiles just now, as its JIT start told (only while names are wanted); null otherwise.
struct CompilationInProgress {
    Address method;
    Tier tier = Tier::unknown;
};

/// Method events cost the runtime a tenth of each compilation, and switching them runs managed code where EventSource is on (20 to 70 us; some of its methods
/// are then promoted themselves). So one who waits for a promotion polls first, and is worth the events when it has lasted so long.
inline constexpr std::uint64_t kPromotionWaitNs = 5'000'000;

class SignalHub final : public EventSink, public watch::Demand {
public:
    constexpr SignalHub() noexcept : streams_(pages_), track_(streams_) {}
    SignalHub(const SignalHub&) = delete;
    SignalHub& operator=(const SignalHub&) = delete;

    /// What the hub serves. All of it outlives the hub's last event; `source` may be delivering events already (loaded at startup).
    struct Parts {
        MethodTable* methods = nullptr;
        ManagerView* manager = nullptr;
        ProcessView* process = nullptr;
        record::QueueReader* queue_reader = nullptr;
        watch::Watcher* watcher = nullptr;
        watch::Clock* clock = nullptr;
        const Settings* settings = nullptr;
        void (*on_thread_began)() noexcept = nullptr;  ///< Null: nothing to do.
    };
    /// Once. `is_allowed` false: never attaches.
    void connect(const Parts& parts, bool is_allowed) noexcept;
    /// Once, before connect.
    void set_source(EventSource& source) noexcept { source_ = &source; }

    void on_event(const clr::RuntimeEvent& event, std::uint64_t time_ns, std::uint32_t thread) noexcept override;
    void on_conditions(std::uint32_t conditions) noexcept override;
    void on_thread_began() noexcept override;
    void on_round(const watch::RoundFigures& figures) noexcept override;

    /// Attaches on a thread of its own, once; returns at once.
    void request() noexcept;

    [[nodiscard]] Status open_stream(const record::StreamOptions& options, std::uint64_t& stream) noexcept;
    [[nodiscard]] Status read_stream(std::uint64_t stream, std::span<std::byte> buffer, std::size_t& bytes) noexcept;
    [[nodiscard]] Status close_stream(std::uint64_t stream) noexcept;
    [[nodiscard]] bool has_data(std::uint64_t stream) noexcept { return streams_.has_data(stream); }

    /// A waiter found a promotion that it waits for under way. `at_once`: asking what came of it is dearer than the events.
    void see_promotion_wait(std::uint64_t now_ns, bool at_once) noexcept;
    /// Load events come: a promotion need not be polled for.
    [[nodiscard]] bool are_loads_on() const noexcept { return are_loads_on_.load(std::memory_order_acquire); }  // partner: apply_demand

    [[nodiscard]] const SignalBoard& board() const noexcept { return board_; }
    [[nodiscard]] bool are_on() const noexcept { return are_on_.load(std::memory_order_acquire); }  // partner: the store in finish_attach
    [[nodiscard]] bool is_allowed() const noexcept { return is_allowed_.load(std::memory_order_relaxed); }
    [[nodiscard]] SourceFigures figures() const noexcept;
    [[nodiscard]] CompilationInProgress compiling() const noexcept;

private:
    static void run_attach(void* hub) noexcept;
    void finish_attach() noexcept;
    void apply_demand() noexcept;
    [[nodiscard]] bool is_promotion_awaited() const noexcept;
    [[nodiscard]] bool note(const Parts* parts, const clr::RuntimeEvent& event) noexcept;
    [[nodiscard]] static bool mark_loaded(const Parts& parts, const clr::RuntimeEvent& event) noexcept;
    void keep_compiling(const clr::RuntimeEvent& event, const record::Promotion& promotion) noexcept;
    [[nodiscard]] bool tell_streams(const Parts* parts, const clr::RuntimeEvent& event, std::uint64_t time_ns,
                                    std::uint32_t thread) noexcept;

    SignalBoard board_;
    record::SystemPages pages_;
    record::EventStreams streams_;
    record::BackgroundTrack track_;
    PublishedTiers published_;
    EventSource* source_ = nullptr;
    Parts parts_;
    std::atomic<std::uint64_t> compiling_{0};  // a packed LoadedCode whose code is the method; 0: not known
    std::atomic<bool> is_connected_{false};
    std::atomic<bool> is_allowed_{false};
    std::atomic<bool> is_requested_{false};
    std::atomic<bool> is_attaching_{false};
    std::atomic<bool> are_on_{false};
    std::atomic<std::uint32_t> conditions_{0};
    std::atomic<bool> are_loads_on_{false};
    std::atomic<std::uint64_t> method_waits_since_ns_{0};    // 0: none
    std::atomic<std::uint64_t> promotion_wait_since_ns_{0};  // 0: none
    os::Mutex demand_mutex_;                                 // held over set_method_events: its callers take turns
};

}  // namespace tierup::runtime
