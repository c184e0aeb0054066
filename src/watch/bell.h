// What     One bell that anybody may strike, and beds whose sleepers it wakes: no lock, no allocation, a system call only for one who sleeps.
// What not Says nothing about why it was struck (Watcher::ring does).
// Threads  Bell::strike and Bed::rouse: any, several at once, also inside an event callback of the runtime. Bed::sleep: one thread at a time per bed.
// Failure  sleep() may return early for no reason; its caller looks again.
// Source   Dekker's pattern: each side writes its own word and then reads the other's; see the race comment at Bed::sleep.
#pragma once

#include <atomic>
#include <cstdint>

#include "watch/clock.h"

namespace tierup::watch {

/// How deep a sleeper sleeps, as the word in its bed says it.
enum class Sleep : std::uint32_t {
    awake = 0,
    light = 1,  ///< Wakes at every stroke.
    deep = 2    ///< Serves nobody at the moment: events don't wake it, only its summons do.
};

class Bell {
public:
    /// Before one looks at the world; sleep() then sleeps only if nobody has struck since.
    /// seq_cst: partner is strike(), whose striker wrote what the looker is about to read.
    [[nodiscard]] std::uint32_t strokes() const noexcept { return strokes_.load(std::memory_order_seq_cst); }

    /// After one has changed the world, and before rouse().
    /// seq_cst: as release for what was written before, partner strokes(); and before the load in rouse(), partner the store in sleep().
    void strike() noexcept { strokes_.fetch_add(1, std::memory_order_seq_cst); }

private:
    std::atomic<std::uint32_t> strokes_{0};
};

class Bed {
public:
    /// After strike(). Wakes the sleeper if it sleeps no deeper than `deepest`.
    void rouse(Clock& clock, Sleep deepest) noexcept {
        const std::uint32_t depth = word_.load(std::memory_order_seq_cst);  // partner: the store in sleep()
        if (depth == static_cast<std::uint32_t>(Sleep::awake) || depth > static_cast<std::uint32_t>(deepest)) {
            return;
        }
        // One of several who rouse is enough. Relaxed: the word guards no data, the strokes do.
        if (word_.exchange(static_cast<std::uint32_t>(Sleep::awake), std::memory_order_relaxed) !=
            static_cast<std::uint32_t>(Sleep::awake)) {
            clock.wake(word_);  // [R2]
        }
    }

    /// Exact on the sleeper's own thread only.
    [[nodiscard]] bool is_awake() const noexcept {
        return word_.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(Sleep::awake);
    }

    // Race     The bell is struck while its listener falls asleep.
    // Window   From the listener's strokes(), before its round, to the futex's own comparison.
    // Harmless The listener writes "asleep" and then reads the strokes; the striker writes the strokes and then reads "asleep", all four seq_cst:
    //          one of them sees the other. The listener that sees the stroke does not sleep [S2]; the striker that sees "asleep" takes it back
    //          before it wakes, so that the kernel's comparison fails or the wake finds the sleeper [S3].
    // Test     watcher_model_test: no_wakeup_is_lost, mutations strike_after_look, sleep_without_second_look, wake_without_word.
    void sleep(Clock& clock, const Bell& bell, std::uint32_t strokes_seen, Sleep depth, std::uint64_t timeout_ns) noexcept {
        const auto word = static_cast<std::uint32_t>(depth);
        word_.store(word, std::memory_order_seq_cst);   // [S1] partner: the load in rouse()
        if (bell.strokes() == strokes_seen) {           // [S2]
            (void)clock.wait(word_, word, timeout_ns);  // [S3] whatever the reason to return: look again
        }
        word_.store(static_cast<std::uint32_t>(Sleep::awake), std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint32_t> word_{static_cast<std::uint32_t>(Sleep::awake)};  ///< Slept on while it says how deep.
};

}  // namespace tierup::watch
