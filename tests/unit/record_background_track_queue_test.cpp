// What     The background track with the runtime's queue before its eyes.
// What not A real queue: the runtime matrix.
// Threads  One; the fake appends in the middle of a walk as another thread would.
// Failure  As GoogleTest has it; the fake fails a test that reads a node which was taken out.
#include <random>
#include <set>

#include "record_track_fixture.h"

namespace tierup::record {
namespace {

class BackgroundTrackQueue : public BackgroundTrackTest {
protected:
    void SetUp() override { track_->set_queue_reader(&queue_); }
};

TEST_F(BackgroundTrackQueue, each_one_that_waits_is_queued_in_its_order_with_tier_and_version) {
    queue_.append(1, Tier::tier0_instrumented);
    queue_.append(2, Tier::tier1);
    begin();
    ASSERT_EQ(sink_.events.size(), 2u);
    EXPECT_EQ(sink_.events[0].tier, Tier::tier0_instrumented);
    EXPECT_EQ(sink_.events[0].node, 50'000u);
    EXPECT_EQ(sink_.events[1].tier, Tier::tier1);
    EXPECT_EQ(told(), "Q1 Q2");
    queue_.remove_first();
    const Promotion promotion = start(1);
    EXPECT_EQ(promotion.tier, Tier::tier0_instrumented) << "a JIT start knows its tier";
    EXPECT_EQ(promotion.version, Address(50'000));
    load(1, Tier::tier0_instrumented);
    queue_.remove_first();
    start(2);
    EXPECT_EQ(sink_.events.at(0).node, 50'000u);
    load(2);
    end();
    EXPECT_EQ(told(), "A1 A2");
}

TEST_F(BackgroundTrackQueue, the_first_of_a_batch_was_taken_out_unseen_and_is_queued_before_the_others) {
    begin();
    queue_.append(1, Tier::tier1);  // CompleteCallCounting, and then the dequeue, without an event between
    queue_.append(2, Tier::tier1);
    queue_.append(3, Tier::tier1);
    queue_.remove_first();
    load(1);
    EXPECT_EQ(told(), "Q1 Q2 Q3");
    queue_.remove_first();
    load(2);
    queue_.remove_first();
    load(3);
    end();
    EXPECT_EQ(told(), "A1 A2 A3");
}

TEST_F(BackgroundTrackQueue, a_step_costs_a_few_reads_however_long_the_queue_is) {
    for (std::uint64_t method = 1; method <= 3'000; ++method) {
        queue_.append(method, Tier::tier1);
    }
    begin();
    EXPECT_EQ(sink_.events.size(), 3'000u);
    queue_.reads = 0;
    for (std::uint64_t method = 1; method <= 100; ++method) {
        queue_.remove_first();
        start(method);
        load(method);
    }
    EXPECT_LE(queue_.reads, 2u * 2 * 100) << "the head and the last known one at each of 200 steps";
}

TEST_F(BackgroundTrackQueue, a_queue_longer_than_the_ring_is_told_as_room_comes) {
    for (std::uint64_t method = 1; method <= kMaxKnown + 2; ++method) {
        queue_.append(method, Tier::tier1);
    }
    begin();
    EXPECT_EQ(sink_.events.size(), kMaxKnown);
    told();
    queue_.remove_first();
    load(1);
    EXPECT_EQ(told(), "Q4097");
    queue_.remove_first();
    load(2);
    EXPECT_EQ(told(), "A1 Q4098");
}

TEST_F(BackgroundTrackQueue, a_compilation_that_failed_in_silence_is_discarded_when_a_later_one_is_seen) {
    for (std::uint64_t method = 1; method <= 4; ++method) {
        queue_.append(method, Tier::tier1);
    }
    begin();
    told();
    queue_.remove_first();  // 1 and 2 fail: at level 4 nothing is said
    queue_.remove_first();
    queue_.remove_first();
    load(3);
    EXPECT_EQ(told(), "D1 D2");
    queue_.remove_first();  // so does 4, the last one
    end();
    EXPECT_EQ(told(), "A3 D4");
}

TEST_F(BackgroundTrackQueue, one_that_is_being_compiled_is_not_discarded_by_what_is_compiled_inside) {
    queue_.append(1, Tier::tier1);
    queue_.append(2, Tier::tier1);
    begin();
    told();
    queue_.remove_first();
    EXPECT_FALSE(load(77, Tier::tier0).is_background);
    EXPECT_FALSE(load(78, Tier::min_opt).is_background);
    EXPECT_EQ(told(), "");
    EXPECT_TRUE(load(1).is_background);
    EXPECT_EQ(told(), "");
    end();
    EXPECT_EQ(told(), "A1");
}

TEST_F(BackgroundTrackQueue, a_node_in_the_memory_of_an_old_one_is_a_new_one) {
    queue_.append(1, Tier::tier1);
    begin();
    EXPECT_EQ(told(), "Q1");
    queue_.remove_first();          // fails in silence
    queue_.append(2, Tier::tier1);  // the same address
    end();
    EXPECT_EQ(told(), "Q2 D1");
}

TEST_F(BackgroundTrackQueue, min_opt_code_is_discarded_with_the_tier_that_was_asked_for) {
    queue_.append(1, Tier::tier1);
    begin();
    queue_.remove_first();
    load(1, Tier::min_opt);
    end();
    EXPECT_EQ(sink_.events.back().tier, Tier::tier1);
    EXPECT_EQ(told(), "Q1 D1");
}

TEST_F(BackgroundTrackQueue, when_the_queue_can_not_be_read_any_longer_nothing_is_queued_twice) {
    queue_.append(1, Tier::tier1);
    queue_.append(2, Tier::tier1);
    begin();
    EXPECT_EQ(told(), "Q1 Q2");
    queue_.is_readable = false;
    load(1);
    load(2);
    load(3);
    track_->set_queue_reader(nullptr);
    load(4);
    end();
    EXPECT_EQ(told(), "A1 A2 Q3 A3 Q4 A4");
}

TEST_F(BackgroundTrackQueue, after_a_gap_what_has_left_the_queue_is_forgotten_and_what_waits_is_not_queued_again) {
    for (std::uint64_t method = 1; method <= 4; ++method) {
        queue_.append(method, Tier::tier1);
    }
    begin();
    told();
    track_->request_restart();
    queue_.remove_first();
    queue_.remove_first();
    queue_.remove_first();
    load(3);
    queue_.remove_first();
    load(4);
    end();
    EXPECT_EQ(told(), "A3 A4");
}

TEST_F(BackgroundTrackQueue, a_node_appended_during_the_walk_is_queued_at_the_next_step) {
    queue_.append(1, Tier::tier1);
    begin();
    told();
    queue_.append(2, Tier::tier1);
    std::uint64_t next = 3;
    queue_.on_read = [&] {
        if (next <= 10) {
            queue_.append(next++, Tier::tier1);
        }
    };
    end();
    std::string seen = told();
    queue_.on_read = {};
    begin();
    const std::string rest = told();
    seen += rest.empty() ? "" : " " + rest;
    EXPECT_EQ(seen, "Q2 Q3 Q4 Q5 Q6 Q7 Q8 Q9 Q10");
}

/// The worker as DoBackgroundWork has it, with appends at random moments, failures, compilations inside compilations and both event levels.
TEST_F(BackgroundTrackQueue, in_random_histories_each_promotion_is_queued_once_before_all_else_and_ends_once) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        std::minstd_rand random(seed);
        sink_.events.clear();
        track_ = std::make_unique<BackgroundTrack>(sink_);
        FakeQueue queue;
        track_->set_queue_reader(&queue);
        const bool has_starts = seed % 2 == 0;
        std::uint64_t appended = 0;
        std::uint64_t taken = 0;
        std::set<std::uint64_t> begun;
        std::set<std::uint64_t> failed;
        const auto append_some = [&] {
            for (auto n = random() % 4; n != 0 && appended < 300; --n) {
                queue.append(++appended, Tier::tier1);
            }
        };
        std::map<std::uint64_t, std::string> lives;
        const auto check_queued = [&](std::uint64_t method) {
            for (const TieringEvent& event : sink_.events) {
                const bool is_queued = event.kind == TieringEventKind::queued;
                lives[event.method] += is_queued ? 'Q' : event.kind == TieringEventKind::activated ? 'A' : 'D';
            }
            sink_.events.clear();
            EXPECT_EQ(lives[method], method == 0 ? "" : "Q") << "method " << method;
        };
        while (taken < 300) {
            append_some();
            begin();
            for (auto n = random() % 5; n != 0 && (append_some(), taken < appended); --n) {
                queue.remove_first();
                const std::uint64_t method = ++taken;
                if (has_starts) {
                    EXPECT_TRUE(start(method).is_background);
                    check_queued(method);
                }
                append_some();
                if (random() % 3 == 0) {
                    EXPECT_FALSE(load(10'000 + method, Tier::tier0).is_background);
                }
                if (random() % 10 == 0) {
                    failed.insert(method);
                    break;  // the fake ends the batch, so that the failure of an unseen one has a witness
                }
                EXPECT_TRUE(load(method).is_background);
                check_queued(method);
            }
            end();
        }
        check_queued(0);
        for (std::uint64_t method = 1; method <= taken; ++method) {
            const bool was_never_seen = failed.contains(method) && lives[method].empty();
            EXPECT_TRUE(was_never_seen || lives[method] == (failed.contains(method) ? "QD" : "QA")) << method << " " << lives[method];
            EXPECT_FALSE(was_never_seen && has_starts);
        }
    }
}

}  // namespace
}  // namespace tierup::record
