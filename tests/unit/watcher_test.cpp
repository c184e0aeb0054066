// What     What begin, cancel and spinning promise, on a clock, a probe and a thread that the test runs itself.
// What not Nothing runs at the same time here: watcher_stress_test.cpp has threads, watcher_model_test.cpp interleavings.
// Threads  One.
// Source   Expected results are the sentences of include/tierup/tierup.h at tierup_wait_begin, _cancel and _block.
#include <gtest/gtest.h>

#include <vector>

#include "unit/watcher_fixture.h"

namespace tierup::watch::testing {
namespace {

TEST_F(WatcherTest, a_condition_that_holds_already_begins_nothing) {
    answer_with(kSatisfied);
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 1000, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(id_, 0u);
    EXPECT_EQ(answer_, kSatisfied.answer);
    EXPECT_EQ(probe_.calls, 1u);
    EXPECT_EQ(resources_.threads_started, 0);
    expect_idle();
}

TEST_F(WatcherTest, an_undecidable_state_begins_nothing_and_hands_the_answer_out) {
    answer_with(kUndecidable);
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 1000, &call_, id_, answer_), Status::unknown);
    EXPECT_EQ(id_, 0u);
    EXPECT_EQ(answer_, kUndecidable.answer);
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 1000, 1000, answer_), Status::unknown);
    EXPECT_EQ(resources_.threads_started, 0);
    expect_idle();
}

TEST_F(WatcherTest, the_probe_is_asked_about_the_subject_and_condition_of_the_wait) {
    probe_.script = [](std::uint64_t subject, std::uint32_t condition) {
        EXPECT_EQ(subject, 0xfedcba9876543210u);
        EXPECT_EQ(condition, 0x89abcdefu);
        static int calls = 0;
        return ++calls == 1 ? kPendingDistant : kSatisfied;
    };
    EXPECT_EQ(watcher_.begin(0xfedcba9876543210u, 0x89abcdefu, 0, &call_, id_, answer_), Status::ok);
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherTest, a_pending_wait_is_called_back_once_when_the_condition_holds_and_the_thread_ends) {
    begin_pending(call_);
    EXPECT_EQ(resources_.threads_started, 1);
    EXPECT_TRUE(watcher_.statistics().is_dispatcher_running);
    EXPECT_EQ(watcher_.statistics().waits_pending, 1u);
    clock_.on_wait = [this](auto&) { answer_with(kSatisfied); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    expect_idle();
    EXPECT_EQ(watcher_.statistics().waits_ended, 1u);
    EXPECT_EQ(watcher_.statistics().evaluations, 2u);
}

TEST_F(WatcherTest, a_wait_whose_state_becomes_undecidable_is_called_back_with_unknown) {
    begin_pending(call_);
    answer_with(kUndecidable);
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::unknown});
    expect_idle();
}

TEST_F(WatcherTest, a_condition_that_comes_true_before_registration_is_seen) {
    begin_pending(call_);     // the caller saw it pending …
    answer_with(kSatisfied);  // … and from before its registration on it has held
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_TRUE(clock_.pauses_ns.empty()) << "evaluated before the first pause";
}

TEST_F(WatcherTest, a_cancelled_wait_is_neither_evaluated_nor_called_back) {
    const std::uint64_t id = begin_pending(call_);
    EXPECT_EQ(watcher_.cancel(id), Status::ok);
    answer_with(kSatisfied);
    ASSERT_TRUE(resources_.run());
    EXPECT_TRUE(call_.endings.empty());
    EXPECT_EQ(watcher_.statistics().evaluations, 0u);
    expect_idle();
}

TEST_F(WatcherTest, cancelling_is_safe_with_any_number_and_any_number_of_times) {
    const std::uint64_t id = begin_pending(call_);
    for (std::uint64_t stranger : {std::uint64_t{0}, std::uint64_t{1}, id + 1, id + (std::uint64_t{1} << 32), std::uint64_t{UINT64_MAX}}) {
        EXPECT_EQ(watcher_.cancel(stranger), Status::absent) << stranger;
    }
    EXPECT_EQ(watcher_.cancel(id), Status::ok);
    EXPECT_EQ(watcher_.cancel(id), Status::absent);
    begin_pending(call_);  // takes the same slot
    EXPECT_EQ(watcher_.cancel(id), Status::absent);
    EXPECT_EQ(watcher_.statistics().waits_pending, 1u);
}

TEST_F(WatcherTest, a_wait_that_was_called_back_can_not_be_cancelled) {
    const std::uint64_t id = begin_pending(call_);
    answer_with(kSatisfied);
    Status inside = Status::ok;
    call_.then = [&] { inside = watcher_.cancel(id); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(inside, Status::absent);
    EXPECT_EQ(watcher_.cancel(id), Status::absent);
}

TEST_F(WatcherTest, the_id_is_written_before_the_callback_can_run) {
    // The watcher writes it under the lock that the dispatcher takes to find the waiter; the fake starts the thread in between.
    std::uint64_t at_start = 0;
    class Starter final : public Resources {
    public:
        std::uint64_t* id = nullptr;
        std::uint64_t* at_start = nullptr;
        FakeResources inner;
        Status start_thread(void (*entry)(void*), void* argument) noexcept override {
            *at_start = *id;
            return inner.start_thread(entry, argument);
        }
        void* allocate(std::size_t bytes) noexcept override { return inner.allocate(bytes); }
    } starter;
    starter.id = &id_;
    starter.at_start = &at_start;
    Watcher watcher;
    watcher.configure(probe_, clock_, &on_wait_ended, starter);
    EXPECT_EQ(watcher.begin(kMethod, kCondition, 0, &call_, id_, answer_), Status::ok);
    EXPECT_NE(at_start, 0u);
    EXPECT_EQ(at_start, id_);
}

// Spinning

TEST_F(WatcherTest, an_imminent_condition_that_comes_true_within_the_spin_begins_nothing) {
    int calls = 0;
    probe_.script = [&](std::uint64_t, std::uint32_t) { return ++calls < 5 ? kPendingImminent : kSatisfied; };
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 100'000, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(id_, 0u);
    EXPECT_EQ(answer_, kSatisfied.answer);
    EXPECT_EQ(resources_.threads_started, 0);
}

TEST_F(WatcherTest, a_spin_ends_after_its_time) {
    answer_with(kPendingImminent);
    const std::uint64_t before_ns = clock_.time_ns;
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 10'000, &call_, id_, answer_), Status::ok);
    EXPECT_NE(id_, 0u);
    EXPECT_GE(clock_.time_ns - before_ns, 10'000u);
    EXPECT_LE(clock_.time_ns - before_ns, 10'000u + 3 * FakeClock::kNsPerLook);
    EXPECT_GT(probe_.calls, 10u);
}

TEST_F(WatcherTest, a_spin_ends_when_the_state_becomes_distant_or_undecidable) {
    int calls = 0;
    probe_.script = [&](std::uint64_t, std::uint32_t) { return ++calls < 5 ? kPendingImminent : kPendingDistant; };
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, UINT64_MAX, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(answer_, kPendingDistant.answer);
    EXPECT_EQ(calls, 5);
    calls = 0;
    probe_.script = [&](std::uint64_t, std::uint32_t) { return ++calls < 5 ? kPendingImminent : kUndecidable; };
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, UINT64_MAX, &call_, id_, answer_), Status::unknown);
    EXPECT_EQ(calls, 5);
}

TEST_F(WatcherTest, a_distant_condition_is_not_spun_for) {
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 1'000'000, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(probe_.calls, 1u);
}

TEST_F(WatcherTest, nobody_spins_while_many_waits_are_pending) {
    for (std::uint64_t i = 0; i <= kMaxPendingToSpin; ++i) {
        begin_pending(call_);
    }
    answer_with(kPendingImminent);
    const std::uint64_t before = probe_.calls;
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 1'000'000, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(probe_.calls - before, 1u);
}

TEST_F(WatcherTest, nobody_spins_while_another_does) {
    std::uint64_t inner_calls = 0;
    probe_.script = [&](std::uint64_t subject, std::uint32_t) {
        if (subject != kMethod) {
            ++inner_calls;
            return kPendingImminent;
        }
        if (probe_.calls == 2) {  // the outer one spins by now; somebody else comes
            std::uint64_t id = 0;
            std::uint64_t answer = 0;
            EXPECT_EQ(watcher_.begin(kMethod + 1, kCondition, 1'000'000, &call_, id, answer), Status::ok);
            EXPECT_EQ(inner_calls, 1u);
        }
        return kPendingImminent;
    };
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 10'000, &call_, id_, answer_), Status::ok);
    EXPECT_EQ(inner_calls, 1u);
}

// What can't be had

TEST_F(WatcherTest, a_refused_thread_is_said_and_leaves_nothing_behind) {
    resources_.refuses_threads = true;
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 0, &call_, id_, answer_), Status::exhausted);
    EXPECT_EQ(id_, 0u);
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_), Status::exhausted);
    expect_idle();
    EXPECT_EQ(watcher_.statistics().waits_ended, 0u);
    EXPECT_TRUE(clock_.pauses_ns.empty()) << "nobody slept";

    resources_.refuses_threads = false;
    begin_pending(call_);
    answer_with(kSatisfied);
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherTest, refused_memory_is_said_and_leaves_nothing_behind) {
    resources_.refuses_memory = true;
    EXPECT_EQ(watcher_.begin(kMethod, kCondition, 0, &call_, id_, answer_), Status::exhausted);
    EXPECT_EQ(id_, 0u);
    EXPECT_EQ(watcher_.block(kMethod, kCondition, 0, kNoTimeLimit, answer_), Status::exhausted);
    EXPECT_EQ(resources_.threads_started, 0);
    expect_idle();
}

TEST_F(WatcherTest, without_a_callback_only_blocking_waits_work) {
    Watcher watcher;
    watcher.configure(probe_, clock_, nullptr, resources_);
    EXPECT_EQ(watcher.begin(kMethod, kCondition, 0, &call_, id_, answer_), Status::invalid_argument);
    answer_with(kSatisfied);
    EXPECT_EQ(watcher.block(kMethod, kCondition, 0, 0, answer_), Status::ok);
}

TEST_F(WatcherTest, before_configure_every_wait_says_not_started) {
    Watcher watcher;
    EXPECT_EQ(watcher.begin(kMethod, kCondition, 0, &call_, id_, answer_), Status::not_started);
    EXPECT_EQ(watcher.block(kMethod, kCondition, 0, 0, answer_), Status::not_started);
    EXPECT_EQ(watcher.cancel(1), Status::absent);
    EXPECT_FALSE(watcher.statistics().is_dispatcher_running);
}

}  // namespace
}  // namespace tierup::watch::testing
