// What     This library as a notification-only profiler of its own process: loads once, keeps the Compilation session on, switches the Jit session.
// What not Does not decide when (runtime's engine) and keeps no events (the sink does). Sets no event mask but EventPipe, asks for no callback.
// Threads  attach and set_method_events: one thread at a time, never one inside an event callback. Callbacks: the runtime's. The rest: any.
// Failure  A failed attach keeps its sentence for the process; a session that can't be started or stopped leaves the other as it was.
// Source   docs/SECURITY.md; dotnet/runtime src/coreclr/vm/profilinghelper.cpp, LoadProfiler (notification-only profilers: 32 a process).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/attach_outcome.h"
#include "agent/callback_receiver.h"
#include "agent/com_objects.h"
#include "agent/event_delivery.h"
#include "agent/event_session.h"
#include "agent/self_attach.h"
#include "os/mutex.h"
#include "runtime/event_sink.h"
#include "runtime/event_source.h"

namespace tierup::agent {

/// So long may the end of the runtime wait for a call of ours that is under way; such a call takes 50 us.
inline constexpr std::uint64_t kShutdownPatience_ns = 50'000'000;

/// Asks the runtime to load this library; returns when it has answered. Tests have one that asks nobody.
using AttachFunction = AttachOutcome (*)() noexcept;

/// A global that needs neither code at load nor at exit: runtime threads may be in it until the process is gone.
class NotificationAgent final : public runtime::EventSource, private CallbackReceiver {
public:
    constexpr explicit NotificationAgent(AttachFunction attach_function = attach_to_own_process) noexcept
        : attach_function_(attach_function) {}
    NotificationAgent(const NotificationAgent&) = delete;
    NotificationAgent& operator=(const NotificationAgent&) = delete;

    /// Before attach: events that come without a sink are only counted.
    void set_sink(runtime::EventSink& sink) noexcept { delivery_.set_sink(sink); }

    /// The export DllGetClassObject. Any thread.
    [[nodiscard]] clr::Hresult get_class_object(const clr::Guid* class_id, const clr::Guid* iid, void** out) noexcept;

    Status attach() noexcept override;
    Status set_method_events(runtime::MethodEvents wanted) noexcept override;
    [[nodiscard]] runtime::SourceFigures figures() const noexcept override;

private:
    clr::Hresult on_initialize(clr::ClrUnknown& runtime, LoadedBy loaded_by) noexcept override;
    void on_payload(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t bytes) noexcept override;
    void on_shutdown() noexcept override;
    void on_detached() noexcept override;

    [[nodiscard]] clr::ProfilerInfo12* runtime_locked() const noexcept;
    [[nodiscard]] AttachOutcome load_once() noexcept;
    [[nodiscard]] AttachOutcome start_compilation_session() noexcept;
    [[nodiscard]] clr::Hresult switch_level_locked(clr::ProfilerInfo12& runtime, runtime::MethodEvents wanted) noexcept;
    static void forget_method_keyword_locked(clr::ProfilerInfo12& runtime) noexcept;
    Status end_attach(const AttachOutcome& outcome) noexcept;

    AttachFunction attach_function_;
    EventDelivery delivery_;
    ProfilerCallbackObject callback_{&kProfilerCallbackTable, this};
    ClassFactoryObject factory_{&kClassFactoryTable, &callback_};

    /// One attach at a time; held while the runtime is asked, so never taken in a callback.
    os::Mutex attach_mutex_;
    bool was_asked_ = false;
    AttachOutcome asked_outcome_{};

    /// Held over each call into the runtime but the attach: 10 to 50 us, 40 ms the first time. Of the callbacks only Shutdown tries it.
    os::Mutex calls_mutex_;
    EventSession compilation_session_;
    EventSession method_session_;

    std::atomic<clr::ProfilerInfo12*> info_ = nullptr;
    std::atomic<clr::Hresult> initialize_hresult_ = clr::kOk;
    std::atomic<bool> is_shut_down_ = false;
    std::atomic<runtime::SourceState> state_ = runtime::SourceState::none;
    std::atomic<runtime::MethodEvents> method_events_ = runtime::MethodEvents::off;
    std::atomic<bool> was_loaded_at_startup_ = false;
    std::atomic<const char*> reason_ = "";
    std::atomic<std::uint64_t> attach_ns_ = 0;
    std::atomic<std::uint64_t> sessions_started_ = 0;
    std::array<char, kExplanationBytes> explanation_{};
};

}  // namespace tierup::agent
