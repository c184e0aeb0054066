// What     The question a watcher asks again and again: does this condition hold for this subject by now?
// What not The watcher does not know what subject, condition and answer mean; the runtime layer answers.
// Threads  evaluate() is called on any thread, by several at once, never with a lock of watch held.
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

class Probe {
public:
    virtual Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept {
        (void)subject, (void)condition;
        return {};  // not pure: a pure function would make the library need libstdc++'s handler
    }

protected:
    constexpr Probe() noexcept = default;
    Probe(const Probe&) noexcept = default;
    Probe& operator=(const Probe&) noexcept = default;
    ~Probe() = default;
};

}  // namespace tierup::watch
