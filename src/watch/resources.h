// What     What a watcher takes from the process: the dispatcher's thread and memory for waiters; a test puts its own here.
// What not No giving back: memory for waiters stays with the watcher, which lives as long as the process.
// Threads  Called with the watcher's lock held, so one call at a time per watcher; must not call back into it.
// Failure  A status other than ok, or null. The watcher then begins no wait and says Status::exhausted.
#pragma once

#include <cstddef>

#include "base/status.h"

namespace tierup::watch {

class Resources {
public:
    /// Runs `entry(argument)` on a new thread, soon; never before it returns on the thread that calls.
    virtual Status start_thread(void (*entry)(void*), void* argument) noexcept {
        (void)entry, (void)argument;
        return Status::unsupported;
    }

    /// Memory aligned for any type, never given back.
    virtual void* allocate(std::size_t bytes) noexcept {
        (void)bytes;
        return nullptr;
    }

protected:
    constexpr Resources() noexcept = default;
    Resources(const Resources&) noexcept = default;
    Resources& operator=(const Resources&) noexcept = default;
    ~Resources() = default;
};

/// The dispatcher's thread name; at most 15 bytes, see pthread_setname_np(3).
inline constexpr const char* kDispatcherThreadName = "tierup-watch";

/// A detached thread and malloc.
class SystemResources final : public Resources {
public:
    constexpr SystemResources() noexcept = default;
    Status start_thread(void (*entry)(void*), void* argument) noexcept override;
    void* allocate(std::size_t bytes) noexcept override;
};

}  // namespace tierup::watch
