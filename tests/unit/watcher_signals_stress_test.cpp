// What     The bell on real threads: no ring is lost, though no time-out ever comes to the rescue; seats, demand and linger on real threads.
// What not The sanitizers look here; single promises are in watcher_signals_test.cpp.
// Threads  Up to eight and the dispatcher.
// Failure  Loops that wait have a generous bound (kBound) and no fixed sleep. A lost wake-up hangs a wait for good, which the bound turns into a failure.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "os/thread_list.h"
#include "watch/watcher.h"
#include "watcher_stress_support.h"

namespace tierup::watch {
namespace {

using stress::kBound;
using stress::reached;
using stress::Time;

/// Time-outs longer than `longest_ns` never come: at 0 no pause, backstop, follow-up or linger ends by itself, so only rings wake.
class ClockWithoutTimeouts final : public Clock {
public:
    std::atomic<std::uint64_t> longest_ns{0};
    std::uint64_t now_ns() noexcept override { return system_.now_ns(); }
    Status wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept override {
        return system_.wait(word, expected, timeout_ns <= longest_ns.load() ? timeout_ns : kNoTimeLimit);
    }
    void wake(const std::atomic<std::uint32_t>& word) noexcept override { system_.wake(word); }

private:
    SystemClock system_;
};

constexpr std::uint64_t kSubjects = 64;

class FlagProbe final : public Probe {
public:
    std::array<std::atomic<std::uint32_t>, kSubjects> holds{};
    std::array<std::atomic<std::uint32_t>, kSubjects> numbers{};
    Evaluation evaluate(std::uint64_t subject, std::uint32_t) noexcept override {
        const bool is_held = holds[subject].load(std::memory_order_relaxed) != 0;
        return {is_held ? Verdict::satisfied : Verdict::pending, Pace::distant, is_held ? 2u : 1u};
    }
    std::uint32_t news(std::uint64_t subject, std::uint32_t) noexcept override {
        return 1 + numbers[subject].load(std::memory_order_relaxed);
    }
};

/// The process's threads and malloc, counted; gives the memory back at its end.
class CountingResources final : public Resources {
public:
    std::atomic<int> threads_started{0};
    ~CountingResources() {
        for (void* memory : memory_) {
            std::free(memory);
        }
    }
    Status start_thread(void (*entry)(void*), void* argument) noexcept override {
        threads_started.fetch_add(1);
        return system_.start_thread(entry, argument);
    }
    void* allocate(std::size_t bytes) noexcept override {
        memory_.push_back(system_.allocate(bytes));
        return memory_.back();
    }

private:
    SystemResources system_;
    std::vector<void*> memory_;
};

/// Delivers events only while they are wanted, as the agent does.
class Events final : public Demand {
public:
    Watcher* watcher = nullptr;
    std::atomic<std::uint32_t> wanted{0};
    std::atomic<int> switches{0};
    std::function<void(std::uint32_t)> then;
    void on_conditions(std::uint32_t conditions) noexcept override {
        wanted.store(conditions);
        switches.fetch_add(1);
        if (then) {
            then(conditions);
        }
    }
    void fire(std::uint32_t condition) {
        if ((wanted.load() & bit_of_condition(condition)) != 0) {
            watcher->ring(Urgency::news);
        }
    }
};

void on_wait_ended(void* context, Status) {
    static_cast<std::atomic<int>*>(context)->fetch_add(1);
}

class WatcherBell : public ::testing::Test {
protected:
    WatcherBell() {
        watcher.configure(probe, clock, &on_wait_ended, resources);
        watcher.set_signals(true);
        events.watcher = &watcher;
    }
    ~WatcherBell() override {
        clock.longest_ns.store(kNoTimeLimit);
        watcher.set_signals(false);  // nothing lingers
        EXPECT_TRUE(reached([this] { return !watcher.statistics().is_dispatcher_running; }));
        (void)watcher.cancel(0);  // takes the lock: the dispatcher has left its last locked section
    }
    void publish(std::uint64_t subject) {
        probe.holds[subject].store(1, std::memory_order_relaxed);
        probe.numbers[subject].fetch_add(1, std::memory_order_relaxed);
        watcher.ring(Urgency::news);
    }

    FlagProbe probe;
    ClockWithoutTimeouts clock;
    CountingResources resources;
    Events events;
    Watcher watcher;
};

TEST_F(WatcherBell, no_ring_is_lost_on_waits_with_callbacks) {
    constexpr int kRounds = 5'000;
    const auto work = [&](std::uint64_t subject) {
        for (int round = 0; round < kRounds; ++round) {
            probe.holds[subject].store(0);
            std::atomic<int> ended{0};
            std::uint64_t id = 0;
            std::uint64_t answer = 0;
            ASSERT_EQ(watcher.begin(subject, 0, 0, &ended, id, answer), Status::ok);
            ASSERT_NE(id, 0u);
            for (int i = round % 50; i > 0; --i) {
                std::atomic_signal_fence(std::memory_order_seq_cst);  // a moment, each time another one
            }
            publish(subject);
            ASSERT_TRUE(reached([&] { return ended.load() == 1; })) << "a ring was lost";
        }
    };
    std::thread other(work, 1);
    work(2);
    other.join();
}

TEST_F(WatcherBell, no_ring_is_lost_on_callers_in_seats_and_on_those_that_found_none) {
    constexpr std::uint32_t kRounds = 4'000;
    constexpr std::uint64_t kCallers = kSeats + 2;
    std::atomic<std::uint64_t> returned{0};
    std::vector<std::thread> callers;
    for (std::uint64_t subject = 0; subject < kCallers; ++subject) {
        callers.emplace_back([&, subject] {
            for (std::uint32_t round = 0; round < kRounds; ++round) {
                std::uint64_t answer = 0;
                ASSERT_EQ(watcher.block(subject, 0, 0, kNoTimeLimit, answer), Status::ok);
                probe.holds[subject].store(0);
                returned.fetch_add(1);
            }
        });
    }
    std::thread ringer([&] {
        const auto deadline = Time::now() + kBound;
        while (returned.load() < kRounds * kCallers && Time::now() < deadline) {
            for (std::uint64_t subject = 0; subject < kCallers; ++subject) {
                if (probe.holds[subject].load() == 0) {  // publishes once and rings once: a lost one is not made up for by the next
                    publish(subject);
                }
            }
        }
    });
    EXPECT_TRUE(reached([&] { return returned.load() == kRounds * kCallers; })) << "a ring was lost after " << returned.load();
    if (HasFailure()) {
        std::abort();  // the threads can't be joined
    }
    ringer.join();
    for (std::thread& caller : callers) {
        caller.join();
    }
}

TEST_F(WatcherBell, no_event_is_lost_while_events_are_switched_on_and_off) {
    constexpr int kRounds = 3'000;
    watcher.set_demand(events);
    clock.longest_ns.store(kLingerNs);  // so that the linger ends; but no backstop: each wait must end by its event or by a look
    for (int round = 0; round < kRounds; ++round) {
        probe.holds[3].store(0);
        std::thread runtime([&] {
            probe.holds[3].store(1);
            probe.numbers[3].fetch_add(1);
            events.fire(1);  // nobody hears it if they are off
        });
        std::uint64_t answer = 0;
        const auto begun = Time::now();
        ASSERT_EQ(watcher.block(3, 1, 0, kNoTimeLimit, answer), Status::ok);
        runtime.join();
        ASSERT_LT(Time::now() - begun, kBound);
    }
}

TEST_F(WatcherBell, a_blocked_caller_looks_again_after_events_were_switched_on_for_it) {
    watcher.set_demand(events);
    events.then = [&](std::uint32_t conditions) {
        if (conditions != 0) {
            probe.holds[5].store(1);  // it happens while they are being switched on: no ring
        }
    };
    for (int round = 0; round < 200; ++round) {
        probe.holds[5].store(0);
        std::uint64_t answer = 0;
        ASSERT_EQ(watcher.block(5, 2, 0, kNoTimeLimit, answer), Status::ok);  // no time-out helps: it would hang
        watcher.set_signals(false);                                           // nothing lingers: the next one has them switched on again
        ASSERT_TRUE(reached([&] { return !watcher.statistics().is_dispatcher_running; }));
        watcher.set_signals(true);
    }
    EXPECT_EQ(events.switches.load(), 400);
}

TEST_F(WatcherBell, callers_beyond_the_seats_are_served_by_the_dispatcher) {
    std::vector<std::thread> callers;
    for (std::uint64_t i = 0; i < kSeats; ++i) {
        callers.emplace_back([&, i] {
            std::uint64_t answer = 0;
            EXPECT_EQ(watcher.block(10 + i, 0, 0, kNoTimeLimit, answer), Status::ok);
        });
    }
    EXPECT_TRUE(reached([&] { return watcher.statistics().waits_pending == kSeats; }));
    EXPECT_EQ(resources.threads_started.load(), 0);
    callers.emplace_back([&] {
        std::uint64_t answer = 0;
        EXPECT_EQ(watcher.block(10 + kSeats, 0, 0, kNoTimeLimit, answer), Status::ok);
    });
    EXPECT_TRUE(reached([&] { return watcher.statistics().waits_pending == kSeats + 1; }));
    EXPECT_EQ(resources.threads_started.load(), 1);
    for (std::uint64_t i = 0; i <= kSeats; ++i) {
        publish(10 + i);
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(watcher.statistics().waits_ended, kSeats + 1u);
}

TEST_F(WatcherBell, the_thread_is_gone_a_linger_after_the_last_wait) {
    const auto is_there = [] {
        bool found = false;
        EXPECT_EQ(os::is_thread_named(kDispatcherThreadName, found), Status::ok);
        return found;
    };
    clock.longest_ns.store(kNoTimeLimit);
    watcher.set_demand(events);
    EXPECT_TRUE(reached([&] { return !is_there(); })) << "left over from another test";
    std::atomic<int> ended{0};
    std::uint64_t id = 0;
    std::uint64_t answer = 0;
    ASSERT_EQ(watcher.begin(7, 3, 0, &ended, id, answer), Status::ok);
    EXPECT_TRUE(reached(is_there));
    EXPECT_TRUE(reached([&] { return events.wanted.load() == bit_of_condition(3); }));
    publish(7);
    EXPECT_TRUE(reached([&] { return events.wanted.load() == 0; }));
    EXPECT_TRUE(reached([&] { return !is_there(); }));
    EXPECT_EQ(ended.load(), 1);
}

TEST_F(WatcherBell, the_thread_is_gone_soon_after_the_last_caller_left_its_seat) {
    clock.longest_ns.store(kLingerNs);  // a longer pause would never end
    watcher.set_demand(events);
    std::thread caller([&] {
        std::uint64_t answer = 0;
        EXPECT_EQ(watcher.block(8, 3, 0, kNoTimeLimit, answer), Status::ok);
    });
    EXPECT_TRUE(reached([&] { return events.wanted.load() == bit_of_condition(3); }));
    publish(8);
    caller.join();
    EXPECT_TRUE(reached([&] { return !watcher.statistics().is_dispatcher_running; }));
    EXPECT_EQ(events.wanted.load(), 0u);
}

TEST_F(WatcherBell, a_flood_of_rings_among_ten_thousand_waits_evaluates_few) {
    constexpr std::uint64_t kWaits = 10'000;
    std::atomic<int> ended{0};
    std::vector<std::uint64_t> ids(kWaits);
    std::uint64_t answer = 0;
    for (std::uint64_t& id : ids) {
        ASSERT_EQ(watcher.begin(20 + static_cast<std::uint64_t>(&id - ids.data()) % 40, 0, 0, &ended, id, answer), Status::ok);
    }
    ASSERT_TRUE(reached([&] { return watcher.statistics().evaluations >= kWaits; }));
    const std::uint64_t before = watcher.statistics().evaluations;
    for (int i = 0; i < 50'000; ++i) {
        probe.numbers[1].fetch_add(1, std::memory_order_relaxed);  // somebody else's
        watcher.ring(Urgency::news);
    }
    // A round over all may fall into the time (a backstop is due each 50 ms); 50,000 rounds may not.
    EXPECT_LE(watcher.statistics().evaluations - before, 40 * kWaits);
    for (const std::uint64_t id : ids) {
        ASSERT_EQ(watcher.cancel(id), Status::ok);
    }
    EXPECT_EQ(ended.load(), 0);
}

}  // namespace
}  // namespace tierup::watch
