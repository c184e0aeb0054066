// What     What the stress tests of the watcher share: a generous bound for loops that wait, and the wait itself.
// What not No fixed sleep.
// Threads  Any.
// Failure  reached: false where the bound ran out.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace tierup::watch::stress {

using Time = std::chrono::steady_clock;
inline constexpr auto kBound = std::chrono::seconds(60);

inline bool reached(const std::function<bool()>& condition) {
    const auto deadline = Time::now() + kBound;
    while (!condition()) {
        if (Time::now() > deadline) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

}  // namespace tierup::watch::stress
