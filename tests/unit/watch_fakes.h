// What     A probe, a clock and resources that a test holds in its hand. With them a watcher runs on the test's own thread.
// What not No mock framework, no expectations of their own.
// Threads  One, but for ScriptedProbe, whose function may be called by several.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "watch/watcher.h"

namespace tierup::watch::testing {

inline constexpr Evaluation kPendingDistant{Verdict::pending, Pace::distant, 1};
inline constexpr Evaluation kPendingImminent{Verdict::pending, Pace::imminent, 2};
inline constexpr Evaluation kSatisfied{Verdict::satisfied, Pace::imminent, 3};
inline constexpr Evaluation kUndecidable{Verdict::undecidable, Pace::distant, 4};

class ScriptedProbe final : public Probe {
public:
    std::function<Evaluation(std::uint64_t subject, std::uint32_t condition)> script;
    std::atomic<std::uint64_t> calls{0};

    Evaluation evaluate(std::uint64_t subject, std::uint32_t condition) noexcept override {
        calls.fetch_add(1, std::memory_order_relaxed);
        return script(subject, condition);
    }
};

/// Time passes when it is asked for (a little) and when somebody waits. `on_wait` is what the rest of the world does meanwhile.
class FakeClock final : public Clock {
public:
    static constexpr std::uint64_t kNsPerLook = 100;

    std::function<void(const std::atomic<std::uint32_t>& word)> on_wait;
    std::vector<std::uint64_t> pauses_ns;
    std::vector<const std::atomic<std::uint32_t>*> woken;
    std::uint64_t time_ns = 1'000'000;

    std::uint64_t now_ns() noexcept override { return time_ns += kNsPerLook; }

    Status wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept override {
        if (word.load() != expected) {
            return Status::ok;
        }
        pauses_ns.push_back(timeout_ns);
        if (on_wait) {
            on_wait(word);
        }
        if (word.load() != expected) {
            return Status::ok;
        }
        time_ns += timeout_ns;
        return Status::timed_out;
    }

    void wake(const std::atomic<std::uint32_t>& word) noexcept override { woken.push_back(&word); }
};

/// Starts no thread: run() is the thread. Gives its memory back at its end, which the process's own does not.
class FakeResources final : public Resources {
public:
    bool refuses_threads = false;
    bool refuses_memory = false;
    int threads_started = 0;

    Status start_thread(void (*entry)(void*), void* argument) noexcept override {
        if (refuses_threads) {
            return Status::exhausted;
        }
        ++threads_started;
        entry_ = entry;
        argument_ = argument;
        return Status::ok;
    }

    void* allocate(std::size_t bytes) noexcept override {
        if (refuses_memory) {
            return nullptr;
        }
        memory_.push_back(std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1));
        return memory_.back().get();
    }

    /// Runs the thread that was started, to its end. False: none was, since the last time.
    bool run() {
        const auto entry = std::exchange(entry_, nullptr);
        if (entry == nullptr) {
            return false;
        }
        entry(argument_);
        return true;
    }

private:
    void (*entry_)(void*) = nullptr;
    void* argument_ = nullptr;
    std::vector<std::unique_ptr<std::max_align_t[]>> memory_;
};

}  // namespace tierup::watch::testing
