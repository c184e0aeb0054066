// What     Detached threads and the search for a thread by name.
#include "os/thread.h"

#include <atomic>
#include <csignal>
#include <cstring>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "os/futex.h"
#include "os/thread_list.h"

namespace {

using tierup::Status;
using tierup::os::current_thread_id;
using tierup::os::futex_wait;
using tierup::os::futex_wake;
using tierup::os::is_thread_named;
using tierup::os::kNoTimeout_ns;
using tierup::os::kThreadStackBytes;
using tierup::os::start_detached_thread;

/// Static in each test: a detached thread may still look at it when the test is over.
struct Seen {
    char name[16] = {};
    int timer_slack_ns = 0;
    bool are_signals_blocked = false;
    std::size_t stack_bytes = 0;
    std::uint64_t id = 0;
    std::atomic<std::uint32_t> is_done{0};
    std::atomic<std::uint32_t> may_end{1};
};

void wait_until_set(std::atomic<std::uint32_t>& word) {
    while (word.load(std::memory_order_acquire) == 0) {
        ASSERT_EQ(futex_wait(word, 0, kNoTimeout_ns), Status::ok);
    }
}

void set(std::atomic<std::uint32_t>& word) {
    word.store(1, std::memory_order_release);
    futex_wake(word, 1);
}

void look_around(void* context) {
    auto& seen = *static_cast<Seen*>(context);
    prctl(PR_GET_NAME, seen.name, 0, 0, 0);
    seen.timer_slack_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    seen.are_signals_blocked = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGPROF) == 1 &&
                               sigismember(&mask, SIGRTMIN) == 1;
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &seen.stack_bytes);
    pthread_attr_destroy(&attributes);
    seen.id = current_thread_id();
    set(seen.is_done);
    wait_until_set(seen.may_end);
}

TEST(Thread, runs_named_with_signals_blocked_and_fine_timers) {
    static Seen seen;
    ASSERT_EQ(start_detached_thread(look_around, &seen, "tierup-test-name-too-long"), Status::ok);
    wait_until_set(seen.is_done);
    EXPECT_STREQ(seen.name, "tierup-test-nam");  // the kernel's 15 bytes
    EXPECT_EQ(seen.timer_slack_ns, 1);
    EXPECT_TRUE(seen.are_signals_blocked);
    EXPECT_NE(seen.id, current_thread_id());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_EQ(seen.stack_bytes, kThreadStackBytes);
#endif
}

TEST(Thread, leaves_the_callers_signal_mask_as_it_was) {
    sigset_t before;
    sigset_t after;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    static Seen seen;
    ASSERT_EQ(start_detached_thread(look_around, &seen, "tierup-mask"), Status::ok);
    wait_until_set(seen.is_done);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (int signal = 1; signal < 65; ++signal) {
        EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
    }
}

TEST(Thread, refuses_what_it_cannot_start) {
    EXPECT_EQ(start_detached_thread(nullptr, nullptr, "x"), Status::invalid_argument);
    EXPECT_EQ(start_detached_thread(look_around, nullptr, nullptr), Status::invalid_argument);
}

TEST(ThreadList, finds_a_living_thread_by_the_beginning_of_its_name) {
    bool is_found = true;
    ASSERT_EQ(is_thread_named("tierup-find", is_found), Status::ok);
    EXPECT_FALSE(is_found);
    static Seen seen;
    seen.may_end = 0;
    ASSERT_EQ(start_detached_thread(look_around, &seen, "tierup-findme"), Status::ok);
    wait_until_set(seen.is_done);
    ASSERT_EQ(is_thread_named("tierup-find", is_found), Status::ok);
    EXPECT_TRUE(is_found);
    ASSERT_EQ(is_thread_named("tierup-findme", is_found), Status::ok);
    EXPECT_TRUE(is_found);
    ASSERT_EQ(is_thread_named("tierup-findme2", is_found), Status::ok);
    EXPECT_FALSE(is_found);
    ASSERT_EQ(is_thread_named("ierup-find", is_found), Status::ok);
    EXPECT_FALSE(is_found);
    set(seen.may_end);
}

TEST(ThreadList, refuses_prefixes_that_no_kernel_name_can_have) {
    bool is_found = false;
    EXPECT_EQ(is_thread_named(nullptr, is_found), Status::invalid_argument);
    EXPECT_EQ(is_thread_named("", is_found), Status::invalid_argument);
    EXPECT_EQ(is_thread_named("sixteen-bytes-16", is_found), Status::invalid_argument);
    EXPECT_EQ(is_thread_named("fifteen-bytes15", is_found), Status::ok);
}

}  // namespace
