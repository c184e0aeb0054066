// What     What the profiler callback object tells to whom it belongs; notification_agent is one, tests have another.
// What not No COM: ids, tables and reference counts stay in com_objects.
// Threads  on_payload: any runtime thread, several at once, in the midst of a compilation. The others: the runtime's, one at a time.
// Failure  on_initialize's HRESULT goes to the runtime, which forgets us if it is a failure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clr/hresult.h"
#include "clr/profiler_abi.h"

namespace tierup::agent {

enum class LoadedBy : std::uint8_t { startup_variables, attach };

class CallbackReceiver {
public:
    /// `runtime` offers ICorProfilerInfo and its revisions.
    virtual clr::Hresult on_initialize(clr::ClrUnknown& runtime, LoadedBy loaded_by) noexcept {
        (void)runtime, (void)loaded_by;
        return clr::kFail;
    }
    virtual void on_payload(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t bytes) noexcept {
        (void)event_id, (void)event_version, (void)payload, (void)bytes;
    }
    /// The runtime ends; its functions must not be called after this has returned.
    virtual void on_shutdown() noexcept {}
    virtual void on_detached() noexcept {}

protected:
    constexpr CallbackReceiver() noexcept = default;
    CallbackReceiver(const CallbackReceiver&) noexcept = default;
    CallbackReceiver& operator=(const CallbackReceiver&) noexcept = default;
    ~CallbackReceiver() = default;
};

}  // namespace tierup::agent
