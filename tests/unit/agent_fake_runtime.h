// What     A runtime as the agent sees it: ICorProfilerInfo12 with sessions, and the loading of a profiler; any call can be made to fail.
// What not No socket (agent_fake_ipc_server.h). It delivers an event as the real one does: to one session after another.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "agent/class_id.h"
#include "agent/notification_agent.h"
#include "clr/profiler_abi.h"
#include "clr/runtime_event.h"
#include "runtime/event_sink.h"

namespace tierup::testing {

class FakeRuntime {
public:
    const clr::ProfilerInfo12Slots* slots = &kSlots;  // must stay first: the agent finds the functions here

    struct Session {
        std::uint64_t keywords = 0;
        std::uint32_t level = 0;
    };
    /// One that the runtime could fire.
    struct Event {
        std::uint32_t id = 0;
        std::uint32_t version = 0;
        std::uint64_t keyword = 0;
        std::uint32_t level = 0;
        std::vector<std::uint8_t> payload;
    };

    FakeRuntime() = default;
    FakeRuntime(const FakeRuntime&) = delete;
    FakeRuntime& operator=(const FakeRuntime&) = delete;

    /// As LoadProfiler does. Returns what the runtime would answer.
    clr::Hresult load(agent::NotificationAgent& agent, agent::LoadedBy loaded_by) {
        void* factory = nullptr;
        clr::Hresult hresult = agent.get_class_object(&agent::kClassId, &clr::kIidClassFactory, &factory);
        if (hresult < 0) {
            return hresult;
        }
        hresult = slots_of<clr::ClassFactorySlots>(factory).create_instance(factory, nullptr, &clr::kIidProfilerCallbacks[1], &callback_);
        if (hresult < 0) {
            return hresult;
        }
        clr::Bool32 is_notification_only = 0;
        (void)callback_slots().load_as_notification_only(callback_, &is_notification_only);
        if (is_notification_only == 0) {
            return clr::kFail;
        }
        return loaded_by == agent::LoadedBy::attach ? callback_slots().initialize_for_attach(callback_, this, nullptr, 0)
                                                    : callback_slots().initialize(callback_, this);
    }

    /// Events of jitted methods are fired only while some session is verbose and some has the Jit keyword (prestub.cpp); each session then gets
    /// what its own keywords and level let through.
    void fire(const Event& event) {
        if ((event.keyword & clr::kJitKeyword) != 0 && !is_any_verbose()) {
            return;
        }
        for (const auto& [id, session] : std::map(sessions)) {
            if ((session.keywords & event.keyword) != 0 && session.level >= event.level) {
                deliver(event);
            }
        }
    }
    void deliver(const Event& event) {
        (void)callback_slots().event_pipe_event_delivered(callback_, 0, event.id, event.version, 0, nullptr,
                                                          static_cast<std::uint32_t>(event.payload.size()), event.payload.data(), nullptr,
                                                          nullptr, 0, 0, nullptr);
    }
    void shut_down() { (void)callback_slots().shutdown(callback_); }
    void detach() { (void)callback_slots().profiler_detach_succeeded(callback_); }

    [[nodiscard]] bool is_any_verbose() const {
        for (const auto& [id, session] : sessions) {
            if (session.level >= clr::kVerboseLevel) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] std::size_t jit_sessions() const {
        std::size_t count = 0;
        for (const auto& [id, session] : sessions) {
            count += (session.keywords & clr::kJitKeyword) != 0 ? 1 : 0;
        }
        return count;
    }

    std::map<clr::EventPipeSession, Session> sessions;
    std::uint32_t mask_low = 0xFFFF'FFFF;
    std::uint32_t mask_high = 0;
    std::string provider;
    int calls = 0;
    int failing_call = 0;  ///< The number of the call that fails, from 1; 0: none.
    clr::Hresult failure = clr::kFail;
    std::function<void()> on_start;  ///< Runs inside EventPipeStartSession once the session is on.
    std::function<void()> on_stop;   ///< Runs inside EventPipeStopSession while the session is still on.

private:
    template <typename Slots>
    static const Slots& slots_of(void* object) {
        return **static_cast<const Slots**>(object);
    }
    const clr::ProfilerCallbackSlots& callback_slots() { return slots_of<clr::ProfilerCallbackSlots>(callback_); }
    static FakeRuntime& of(void* self) { return *static_cast<FakeRuntime*>(self); }
    bool fails() { return ++calls == failing_call; }

    static clr::Hresult query(void* self, const clr::Guid* iid, void** out) {
        if (of(self).fails()) {
            return of(self).failure;
        }
        *out = *iid == clr::kIidProfilerInfo12 ? self : nullptr;
        return *out != nullptr ? clr::kOk : clr::kNoInterface;
    }
    static std::uint32_t count(void*) { return 1; }
    static clr::Hresult set_event_mask2(void* self, std::uint32_t low, std::uint32_t high) {
        if (of(self).fails()) {
            return of(self).failure;
        }
        of(self).mask_low = low;
        of(self).mask_high = high;
        return clr::kOk;
    }
    static clr::Hresult start_session(void* self, std::uint32_t provider_count, clr::EventPipeProviderConfig* config,
                                      clr::Bool32 with_rundown, clr::EventPipeSession* session) {
        FakeRuntime& runtime = of(self);
        if (runtime.fails()) {
            return runtime.failure;
        }
        if (provider_count != 1 || with_rundown != 0 || config->filter != nullptr) {
            return clr::kInvalidArgument;
        }
        runtime.provider.clear();
        for (const char16_t* unit = config->provider_name; *unit != u'\0'; ++unit) {
            runtime.provider += static_cast<char>(*unit);
        }
        *session = ++runtime.last_session_;
        runtime.sessions[*session] = {config->keywords, config->level};
        if (runtime.on_start) {
            runtime.on_start();
        }
        return clr::kOk;
    }
    static clr::Hresult stop_session(void* self, clr::EventPipeSession session) {
        FakeRuntime& runtime = of(self);
        if (runtime.fails()) {
            return runtime.failure;
        }
        if (runtime.on_stop) {
            runtime.on_stop();
        }
        return runtime.sessions.erase(session) == 1 ? clr::kOk : clr::kInvalidArgument;
    }

    static constexpr clr::ProfilerInfo12Slots make_slots() {
        clr::ProfilerInfo12Slots slots{};
        slots.unknown = {query, count, count};
        slots.set_event_mask2 = set_event_mask2;
        slots.event_pipe_start_session = start_session;
        slots.event_pipe_stop_session = stop_session;
        return slots;
    }
    static inline const clr::ProfilerInfo12Slots kSlots = make_slots();

    void* callback_ = nullptr;
    clr::EventPipeSession last_session_ = 0x1000;
};

}  // namespace tierup::testing
