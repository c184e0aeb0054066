// What     A full fence between what a thread stored before and what it loads or stores after.
// What not Not for ordering one variable's accesses: those name their own order and partner.
// Threads  Any.
// Failure  None. ThreadSanitizer knows no fences (gcc refuses them): there a read-modify-write of one word stands for it.
#pragma once

#include <atomic>

namespace tierup {

#if defined(__SANITIZE_THREAD__)
inline constinit std::atomic<unsigned> fence_word{0};
#endif

inline void full_fence() noexcept {
#if defined(__SANITIZE_THREAD__)
    (void)fence_word.fetch_add(1, std::memory_order_seq_cst);  // its partners are the other fences
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);  // the callers name the partner
#endif
}

}  // namespace tierup
