// What     The futex, the mutex and the clock.
#include "os/futex.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "os/clock.h"
#include "os/mutex.h"

namespace {

using tierup::Status;
using tierup::os::futex_wait;
using tierup::os::futex_wake;
using tierup::os::kNoTimeout_ns;
using tierup::os::LockGuard;
using tierup::os::monotonic_now_ns;
using tierup::os::Mutex;

constexpr std::uint64_t kLong_ns = 60'000'000'000;

TEST(Futex, a_word_that_has_changed_already_does_not_sleep) {
    const std::atomic<std::uint32_t> word{1};
    EXPECT_EQ(futex_wait(word, 0, kLong_ns), Status::ok);
}

TEST(Futex, a_wait_ends_with_its_timeout_and_not_before) {
    const std::atomic<std::uint32_t> word{0};
    const std::uint64_t start = monotonic_now_ns();
    Status status = Status::ok;
    while (status == Status::ok) {  // a spurious return is allowed
        status = futex_wait(word, 0, 2'000'000);
    }
    EXPECT_EQ(status, Status::timed_out);
    EXPECT_GE(monotonic_now_ns() - start, 2'000'000u);
}

TEST(Futex, a_timeout_of_zero_returns_at_once) {
    const std::atomic<std::uint32_t> word{0};
    EXPECT_EQ(futex_wait(word, 0, 0), Status::timed_out);
}

TEST(Futex, a_store_and_a_wake_end_a_wait_without_limit) {
    std::atomic<std::uint32_t> word{0};
    std::atomic<bool> is_woken{false};
    std::thread waiter([&] {
        while (word.load(std::memory_order_acquire) == 0) {
            EXPECT_EQ(futex_wait(word, 0, kNoTimeout_ns), Status::ok);
        }
        is_woken = true;
    });
    word.store(1, std::memory_order_release);
    futex_wake(word, 1);
    waiter.join();
    EXPECT_TRUE(is_woken);
}

TEST(Futex, ping_pong_loses_no_wake_up) {
    std::atomic<std::uint32_t> word{0};
    constexpr std::uint32_t kRounds = 2000;
    const auto play = [&word](std::uint32_t parity) {
        for (;;) {
            const std::uint32_t value = word.load(std::memory_order_acquire);
            if (value >= kRounds) {
                return;
            }
            if (value % 2 != parity) {
                ASSERT_EQ(futex_wait(word, value, kLong_ns), Status::ok);
                continue;
            }
            word.store(value + 1, std::memory_order_release);
            futex_wake(word, 1);
        }
    };
    std::thread other(play, 1u);
    play(0);
    other.join();
    EXPECT_EQ(word, kRounds);
}

TEST(Futex, one_wake_of_many_wakes_all) {
    std::atomic<std::uint32_t> word{0};
    std::vector<std::thread> waiters;
    for (int i = 0; i < 4; ++i) {
        waiters.emplace_back([&] {
            while (word.load(std::memory_order_acquire) == 0) {
                EXPECT_EQ(futex_wait(word, 0, kNoTimeout_ns), Status::ok);
            }
        });
    }
    word.store(1, std::memory_order_release);
    futex_wake(word, INT32_MAX);
    for (std::thread& waiter : waiters) {
        waiter.join();
    }
}

TEST(Mutex, keeps_two_threads_out_of_each_others_section) {
    Mutex mutex;
    int count = 0;
    const auto work = [&] {
        for (int i = 0; i < 20'000; ++i) {
            LockGuard guard(mutex);
            ++count;
        }
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(count, 40'000);
}

TEST(Mutex, a_held_mutex_is_not_taken_by_a_try) {
    Mutex mutex;
    ASSERT_TRUE(mutex.try_lock());
    std::thread other([&] { EXPECT_FALSE(mutex.try_lock()); });
    other.join();
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
}

TEST(Clock, does_not_go_back) {
    std::uint64_t last = monotonic_now_ns();
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t now = monotonic_now_ns();
        ASSERT_GE(now, last);
        last = now;
    }
}

}  // namespace
