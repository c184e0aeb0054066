// What     Carries what one thread's inspection found to the same thread's registration, which usually follows at once.
// What not Not a cache: what is taken is gone, and another thread never gets it.
// Threads  Any.
// Failure  try_take says false where nothing fits; the caller inspects again.
#pragma once

#include <cstdint>

#include "os/mutex.h"
#include "os/thread.h"
#include "runtime/method_identity.h"
#include "runtime/method_kind.h"

namespace tierup::runtime {

class InspectedMethod {
public:
    void keep(std::uint64_t method, const MethodIdentity& identity) noexcept {
        os::LockGuard guard(mutex_);
        method_ = method;
        thread_ = os::current_thread_id();
        identity_ = identity;
    }

    /// Race: the method is unloaded, and its address becomes another one's, between a thread's inspection and its registration.
    /// Window: as long as the caller likes. Harmless because the caller holds the method's handle over both calls (the header says so), and what
    /// may unload is not registered. Test: what_one_thread_inspected_another_does_not_take (tests/unit/inspected_method_test.cpp).
    [[nodiscard]] bool try_take(std::uint64_t method, std::uint32_t known_kinds, MethodIdentity& identity) noexcept {
        os::LockGuard guard(mutex_);
        // A runtime-async handle leads to another descriptor, so the inspection itself must know that it is one.
        const bool is_runtime_async = (known_kinds & kind_runtime_async) != 0;
        if (is_runtime_async || method_ != method || method == 0 || thread_ != os::current_thread_id()) {
            return false;
        }
        method_ = 0;
        identity = identity_;
        identity.kinds |= known_kinds;
        return true;
    }

private:
    os::Mutex mutex_;
    std::uint64_t method_ = 0;
    std::uint64_t thread_ = 0;
    MethodIdentity identity_;
};

}  // namespace tierup::runtime
