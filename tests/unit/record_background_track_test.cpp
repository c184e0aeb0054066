// What     The background track without a queue reader: what the events on the worker's thread tell by themselves.
// What not The queue: record_background_track_queue_test.cpp.
// Threads  One.
// Failure  As GoogleTest has it. Orders are those of DoBackgroundWork and OptimizeMethod, dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#include "record_track_fixture.h"

namespace tierup::record {
namespace {

TEST_F(BackgroundTrackTest, a_promotion_is_queued_before_its_load_and_activated_at_the_workers_next_step) {
    begin();
    const Promotion promotion = load(1, Tier::tier1_instrumented);
    EXPECT_TRUE(promotion.is_background);
    EXPECT_EQ(sink_.events.at(0).tier, Tier::tier1_instrumented);
    EXPECT_EQ(told(), "Q1");
    load(2);
    EXPECT_EQ(sink_.events.at(0).tier, Tier::tier1_instrumented);
    EXPECT_EQ(sink_.events.at(0).code, 0xC0DEu);
    EXPECT_EQ(sink_.events.at(0).time_ns, 3u) << "when it was seen";
    EXPECT_EQ(sink_.events.at(0).thread, kWorker);
    EXPECT_EQ(told(), "A1 Q2");
    end();
    EXPECT_EQ(told(), "A2");
    end();
    EXPECT_EQ(told(), "");
}

TEST_F(BackgroundTrackTest, with_jit_starts_it_is_queued_before_the_start_and_only_once) {
    begin();
    EXPECT_TRUE(start(1).is_background);
    EXPECT_EQ(told(), "Q1");
    load(1);
    EXPECT_EQ(told(), "");
    start(2);
    EXPECT_EQ(told(), "A1 Q2");
    load(2);
    end();
    EXPECT_EQ(told(), "A2");
}

TEST_F(BackgroundTrackTest, code_that_the_jit_made_with_min_opts_is_discarded) {
    begin();
    load(1, Tier::min_opt);
    EXPECT_EQ(sink_.events.at(0).tier, Tier::unknown) << "what was asked for is not known";
    EXPECT_EQ(told(), "Q1");
    end();
    EXPECT_EQ(told(), "D1");
}

TEST_F(BackgroundTrackTest, what_other_threads_compile_is_none_of_its_business) {
    begin();
    EXPECT_FALSE(step(StepKind::method_loaded, 1, Tier::tier1, 7).is_background);
    EXPECT_FALSE(step(StepKind::jit_started, 1, Tier::unknown, 7).is_background);
    EXPECT_EQ(told(), "");
}

TEST_F(BackgroundTrackTest, outside_a_batch_the_workers_thread_id_means_nothing) {
    EXPECT_FALSE(load(1).is_background) << "no batch was seen yet";
    begin();
    end();
    EXPECT_FALSE(load(1).is_background) << "the worker may have ended and its id be another thread's";
    step(StepKind::delay_ended);
    EXPECT_FALSE(load(1).is_background);
    EXPECT_EQ(told(), "");
}

TEST_F(BackgroundTrackTest, the_worker_can_be_another_thread_later) {
    begin();
    load(1);
    end();
    told();
    begin(901);
    EXPECT_FALSE(load(2).is_background);
    EXPECT_TRUE(step(StepKind::method_loaded, 3, Tier::tier1, 901).is_background);
    EXPECT_EQ(told(), "Q3");
}

TEST_F(BackgroundTrackTest, a_compilation_inside_a_compilation_is_told_apart) {
    begin();
    start(1);
    EXPECT_FALSE(start(2).is_background);
    EXPECT_FALSE(load(2, Tier::tier0).is_background);
    EXPECT_FALSE(start(3).is_background);
    EXPECT_FALSE(load(3, Tier::min_opt).is_background);
    BackgroundStep dynamic;
    dynamic.kind = StepKind::method_loaded;
    dynamic.tier = Tier::tier1;
    dynamic.is_dynamic = true;
    dynamic.thread = kWorker;
    dynamic.method = Address(4);
    EXPECT_FALSE(track_->on_step(dynamic).is_background);
    EXPECT_TRUE(load(1).is_background);
    end();
    EXPECT_EQ(told(), "Q1 A1");
}

TEST_F(BackgroundTrackTest, a_jit_that_failed_without_a_word_is_discarded_when_the_batch_ends) {
    begin();
    start(1);
    end();
    EXPECT_EQ(told(), "Q1 D1");
}

TEST_F(BackgroundTrackTest, while_nobody_listens_it_follows_the_worker_and_expects_nothing) {
    sink_.is_heard = false;
    begin();
    start(1);
    load(5);
    sink_.is_heard = true;
    load(2);
    EXPECT_EQ(told(), "Q2") << "it knows the worker, and tells no outcome of what nobody heard of";
    sink_.is_heard = false;
    start(3);
    sink_.is_heard = true;
    end();
    EXPECT_EQ(told(), "") << "whoever listens now did not hear of 2";
    begin();
    start(4);
    EXPECT_EQ(told(), "Q4");
    sink_.is_heard = false;
    start(5);
    sink_.is_heard = true;
    end();
    EXPECT_EQ(told(), "") << "nor of 4";
}

TEST_F(BackgroundTrackTest, after_a_restart_a_missing_load_is_not_told_to_be_discarded) {
    begin();
    start(1);
    EXPECT_EQ(told(), "Q1");
    track_->request_restart();
    end();
    EXPECT_EQ(told(), "");
    begin();
    start(2);
    track_->request_restart();
    load(2);
    end();
    EXPECT_EQ(told(), "Q2 A2") << "and nothing is queued twice";
}

}  // namespace
}  // namespace tierup::record
