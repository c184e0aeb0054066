// What     What the dispatcher promises: its pauses, its end, its rounds, and callbacks that begin and cancel waits.
// What not Nothing runs at the same time here: watcher_stress_test.cpp has threads, watcher_model_test.cpp interleavings.
// Threads  One.
// Source   Expected results are the sentences of include/tierup/tierup.h at tierup_wait_begin, _cancel and _block.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <vector>

#include "unit/watcher_fixture.h"

namespace tierup::watch::testing {
namespace {

// The dispatcher's pauses

TEST_F(WatcherTest, at_a_distant_pace_the_dispatcher_looks_at_most_a_thousand_times_a_second) {
    begin_pending(call_);
    const std::uint64_t begin_ns = clock_.time_ns;
    clock_.on_wait = [&](auto&) {
        if (clock_.time_ns - begin_ns >= 10'000'000'000) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_GE(watcher_.statistics().evaluations, 9'900u);
    EXPECT_LE(watcher_.statistics().evaluations, 10'000u + 15u);  // 15: while the pauses grow
}

TEST_F(WatcherTest, one_imminent_wait_among_distant_ones_sets_the_pace) {
    begin_pending(call_, 1);
    begin_pending(call_, 2);
    begin_pending(call_, 3);
    probe_.script = [](std::uint64_t subject, std::uint32_t) { return subject == 2 ? kPendingImminent : kPendingDistant; };
    clock_.on_wait = [&](auto&) {
        if (clock_.pauses_ns.size() == 50) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(clock_.pauses_ns.back(), kImminentPauseNs);
}

TEST_F(WatcherTest, a_changed_answer_makes_the_dispatcher_look_soon_again_and_once) {
    begin_pending(call_);
    clock_.on_wait = [&](auto&) {
        if (clock_.pauses_ns.size() == 50) {
            EXPECT_EQ(clock_.pauses_ns.back(), kDistantPauseNs);
            answer_with({Verdict::pending, Pace::distant, 29});
        } else if (clock_.pauses_ns.size() == 52) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(clock_.pauses_ns[50], kFirstPauseNs);
    EXPECT_EQ(clock_.pauses_ns[51], kFirstPauseNs + kFirstPauseNs / 2) << "the new answer is the one to compare with";
}

TEST_F(WatcherTest, an_imminent_newcomer_wakes_a_dispatcher_that_pauses_long) {
    begin_pending(call_, 1);
    Call newcomer;
    clock_.on_wait = [&](auto&) {
        if (clock_.pauses_ns.size() == 50) {
            EXPECT_EQ(clock_.pauses_ns.back(), kDistantPauseNs);
            probe_.script = [](std::uint64_t subject, std::uint32_t) { return subject == 2 ? kPendingImminent : kPendingDistant; };
            begin_pending(newcomer, 2);
        } else if (clock_.pauses_ns.size() == 51) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(clock_.woken.size(), 1u);
    EXPECT_EQ(clock_.pauses_ns[50], kFirstPauseNs);
    EXPECT_EQ(newcomer.endings, std::vector{Status::ok});
    EXPECT_EQ(resources_.threads_started, 1);
}

TEST_F(WatcherTest, a_distant_newcomer_does_not_wake_the_dispatcher) {
    begin_pending(call_, 1);
    clock_.on_wait = [&](auto&) {
        if (clock_.pauses_ns.size() == 50) {
            begin_pending(call_, 2);
        } else if (clock_.pauses_ns.size() == 51) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_TRUE(clock_.woken.empty());
    EXPECT_EQ(clock_.pauses_ns[50], kDistantPauseNs);
    EXPECT_EQ(call_.endings, (std::vector{Status::ok, Status::ok}));
}

TEST_F(WatcherTest, cancelling_the_last_wait_wakes_the_dispatcher_so_that_it_ends) {
    const std::uint64_t first = begin_pending(call_, 1);
    const std::uint64_t second = begin_pending(call_, 2);
    clock_.on_wait = [&](auto&) {
        EXPECT_EQ(watcher_.cancel(first), Status::ok);
        EXPECT_TRUE(clock_.woken.empty()) << "one is left";
        EXPECT_EQ(watcher_.cancel(second), Status::ok);
        EXPECT_EQ(clock_.woken.size(), 1u);
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(clock_.pauses_ns.size(), 1u);
    EXPECT_EQ(watcher_.statistics().evaluations, 2u);
    expect_idle();
}

// Callbacks

TEST_F(WatcherTest, a_callback_may_begin_a_wait_that_the_same_thread_serves) {
    Call second;
    begin_pending(call_, 1);
    probe_.script = [](std::uint64_t subject, std::uint32_t) { return subject == 1 ? kSatisfied : kPendingDistant; };
    call_.then = [&] { begin_pending(second, 2); };
    clock_.on_wait = [&](auto&) { answer_with(kSatisfied); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_EQ(second.endings, std::vector{Status::ok});
    EXPECT_EQ(resources_.threads_started, 1);
    expect_idle();
}

TEST_F(WatcherTest, a_callback_that_begins_a_wait_does_not_spin_on_the_dispatcher_thread) {
    Call second;
    begin_pending(call_, 1);
    std::uint64_t evaluations_of_second = 0;
    probe_.script = [&](std::uint64_t subject, std::uint32_t) {
        evaluations_of_second += subject == 2 ? 1u : 0u;
        return subject == 1 ? kSatisfied : kPendingImminent;
    };
    call_.then = [&] {
        EXPECT_EQ(watcher_.begin(2, kCondition, 1'000'000, &second, id_, answer_), Status::ok);
        EXPECT_EQ(evaluations_of_second, 1u);
    };
    clock_.on_wait = [&](auto&) { answer_with(kSatisfied); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(second.endings, std::vector{Status::ok});
}

TEST_F(WatcherTest, a_callback_may_cancel_a_wait_that_was_found_satisfied_in_the_same_round) {
    Call second;
    begin_pending(call_, 1);
    const std::uint64_t second_id = begin_pending(second, 2);
    answer_with(kSatisfied);
    call_.then = [&] { EXPECT_EQ(watcher_.cancel(second_id), Status::ok); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_TRUE(second.endings.empty());
    expect_idle();
}

TEST_F(WatcherTest, a_wait_cancelled_while_it_is_evaluated_is_not_called_back) {
    const std::uint64_t id = begin_pending(call_);
    probe_.script = [&](std::uint64_t, std::uint32_t) {
        EXPECT_EQ(watcher_.cancel(id), Status::ok);  // would hang here if the lock were held
        return kSatisfied;
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_TRUE(call_.endings.empty());
    expect_idle();
}

TEST_F(WatcherTest, a_wait_cancelled_while_it_is_evaluated_does_not_hand_its_answer_to_the_next_in_its_slot) {
    Call second;
    std::uint64_t second_id = 0;
    const std::uint64_t first_id = begin_pending(call_);
    probe_.script = [&](std::uint64_t subject, std::uint32_t) {
        if (subject == kMethod && second_id == 0) {
            EXPECT_EQ(watcher_.cancel(first_id), Status::ok);
            second_id = begin_pending(second, kMethod + 1);
            return Evaluation{Verdict::pending, Pace::distant, 1000};
        }
        return kPendingDistant;
    };
    clock_.on_wait = [&](auto&) {
        if (clock_.pauses_ns.size() == 3) {
            answer_with(kSatisfied);
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(static_cast<std::uint32_t>(first_id), static_cast<std::uint32_t>(second_id)) << "the slot is used again";
    EXPECT_EQ(clock_.pauses_ns, (std::vector<std::uint64_t>{20'000, 30'000, 45'000})) << "a foreign answer would look like a change";
    EXPECT_EQ(second.endings, std::vector{Status::ok});
}

TEST_F(WatcherTest, callbacks_that_always_begin_another_wait_do_not_starve_the_others) {
    Call patient;
    int begun = 1;
    call_.then = [&] {
        if (++begun <= 1000) {
            begin_pending(call_, 1);
        }
    };
    begin_pending(call_, 1);
    begin_pending(patient, 2);
    std::map<std::uint64_t, int> seen;
    int begun_when_patient_ended = 0;
    patient.then = [&] { begun_when_patient_ended = begun; };
    probe_.script = [&](std::uint64_t subject, std::uint32_t) {
        return ++seen[subject] % 2 == 0 ? kSatisfied : kPendingDistant;  // pending for the one who begins, then satisfied
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings.size(), 1000u);
    EXPECT_EQ(patient.endings, std::vector{Status::ok});
    EXPECT_LE(begun_when_patient_ended, 4);
}

TEST_F(WatcherTest, more_waits_than_a_batch_holds_are_each_evaluated_once_a_round) {
    constexpr std::uint64_t kWaits = 200;
    for (std::uint64_t i = 1; i <= kWaits; ++i) {
        begin_pending(call_, i);
    }
    std::vector<std::uint64_t> order;
    probe_.script = [&](std::uint64_t subject, std::uint32_t) {
        order.push_back(subject);
        return order.size() <= kWaits ? kPendingDistant : kSatisfied;
    };
    ASSERT_TRUE(resources_.run());
    std::vector<std::uint64_t> expected(kWaits);
    std::iota(expected.begin(), expected.end(), 1u);
    const std::vector<std::uint64_t> once = expected;
    expected.insert(expected.end(), once.begin(), once.end());
    EXPECT_EQ(order, expected);
    EXPECT_EQ(call_.endings.size(), kWaits);
    EXPECT_EQ(clock_.pauses_ns, std::vector{kWaits * kPausePerWaiterNs});
}

}  // namespace
}  // namespace tierup::watch::testing
