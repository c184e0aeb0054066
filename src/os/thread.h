// What     Starts a detached native thread; yields, pauses and names the calling one.
// What not No join, no cancellation: the owner arranges the end (a flag and a futex).
// Threads  Any. The new thread blocks every signal, so the runtime's and the host's handlers never run on it.
// Failure  Status::exhausted where the OS refuses a thread; `entry` has then not run and will not.
// Source   pthread_create(3); prctl(2), PR_SET_TIMERSLACK.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace tierup::os {

inline constexpr std::size_t kThreadStackBytes = std::size_t{256} * 1024;
inline constexpr std::size_t kThreadNameBytes = 16;  // with the zero: TASK_COMM_LEN in the kernel's <linux/sched.h>

/// `name` is cut to 15 bytes and is set before `entry` runs. The timer slack is 1 ns there, so that short sleeps are short.
[[nodiscard]] Status start_detached_thread(void (*entry)(void*), void* argument, const char* name) noexcept;

/// Gives the rest of the time slice away (a system call).
void yield_processor() noexcept;

/// Tells the core that this is a spin (one instruction, no system call).
inline void pause_processor() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/// The kernel's thread id, as in /proc/self/task.
[[nodiscard]] std::uint64_t current_thread_id() noexcept;

}  // namespace tierup::os
