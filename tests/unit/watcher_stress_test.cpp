// What     The watcher on real threads with the real clock: exactly-once accounting, the dispatcher's lifetime, many waiters, time-outs.
// What not The sanitizers look here; single promises are in watcher_test.cpp.
// Threads  Up to four callers and the dispatcher.
// Failure  Loops that wait have a generous bound (kBound) and no fixed sleep.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
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

/// A flag per subject; imminent for odd ones, so that both paces are met.
class FlagProbe final : public Probe {
public:
    static constexpr std::size_t kSubjects = 10'001;
    std::unique_ptr<std::atomic<bool>[]> holds = std::make_unique<std::atomic<bool>[]>(kSubjects);

    Evaluation evaluate(std::uint64_t subject, std::uint32_t) noexcept override {
        const bool is_held = holds[subject].load(std::memory_order_relaxed);
        return {is_held ? Verdict::satisfied : Verdict::pending, subject % 2 == 1 ? Pace::imminent : Pace::distant, is_held ? 2u : 1u};
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

/// One wait's account: begun, and then ended by exactly one of a callback and a cancel.
struct Ticket {
    std::atomic<int> called_back{0};
    std::atomic<std::uint64_t> id{0};
    std::uint64_t id_in_callback = 0;
    Status status = Status::faulted;
    int cancelled = 0;
};

void on_wait_ended(void* context, Status status) {
    auto* ticket = static_cast<Ticket*>(context);
    ticket->status = status;
    ticket->called_back.fetch_add(1);
}

template <typename ProbeType>
class WatcherOnThreads {
public:
    explicit WatcherOnThreads(Callback callback = &on_wait_ended) { watcher.configure(probe, clock, callback, resources); }

    ~WatcherOnThreads() {
        EXPECT_TRUE(is_idle_in_time());
        (void)watcher.cancel(0);  // takes the lock: the dispatcher has left its last locked section
    }

    bool is_idle_in_time() {
        return reached([this] {
            const WatcherStatistics statistics = watcher.statistics();
            return !statistics.is_dispatcher_running && statistics.waits_pending == 0;
        });
    }

    ProbeType probe;
    SystemClock clock;
    CountingResources resources;
    Watcher watcher;
};

TEST(WatcherStress, every_wait_ends_exactly_once_under_stress) {
    constexpr std::size_t kThreads = 4;
    constexpr std::size_t kOperations = 25'000;  // a thread: 100,000 in all
    WatcherOnThreads<FlagProbe> on;
    std::vector<Ticket> tickets(kThreads * kOperations);
    std::atomic<std::uint64_t> registered{0};
    std::array<std::atomic<int>, 3> blocked{};  // ok, timed out, anything else
    const auto work = [&](std::size_t thread) {
        std::mt19937 random(static_cast<std::uint32_t>(thread) + 1);
        for (std::size_t i = 0; i < kOperations; ++i) {
            const std::uint64_t subject = random() % 16;
            std::atomic<bool>& holds = on.probe.holds[subject];
            std::uint64_t id = 0;
            std::uint64_t answer = 0;
            if (random() % 8 == 0) {
                const std::uint64_t timeout_ns = random() % 50'000;
                const Status status = on.watcher.block(subject, 0, random() % 3000, timeout_ns, answer);
                blocked[status == Status::ok ? 0 : status == Status::timed_out ? 1 : 2].fetch_add(1);
            } else {
                Ticket& ticket = tickets[thread * kOperations + i];
                ASSERT_EQ(on.watcher.begin(subject, 0, random() % 3000, &ticket, id, answer), Status::ok);
                ticket.id.store(id);
                registered.fetch_add(id != 0 ? 1 : 0);
                if (random() % 4 == 0) {
                    holds.store(true, std::memory_order_relaxed);  // so that completing and cancelling meet
                }
                if (random() % 2 == 0) {
                    ticket.cancelled = on.watcher.cancel(id) == Status::ok ? 1 : 0;
                }
            }
            holds.store(random() % 3 == 0, std::memory_order_relaxed);
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back(work, thread);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t subject = 0; subject < 16; ++subject) {
        on.probe.holds[subject].store(true);
    }
    ASSERT_TRUE(on.is_idle_in_time());
    int called_back = 0;
    int cancelled = 0;
    for (const Ticket& ticket : tickets) {
        const int endings = ticket.called_back.load() + ticket.cancelled;
        ASSERT_EQ(endings, ticket.id.load() != 0 ? 1 : 0);
        called_back += ticket.called_back.load();
        cancelled += ticket.cancelled;
    }
    EXPECT_EQ(blocked[2].load(), 0);
    EXPECT_GE(on.watcher.statistics().waits_ended, registered.load());
    // The stress has met what it is about:
    EXPECT_GT(called_back, 100);
    EXPECT_GT(cancelled, 100);
    EXPECT_GT(blocked[0].load(), 100);
    EXPECT_GT(blocked[1].load(), 100);
}

TEST(WatcherStress, threads_come_and_go_with_their_waiters_under_stress) {
    constexpr int kRounds = 2'000;
    WatcherOnThreads<FlagProbe> on;
    const auto work = [&](std::uint64_t subject) {
        for (int round = 0; round < kRounds; ++round) {
            on.probe.holds[subject].store(false);
            Ticket ticket;
            std::uint64_t id = 0;
            std::uint64_t answer = 0;
            ASSERT_EQ(on.watcher.begin(subject, 0, 0, &ticket, id, answer), Status::ok);
            ASSERT_NE(id, 0u);
            on.probe.holds[subject].store(true);
            ASSERT_TRUE(reached([&] { return ticket.called_back.load() == 1; })) << "a waiter was left without a dispatcher";
        }
    };
    std::thread other(work, 1);
    work(3);
    other.join();
    ASSERT_TRUE(on.is_idle_in_time());
    EXPECT_EQ(on.watcher.statistics().waits_ended, 2u * kRounds);
    EXPECT_GT(on.resources.threads_started.load(), 10);
}

TEST(WatcherStress, there_is_a_thread_while_somebody_waits_and_none_otherwise) {
    const auto is_there = [] {
        bool found = false;
        EXPECT_EQ(os::is_thread_named(kDispatcherThreadName, found), Status::ok);
        return found;
    };
    WatcherOnThreads<FlagProbe> on;
    EXPECT_TRUE(reached([&] { return !is_there(); })) << "left over from another test";
    Ticket ticket;
    std::uint64_t id = 0;
    std::uint64_t answer = 0;
    ASSERT_EQ(on.watcher.begin(0, 0, 0, &ticket, id, answer), Status::ok);
    EXPECT_TRUE(reached(is_there));
    EXPECT_EQ(on.watcher.cancel(id), Status::ok);
    EXPECT_TRUE(reached([&] { return !is_there(); }));
    EXPECT_FALSE(on.watcher.statistics().is_dispatcher_running);
}

TEST(WatcherStress, ten_thousand_waiters_half_cancelled_end_as_they_should) {
    constexpr std::uint64_t kWaiters = 10'000;
    WatcherOnThreads<FlagProbe> on;
    std::vector<Ticket> tickets(kWaiters);
    for (std::uint64_t i = 0; i < kWaiters; ++i) {
        std::uint64_t id = 0;
        std::uint64_t answer = 0;
        ASSERT_EQ(on.watcher.begin(i, 0, 0, &tickets[i], id, answer), Status::ok);
        tickets[i].id.store(id);
    }
    EXPECT_EQ(on.watcher.statistics().waits_pending, kWaiters);
    EXPECT_EQ(on.resources.threads_started.load(), 1);
    for (std::uint64_t i = 0; i < kWaiters; i += 2) {
        ASSERT_EQ(on.watcher.cancel(tickets[i].id.load()), Status::ok);
    }
    EXPECT_EQ(on.watcher.statistics().waits_pending, kWaiters / 2);
    for (std::uint64_t i = 0; i < kWaiters; ++i) {
        on.probe.holds[i].store(true, std::memory_order_relaxed);
    }
    ASSERT_TRUE(on.is_idle_in_time());
    for (std::uint64_t i = 0; i < kWaiters; ++i) {
        ASSERT_EQ(tickets[i].called_back.load(), i % 2 == 0 ? 0 : 1);
    }
    EXPECT_EQ(on.watcher.statistics().waits_ended, kWaiters);
}

/// A chain of waits, each begun by the callback of the one before.
struct Chain {
    Watcher* watcher = nullptr;
    FlagProbe* probe = nullptr;
    std::atomic<std::uint64_t> length{0};
    std::atomic<bool> has_failed{false};
};

constexpr std::uint64_t kChainLength = 500;

void go_on(void* context, Status status) {
    auto* chain = static_cast<Chain*>(context);
    const std::uint64_t next = chain->length.fetch_add(1) + 1;
    std::uint64_t id = 0;
    std::uint64_t answer = 0;
    if (status != Status::ok || next == kChainLength) {
        chain->has_failed = chain->has_failed || status != Status::ok;
        return;
    }
    if (chain->watcher->begin(next, 0, 1'000'000, chain, id, answer) != Status::ok || id == 0) {
        chain->has_failed = true;
    }
    chain->probe->holds[next].store(true);
}

TEST(WatcherStress, callbacks_begin_new_waits) {
    WatcherOnThreads<FlagProbe> on(&go_on);
    Chain chain{&on.watcher, &on.probe};
    std::uint64_t id = 0;
    std::uint64_t answer = 0;
    ASSERT_EQ(on.watcher.begin(0, 0, 0, &chain, id, answer), Status::ok);
    on.probe.holds[0].store(true);
    ASSERT_TRUE(on.is_idle_in_time());
    EXPECT_EQ(chain.length.load(), kChainLength);
    EXPECT_FALSE(chain.has_failed.load());
    EXPECT_EQ(on.resources.threads_started.load(), 1);
}

TEST(WatcherStress, a_blocked_caller_is_woken_when_its_condition_holds) {
    WatcherOnThreads<FlagProbe> on;
    for (std::uint64_t subject = 0; subject < 200; ++subject) {
        std::thread setter([&] {
            EXPECT_TRUE(reached([&] { return on.watcher.statistics().waits_pending == 1; }));
            on.probe.holds[subject].store(true);
        });
        std::uint64_t answer = 0;
        EXPECT_EQ(on.watcher.block(subject, 0, 0, kNoTimeLimit, answer), Status::ok);
        EXPECT_EQ(answer, 2u);
        setter.join();
    }
}

/// Never satisfied; the answer counts its own evaluations.
class StuckProbe final : public Probe {
public:
    std::atomic<std::uint64_t> evaluations{0};
    Evaluation evaluate(std::uint64_t, std::uint32_t) noexcept override { return {Verdict::pending, Pace::distant, ++evaluations}; }
};

TEST(WatcherStress, a_condition_that_never_holds_times_out_with_the_last_answer_seen) {
    WatcherOnThreads<StuckProbe> on;
    std::uint64_t answer = 0;
    EXPECT_EQ(on.watcher.block(0, 0, 0, 20'000'000, answer), Status::timed_out);
    EXPECT_GT(answer, 1u) << "the dispatcher saw newer ones than the caller";
    ASSERT_TRUE(on.is_idle_in_time());
    EXPECT_LE(answer, on.probe.evaluations.load());
}

/// Never satisfied, always the same answer.
class QuietProbe final : public Probe {
public:
    Evaluation evaluate(std::uint64_t, std::uint32_t) noexcept override { return {Verdict::pending, Pace::distant, 1}; }
};

TEST(WatcherStress, at_a_distant_pace_a_real_dispatcher_looks_at_most_a_thousand_times_a_second) {
    WatcherOnThreads<QuietProbe> on;
    std::uint64_t answer = 0;
    const auto begin = Time::now();
    EXPECT_EQ(on.watcher.block(0, 0, 0, 200'000'000, answer), Status::timed_out);
    ASSERT_TRUE(on.is_idle_in_time());
    const auto elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Time::now() - begin).count();
    EXPECT_GE(elapsed_ms, 200);
    EXPECT_LE(on.watcher.statistics().evaluations, static_cast<std::uint64_t>(elapsed_ms) + 15) << "15: while the pauses grow";
    EXPECT_GE(on.watcher.statistics().evaluations, 1u);
}

/// Hangs on the dispatcher's thread until it is let go.
class HangingProbe final : public Probe {
public:
    std::atomic<bool> is_hanging{false};
    std::atomic<bool> may_go{false};
    const std::thread::id test = std::this_thread::get_id();
    Evaluation evaluate(std::uint64_t, std::uint32_t) noexcept override {
        if (std::this_thread::get_id() != test) {
            is_hanging.store(true);
            while (!may_go.load()) {
                std::this_thread::yield();
            }
        }
        return {Verdict::pending, Pace::distant, 1};
    }
};

TEST(WatcherStress, neither_begin_nor_cancel_nor_a_time_out_waits_for_an_evaluation_that_hangs) {
    WatcherOnThreads<HangingProbe> on;
    Ticket ticket;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t answer = 0;
    ASSERT_EQ(on.watcher.begin(1, 0, 0, &ticket, first, answer), Status::ok);
    EXPECT_TRUE(reached([&] { return on.probe.is_hanging.load(); }));
    EXPECT_EQ(on.watcher.begin(2, 0, 0, &ticket, second, answer), Status::ok);
    EXPECT_EQ(on.watcher.block(3, 0, 0, 1'000'000, answer), Status::timed_out);
    EXPECT_EQ(on.watcher.cancel(first), Status::ok);
    EXPECT_EQ(on.watcher.cancel(second), Status::ok);
    EXPECT_EQ(on.watcher.statistics().evaluations, 0u) << "and it hangs still";
    on.probe.may_go.store(true);
    ASSERT_TRUE(on.is_idle_in_time());
    EXPECT_EQ(ticket.called_back.load(), 0);
}

constinit Watcher global_watcher;  // as the library has one: no code at start or exit

TEST(WatcherStress, a_global_watcher_with_the_process_own_resources_works) {
    static FlagProbe probe;
    static SystemClock clock;
    global_watcher.configure(probe, clock, nullptr);
    std::thread setter([] {
        EXPECT_TRUE(reached([] { return global_watcher.statistics().waits_pending == 1; }));
        probe.holds[1].store(true);
    });
    std::uint64_t answer = 0;
    EXPECT_EQ(global_watcher.block(1, 0, 0, kNoTimeLimit, answer), Status::ok);
    setter.join();
    EXPECT_TRUE(reached([] { return !global_watcher.statistics().is_dispatcher_running; }));
}

}  // namespace
}  // namespace tierup::watch
