// What     What the watcher promises where events ring: who is looked at and when, what the owner is told, and callers that serve themselves.
// What not Nothing runs at the same time here: watcher_signals_stress_test.cpp has threads, watcher_model_test.cpp interleavings.
// Threads  One.
// Source   Expected results: issue B, "Wait = register, session on, evaluate, sleep, evaluate on event"; the sentences of watch/demand.h and watch/probe.h.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "unit/watcher_fixture.h"

namespace tierup::watch::testing {
namespace {

/// A probe with a flag and a news number per subject; writes down what is asked.
class NewsProbe final : public Probe {
public:
    std::map<std::uint64_t, Evaluation> state;
    std::map<std::uint64_t, std::uint32_t> numbers;
    std::map<std::uint64_t, int> looks;
    bool counts_news = true;
    std::function<void(std::uint64_t subject)> on_look;
    std::vector<std::string>* log = nullptr;

    Evaluation evaluate(std::uint64_t subject, std::uint32_t) noexcept override {
        ++looks[subject];
        if (log != nullptr) {
            log->push_back("look " + std::to_string(subject));
        }
        if (on_look) {
            on_look(subject);
        }
        const auto found = state.find(subject);
        return found == state.end() ? kPendingDistant : found->second;
    }
    std::uint32_t news(std::uint64_t subject, std::uint32_t) noexcept override {
        return counts_news ? 1 + numbers[subject] : kNewsNotCounted;
    }
    int all_looks() const {
        return std::accumulate(looks.begin(), looks.end(), 0, [](int sum, const auto& entry) { return sum + entry.second; });
    }
};

class LoggingDemand final : public Demand {
public:
    std::vector<std::string> log;
    std::vector<RoundFigures> rounds;
    std::function<void(std::uint32_t)> then;
    void on_conditions(std::uint32_t conditions) noexcept override {
        log.push_back("wanted " + std::to_string(conditions));
        if (then) {
            then(conditions);
        }
    }
    void on_round(const RoundFigures& figures) noexcept override { rounds.push_back(figures); }
};

class WatcherSignalsTest : public ::testing::Test {
protected:
    WatcherSignalsTest() {
        watcher_.configure(probe_, clock_, &on_wait_ended, resources_);
        watcher_.set_signals(true);
    }
    void with_demand() {
        watcher_.set_demand(demand_);
        probe_.log = &demand_.log;
    }
    std::uint64_t begin_pending(Call& call, std::uint64_t subject, std::uint32_t condition = 0) {
        std::uint64_t id = 0;
        std::uint64_t answer = 0;
        EXPECT_EQ(watcher_.begin(subject, condition, 0, &call, id, answer), Status::ok);
        EXPECT_NE(id, 0u);
        return id;
    }
    void tell_news(std::uint64_t subject) {
        ++probe_.numbers[subject];
        watcher_.ring(Urgency::news);
    }
    /// What the world does in the n-th pause, from 1; the last one should end all waits.
    void in_pauses(std::vector<std::function<void()>> acts) {
        clock_.on_wait = [this, acts](auto&) {
            const std::size_t n = clock_.pauses_ns.size();
            if (n <= acts.size() && acts[n - 1]) {
                acts[n - 1]();
            }
            ASSERT_LT(n, 100'000u) << "a wait never ended";
        };
    }
    void end_all() {
        for (auto& [subject, evaluation] : probe_.state) {
            evaluation = kSatisfied;
        }
        watcher_.ring(Urgency::all);
    }

    NewsProbe probe_;
    FakeClock clock_;
    FakeResources resources_;
    LoggingDemand demand_;
    Watcher watcher_;
    Call call_;
    std::uint64_t id_ = 0;
    std::uint64_t answer_ = 0;
};

// Rounds

TEST_F(WatcherSignalsTest, an_event_ends_the_wait_that_it_is_news_for) {
    begin_pending(call_, 1);
    in_pauses({[&] {
        probe_.state[1] = kSatisfied;
        tell_news(1);
    }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_EQ(clock_.pauses_ns.front(), kBackstopNs) << "no polling for what events tell";
    EXPECT_EQ(probe_.looks[1], 3) << "by the caller, at the beginning, and for the event";
}

TEST_F(WatcherSignalsTest, an_event_costs_the_evaluations_of_its_own_waits_only) {
    constexpr std::uint64_t kWaits = 1000;
    for (std::uint64_t i = 1; i <= kWaits; ++i) {
        probe_.state[i] = kPendingDistant;
        begin_pending(call_, i);
    }
    int before = 0;
    in_pauses({[&] {
                   before = probe_.all_looks();
                   probe_.state[5] = kSatisfied;
                   tell_news(5);
               },
               [&] {
                   EXPECT_EQ(probe_.all_looks() - before, 1);
                   EXPECT_EQ(call_.endings.size(), 1u);
                   end_all();
               }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings.size(), kWaits);
}

TEST_F(WatcherSignalsTest, two_waits_for_one_subject_see_the_same_news) {
    Call second;
    begin_pending(call_, 1);
    begin_pending(second, 1);
    in_pauses({[&] {
        probe_.state[1] = kSatisfied;
        tell_news(1);
    }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_EQ(second.endings, std::vector{Status::ok});
    EXPECT_EQ(probe_.looks[1], 6);
}

TEST_F(WatcherSignalsTest, a_ring_for_all_looks_at_everybody) {
    for (std::uint64_t i = 1; i <= 200; ++i) {
        probe_.state[i] = kSatisfied;
        probe_.state[i] = kPendingDistant;
        begin_pending(call_, i);
    }
    in_pauses({[&] { end_all(); }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings.size(), 200u);
}

TEST_F(WatcherSignalsTest, a_wait_whose_news_nobody_counts_is_looked_at_at_every_ring) {
    probe_.counts_news = false;
    begin_pending(call_, 1);
    in_pauses({[&] {
        probe_.state[1] = kSatisfied;
        watcher_.ring(Urgency::news);
    }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_EQ(clock_.pauses_ns.size(), 1u + 1u) << "and the linger";
}

TEST_F(WatcherSignalsTest, news_that_come_while_their_wait_is_evaluated_are_not_lost) {
    begin_pending(call_, 1);
    probe_.on_look = [&](std::uint64_t) {
        if (probe_.looks[1] == 2) {  // the dispatcher has read the old state, say, and now the event comes
            ++probe_.numbers[1];
            watcher_.ring(Urgency::news);
        } else if (probe_.looks[1] == 3) {
            EXPECT_TRUE(clock_.pauses_ns.empty());
            probe_.state[1] = kSatisfied;
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(probe_.looks[1], 3);
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

// Behind an event

TEST_F(WatcherSignalsTest, behind_an_event_its_wait_alone_is_looked_at_on_the_short_backoff_for_a_bounded_time) {
    begin_pending(call_, 1);
    begin_pending(call_, 2);
    probe_.state[1] = probe_.state[2] = kPendingDistant;
    std::uint64_t told_ns = 0;
    clock_.on_wait = [&](auto&) {
        const std::size_t n = clock_.pauses_ns.size();
        if (n == 1) {
            told_ns = clock_.time_ns;
            tell_news(1);
        } else if (clock_.pauses_ns.back() > kImminentPauseNs + 1000 && told_ns != 0) {
            EXPECT_GE(clock_.time_ns - told_ns, kFollowNs - kImminentPauseNs);
            EXPECT_LE(clock_.time_ns - told_ns, kFollowNs + 2 * kImminentPauseNs);
            told_ns = 0;
            end_all();
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_LE(clock_.pauses_ns[1], 20'000u);
    EXPECT_GE(clock_.pauses_ns[1], 19'000u);
    EXPECT_LE(clock_.pauses_ns[2], 30'000u);
    EXPECT_GE(clock_.pauses_ns[2], 29'000u);
    EXPECT_LE(clock_.pauses_ns[3], 45'000u);
    EXPECT_GE(clock_.pauses_ns[3], 44'000u);
    EXPECT_GE(probe_.looks[1], 50) << "10 ms at 200 us";
    EXPECT_LE(probe_.looks[1], 65);
    EXPECT_LE(probe_.looks[2], 5) << "no news for this one";
}

TEST_F(WatcherSignalsTest, a_switch_without_an_event_of_its_own_is_seen_soon_behind_the_event_before_it) {
    begin_pending(call_, 1);
    std::uint64_t switched_ns = 0;
    in_pauses({[&] { tell_news(1); },
               {},
               {},
               [&] {
                   probe_.state[1] = kSatisfied;
                   switched_ns = clock_.time_ns;
               }});
    call_.then = [&] { EXPECT_LE(clock_.time_ns - switched_ns, kImminentPauseNs); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
    EXPECT_NE(switched_ns, 0u);
}

TEST_F(WatcherSignalsTest, a_new_wait_that_is_imminent_is_followed_for_its_event_may_be_gone_by) {
    probe_.state[1] = kPendingImminent;
    begin_pending(call_, 1);
    in_pauses({[&] {
        EXPECT_LE(clock_.pauses_ns[0], kFirstPauseNs);
        probe_.state[1] = kSatisfied;
    }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherSignalsTest, an_event_that_never_comes_costs_a_backstop_and_no_more) {
    begin_pending(call_, 1);
    std::uint64_t held_ns = 0;
    in_pauses({{}, {}, [&] {
                   probe_.state[1] = kSatisfied;
                   held_ns = clock_.time_ns;
               }});
    call_.then = [&] { EXPECT_LE(clock_.time_ns - held_ns, kBackstopNs + 1000); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherSignalsTest, the_backstop_of_ten_thousand_waits_comes_every_50_ms) {
    for (std::uint64_t i = 1; i <= 10'000; ++i) {
        probe_.state[i] = kPendingDistant;
        begin_pending(call_, i);
    }
    in_pauses({{}, {}, [&] { end_all(); }});
    ASSERT_TRUE(resources_.run());
    EXPECT_NEAR(static_cast<double>(clock_.pauses_ns[1]), 50e6, 1e4);
    EXPECT_EQ(call_.endings.size(), 10'000u);
}

TEST_F(WatcherSignalsTest, switching_signals_off_wakes_the_dispatcher_and_has_it_poll) {
    begin_pending(call_, 1);
    in_pauses({[&] { watcher_.set_signals(false); }, {}, {}, [&] { probe_.state[1] = kSatisfied; }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(clock_.woken.size(), 1u);
    EXPECT_EQ((std::vector<std::uint64_t>(clock_.pauses_ns.begin() + 1, clock_.pauses_ns.end())),
              (std::vector<std::uint64_t>{20'000, 30'000, 45'000}));
}

TEST_F(WatcherSignalsTest, ringing_where_nobody_sleeps_makes_no_system_call) {
    watcher_.ring(Urgency::all);
    watcher_.ring(Urgency::news);
    EXPECT_TRUE(clock_.woken.empty());
    EXPECT_EQ(resources_.threads_started, 0);
    Watcher unconfigured;
    unconfigured.ring(Urgency::all);
    unconfigured.set_signals(true);
}

TEST_F(WatcherSignalsTest, many_rings_in_one_pause_wake_once) {
    begin_pending(call_, 1);
    in_pauses({[&] {
        for (int i = 0; i < 100; ++i) {
            tell_news(1);
        }
        EXPECT_EQ(clock_.woken.size(), 1u);
        probe_.state[1] = kSatisfied;
    }});
    ASSERT_TRUE(resources_.run());
}

TEST_F(WatcherSignalsTest, an_event_before_registration_is_seen) {
    begin_pending(call_, 1);  // the caller saw it pending, the event came before it was registered
    probe_.state[1] = kSatisfied;
    call_.then = [&] { EXPECT_TRUE(clock_.pauses_ns.empty()); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherSignalsTest, a_distant_newcomer_is_looked_at_at_once) {
    begin_pending(call_, 1);
    Call newcomer;
    in_pauses({[&] {
                   begin_pending(newcomer, 2);
                   EXPECT_EQ(clock_.woken.size(), 1u);
               },
               [&] {
                   EXPECT_EQ(probe_.looks[2], 2);
                   EXPECT_EQ(probe_.looks[1], 2) << "nothing is new for the other one";
                   probe_.state[1] = probe_.state[2] = kSatisfied;
                   watcher_.ring(Urgency::all);
               }});
    ASSERT_TRUE(resources_.run());
}

// Demand

TEST_F(WatcherSignalsTest, the_owner_is_told_before_the_first_evaluation_and_when_nobody_waits_any_more) {
    with_demand();
    begin_pending(call_, 7, 3);
    demand_.log.clear();  // the caller's own look
    probe_.state[7] = kSatisfied;
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(demand_.log, (std::vector<std::string>{"wanted 8", "look 7", "wanted 0"}));
    ASSERT_EQ(clock_.pauses_ns.size(), 1u);
    EXPECT_LE(clock_.pauses_ns[0], kLingerNs);
    EXPECT_FALSE(watcher_.statistics().is_dispatcher_running);
}

TEST_F(WatcherSignalsTest, an_event_while_events_are_switched_on_is_seen) {
    with_demand();
    begin_pending(call_, 1);
    demand_.then = [&](std::uint32_t conditions) {
        if (conditions != 0) {
            probe_.state[1] = kSatisfied;  // and nothing rings: they were not on yet
        }
    };
    call_.then = [&] { EXPECT_TRUE(clock_.pauses_ns.empty()); };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings, std::vector{Status::ok});
}

TEST_F(WatcherSignalsTest, the_owner_hears_of_each_kind_that_comes_and_goes) {
    with_demand();
    Call second;
    begin_pending(call_, 1, 0);
    probe_.state[1] = probe_.state[2] = kPendingDistant;
    std::uint64_t gone_ns = 0;
    demand_.then = [&](std::uint32_t conditions) {
        if (conditions == 1 && gone_ns != 0) {
            EXPECT_GE(clock_.time_ns - gone_ns, kLingerNs - 1000);
            EXPECT_LE(clock_.time_ns - gone_ns, kLingerNs + 1000);
            gone_ns = 0;
            end_all();
        }
    };
    in_pauses({[&] {
                   demand_.log.clear();
                   id_ = begin_pending(second, 2, 3);
               },
               [&] {
                   EXPECT_EQ(demand_.log, (std::vector<std::string>{"look 2", "wanted 9", "look 2"})) << "the caller, then the dispatcher";
                   demand_.log.clear();
                   gone_ns = clock_.time_ns;
                   EXPECT_EQ(watcher_.cancel(id_), Status::ok);
               }});
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(demand_.log, (std::vector<std::string>{"wanted 1", "look 1", "wanted 0"}));
}

TEST_F(WatcherSignalsTest, a_wait_that_begins_within_the_linger_finds_events_and_thread_still_there) {
    with_demand();
    begin_pending(call_, 1);
    probe_.state[1] = kSatisfied;
    int waits = 1;
    clock_.on_wait = [&](auto&) {
        EXPECT_LE(clock_.pauses_ns.back(), kLingerNs);
        if (waits < 100) {
            probe_.state[1] = kPendingDistant;
            begin_pending(call_, 1);
            probe_.state[1] = kSatisfied;
            ++waits;
        }
    };
    demand_.log.clear();
    probe_.log = nullptr;
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(call_.endings.size(), 100u);
    EXPECT_EQ(resources_.threads_started, 1);
    EXPECT_EQ(demand_.log, (std::vector<std::string>{"wanted 1", "wanted 0"}));
}

TEST_F(WatcherSignalsTest, a_wait_that_begins_while_the_owner_switches_off_has_it_switch_on_again) {
    with_demand();
    probe_.log = nullptr;
    begin_pending(call_, 1);
    probe_.state[1] = kSatisfied;
    bool has_come = false;
    demand_.then = [&](std::uint32_t conditions) {
        if (conditions == 0 && !has_come) {
            has_come = true;
            probe_.state[1] = kPendingDistant;
            begin_pending(call_, 1);
            probe_.state[1] = kSatisfied;
        }
    };
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(demand_.log, (std::vector<std::string>{"wanted 1", "wanted 0", "wanted 1", "wanted 0"}));
    EXPECT_EQ(call_.endings.size(), 2u);
    EXPECT_EQ(resources_.threads_started, 1);
}

TEST_F(WatcherSignalsTest, without_signals_nothing_lingers) {
    with_demand();
    watcher_.set_signals(false);
    begin_pending(call_, 1);
    probe_.state[1] = kSatisfied;
    demand_.log.clear();
    ASSERT_TRUE(resources_.run());
    EXPECT_EQ(demand_.log, (std::vector<std::string>{"wanted 1", "look 1", "wanted 0"}));
    EXPECT_TRUE(clock_.pauses_ns.empty());
}

TEST_F(WatcherSignalsTest, the_owner_gets_the_figures_of_every_round) {
    with_demand();
    begin_pending(call_, 1, 1);
    begin_pending(call_, 2, 1);
    probe_.state[1] = kSatisfied;
    probe_.state[2] = kPendingDistant;
    in_pauses({[&] { end_all(); }});
    ASSERT_TRUE(resources_.run());
    ASSERT_GE(demand_.rounds.size(), 2u);
    EXPECT_EQ(demand_.rounds[0].conditions, 2u);
    EXPECT_EQ(demand_.rounds[0].evaluated, 2u);
    EXPECT_EQ(demand_.rounds[0].ended, 1u);
    EXPECT_EQ(demand_.rounds[0].pending, 1u);
    EXPECT_TRUE(demand_.rounds[0].is_over_all);
    EXPECT_EQ(demand_.rounds[1].evaluated, 1u);
    EXPECT_EQ(demand_.rounds[1].pending, 0u);
}

// Callers that serve themselves

TEST_F(WatcherSignalsTest, a_blocked_caller_evaluates_on_its_own_thread_when_the_bell_rings) {
    in_pauses({[&] {
        probe_.state[1] = kSatisfied;
        tell_news(1);
        EXPECT_EQ(clock_.woken.size(), 1u);
    }});
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
    EXPECT_EQ(answer_, kSatisfied.answer);
    EXPECT_EQ(resources_.threads_started, 0) << "nobody to tell, nothing to dispatch";
    EXPECT_EQ(watcher_.statistics().waits_pending, 0u);
    EXPECT_EQ(watcher_.statistics().waits_ended, 1u);
}

TEST_F(WatcherSignalsTest, a_blocked_caller_in_a_seat_looks_again_after_it_was_registered) {
    probe_.on_look = [&](std::uint64_t) { probe_.state[1] = probe_.looks[1] >= 2 ? kSatisfied : kPendingDistant; };
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
    EXPECT_TRUE(clock_.pauses_ns.empty());
}

TEST_F(WatcherSignalsTest, a_blocked_caller_in_a_seat_misses_no_ring_during_its_look) {
    probe_.on_look = [&](std::uint64_t) {
        if (probe_.looks[1] == 2) {
            tell_news(1);
        } else if (probe_.looks[1] == 3) {
            EXPECT_TRUE(clock_.pauses_ns.empty());
            probe_.state[1] = kSatisfied;
        }
    };
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
}

TEST_F(WatcherSignalsTest, a_blocked_caller_in_a_seat_times_out_and_may_be_told_unknown) {
    EXPECT_EQ(watcher_.block(1, 0, 0, 25'000'000, answer_), Status::timed_out);
    EXPECT_EQ(clock_.pauses_ns.size(), 3u) << "two backstops and the rest";
    in_pauses({{}, {}, {}, [&] { probe_.state[1] = kUndecidable; }});
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::unknown);
    EXPECT_EQ(answer_, kUndecidable.answer);
    EXPECT_EQ(watcher_.statistics().waits_pending, 0u);
}

TEST_F(WatcherSignalsTest, a_guessed_number_does_not_end_a_wait_in_a_seat) {
    in_pauses({[&] {
        EXPECT_EQ(watcher_.cancel(std::uint64_t{1} << 32), Status::absent);
        EXPECT_EQ(watcher_.statistics().waits_pending, 1u);
        probe_.state[1] = kSatisfied;
        tell_news(1);
    }});
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
}

TEST_F(WatcherSignalsTest, a_blocked_caller_in_a_seat_follows_its_event_up_on_the_short_backoff) {
    in_pauses({[&] { tell_news(1); }, {}, {}, [&] { probe_.state[1] = kSatisfied; }});
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
    EXPECT_EQ(clock_.pauses_ns, (std::vector<std::uint64_t>{kBackstopNs, 20'000, 30'000, 45'000}));
}

TEST_F(WatcherSignalsTest, a_seat_is_given_back) {
    for (std::uint32_t i = 0; i < 3 * kSeats; ++i) {
        EXPECT_EQ(watcher_.block(9, 0, 0, 1000, answer_), Status::timed_out);
    }
    EXPECT_EQ(resources_.threads_started, 0) << "each found a seat";
}

TEST_F(WatcherSignalsTest, a_caller_in_a_seat_polls_while_signals_are_off) {
    in_pauses({[&] { watcher_.set_signals(false); }, {}, {}, [&] { probe_.state[1] = kSatisfied; }});
    EXPECT_EQ(watcher_.block(1, 0, 0, kNoTimeLimit, answer_), Status::ok);
    EXPECT_EQ((std::vector<std::uint64_t>(clock_.pauses_ns.begin() + 1, clock_.pauses_ns.end())),
              (std::vector<std::uint64_t>{20'000, 30'000, 45'000}));
}

}  // namespace
}  // namespace tierup::watch::testing
