// What     The system resources of watch: a detached thread of os, and malloc.
// What not No pool, no limit of its own: the table has its bound.
// Threads  Any.
// Failure  See resources.h.
#include "watch/resources.h"

#include <cstdlib>

#include "os/thread.h"

namespace tierup::watch {

Status SystemResources::start_thread(void (*entry)(void*), void* argument) noexcept {
    return os::start_detached_thread(entry, argument, kDispatcherThreadName);
}

void* SystemResources::allocate(std::size_t bytes) noexcept {
    return std::malloc(bytes);
}

}  // namespace tierup::watch
