// What     A sink that keeps what it gets, and payloads of the runtime's events to feed it by.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "agent_fake_runtime.h"
#include "runtime/event_sink.h"

namespace tierup::testing {

struct RecordingSink : runtime::EventSink {
    struct Entry {
        clr::RuntimeEvent event;
        std::uint64_t time_ns = 0;
        std::uint32_t thread = 0;
    };
    void on_event(const clr::RuntimeEvent& event, std::uint64_t time_ns, std::uint32_t thread) noexcept override {
        const std::lock_guard guard(mutex);
        entries.push_back({event, time_ns, thread});
    }
    [[nodiscard]] std::size_t loads() const {
        std::size_t count = 0;
        for (const Entry& entry : entries) {
            count += entry.event.kind == clr::RuntimeEventKind::method_loaded ? 1 : 0;
        }
        return count;
    }

    std::mutex mutex;
    std::vector<Entry> entries;
};

/// A number that no other test has: what a thread remembers of its last load outlives the delivery that it came through.
inline std::uint64_t new_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

/// MethodLoadVerbose_V1 with empty names; fired at the informational level.
inline FakeRuntime::Event load_event(std::uint64_t method, std::uint64_t code) {
    FakeRuntime::Event event{143, 1, clr::kJitKeyword, clr::kInformationalLevel, std::vector<std::uint8_t>(36 + 6 + 2)};
    std::memcpy(event.payload.data(), &method, sizeof method);
    std::memcpy(event.payload.data() + 16, &code, sizeof code);
    return event;
}

/// MethodJittingStarted_V1 with empty names; fired at the verbose level.
inline FakeRuntime::Event jit_event(std::uint64_t method) {
    FakeRuntime::Event event{145, 1, clr::kJitKeyword, clr::kVerboseLevel, std::vector<std::uint8_t>(24 + 6 + 2)};
    std::memcpy(event.payload.data(), &method, sizeof method);
    return event;
}

/// TieredCompilationPause.
inline FakeRuntime::Event pause_event() {
    return {281, 0, clr::kCompilationKeyword, clr::kInformationalLevel, std::vector<std::uint8_t>(2)};
}

}  // namespace tierup::testing
