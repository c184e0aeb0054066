// What     The question a watcher asks again and again: does this condition hold for this subject by now?
// What not The watcher does not know what subject, condition and answer mean; the runtime layer answers.
// Threads  evaluate(): any thread, several at once, never with a lock of watch held. news(): any thread, under the watcher's lock too.
// Failure  A state that can't be told is Verdict::undecidable; the wait ends with Status::unknown.
#pragma once

#include <cstdint>

namespace tierup::watch {

enum class Verdict : std::uint8_t { pending, satisfied, undecidable };

/// How soon a pending condition may come true: `imminent` while the runtime compiles or is about to, `distant` while a delay
/// or calls that others must make hold it back.
enum class Pace : std::uint8_t { imminent, distant };

struct Evaluation {
    Verdict verdict = Verdict::undecidable;
    Pace pace = Pace::distant;
    std::uint64_t answer = 0;  ///< Handed through; a change of it makes the dispatcher look more often for a while.
};

/// Nobody counts the news of this subject: it is evaluated in every round.
inline constexpr std::uint32_t kNewsNotCounted = 0;

class Probe {
public:
    virtual Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept {
        (void)subject, (void)condition;
        return {};  // not pure: a pure function would make the library need libstdc++'s handler
    }

    /// A number that changes with every event that may concern this wait, and not otherwise: one load, and nothing else. The event's thread
    /// changes it before it rings. A number and not a flag, so that several waits for one subject each see the same news.
    virtual std::uint32_t news(std::uint64_t subject, std::uint32_t condition) noexcept {
        (void)subject, (void)condition;
        return kNewsNotCounted;
    }

protected:
    constexpr Probe() noexcept = default;
    Probe(const Probe&) noexcept = default;
    Probe& operator=(const Probe&) noexcept = default;
    ~Probe() = default;
};

}  // namespace tierup::watch
