// What     Whether the runtime's background worker may be at work: compiling, activating, or about to.
// What not Does not say on what.
// Threads  Any preemptive thread.
// Failure  Truth::not_known; then nobody concludes that a promotion was given up.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, CreateBackgroundWorker and BackgroundWorkerStart: the thread's name and end.
#pragma once

#include "os/thread_list.h"
#include "runtime/truth.h"

namespace tierup::runtime {

/// The worker's kernel name begins so on 8.0–11.0 (the kernel keeps 15 bytes of it).
inline constexpr const char* kWorkerThreadPrefix = ".NET Tiered";

class WorkerWatch {
public:
    /// By the thread list alone: no while no such thread exists. The worker ends TC_BackgroundWorkerTimeoutMs (4 s) after its last work.
    [[nodiscard]] virtual Truth is_at_work() const noexcept {
        bool is_running = false;
        if (os::is_thread_named(kWorkerThreadPrefix, is_running) != Status::ok) {
            return Truth::not_known;
        }
        return is_running ? Truth::yes : Truth::no;
    }

protected:
    WorkerWatch() noexcept = default;
    WorkerWatch(const WorkerWatch&) noexcept = default;
    WorkerWatch& operator=(const WorkerWatch&) noexcept = default;
    ~WorkerWatch() = default;
};

/// The thread list, and nothing better.
class WorkerThreadWatch final : public WorkerWatch {
public:
    WorkerThreadWatch() noexcept = default;
};

}  // namespace tierup::runtime
