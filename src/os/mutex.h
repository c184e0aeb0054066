// What     A mutex that needs no initialisation at run time, and its guard.
// What not Not recursive, no timed lock; for waiting with a limit see futex.h.
// Threads  Any. Never held across a runtime callback or a call into the DAC unless the owner says so.
// Failure  None: a normal mutex that is used as above can't fail to lock.
#pragma once

#include <pthread.h>

namespace tierup::os {

class Mutex {
public:
    constexpr Mutex() noexcept = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() noexcept { (void)pthread_mutex_lock(&mutex_); }
    [[nodiscard]] bool try_lock() noexcept;
    void unlock() noexcept { (void)pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class [[nodiscard]] LockGuard {
public:
    explicit LockGuard(Mutex& mutex) noexcept : mutex_(mutex) { mutex_.lock(); }
    ~LockGuard() { mutex_.unlock(); }
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;

private:
    Mutex& mutex_;
};

}  // namespace tierup::os
