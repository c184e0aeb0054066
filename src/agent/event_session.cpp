// What     EventPipeStartSession and EventPipeStopSession for the one provider that we listen to.
// What not See event_session.h.
#include "agent/event_session.h"

namespace tierup::agent {

namespace {

constexpr char16_t kProviderName[] = u"Microsoft-Windows-DotNETRuntime";
constexpr clr::Bool32 kWithoutRundown = 0;  // else the end of a session would list every method of the process

}  // namespace

clr::Hresult EventSession::start(clr::ProfilerInfo12& runtime, std::uint64_t keywords, std::uint32_t level) noexcept {
    if (is_on()) {
        return clr::kUnexpected;
    }
    clr::EventPipeProviderConfig provider{.provider_name = kProviderName, .keywords = keywords, .level = level, .filter = nullptr};
    clr::EventPipeSession session = kNone;
    const clr::Hresult hresult = runtime.slots->event_pipe_start_session(&runtime, 1, &provider, kWithoutRundown, &session);
    if (hresult < 0) {
        return hresult;
    }
    session_ = session;
    return session == kNone ? clr::kFail : clr::kOk;
}

clr::Hresult EventSession::stop(clr::ProfilerInfo12& runtime) noexcept {
    if (!is_on()) {
        return clr::kOk;
    }
    const clr::Hresult hresult = runtime.slots->event_pipe_stop_session(&runtime, session_);
    if (hresult < 0) {
        return hresult;
    }
    session_ = kNone;
    return clr::kOk;
}

}  // namespace tierup::agent
