// What     The process-wide judgements over a manager in this process's memory, a real board and a flag that nobody has located.
// Source   The runtime's order of steps: dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#include "runtime/process_view.h"

#include <gtest/gtest.h>

#include <memory>

#include "manager_memory.h"

namespace {

using namespace tierup;
using namespace tierup::runtime;
using namespace tierup::runtime::testing;

class ProcessViewTest : public ::testing::Test {
protected:
    ProcessViewTest() {
        scene_.locate_by_probe();
        scene_.clock.now = 1;  // the thread list is not due: this program has no worker of the runtime's
    }

    /// The delay's list is deleted: its memory is something else.
    void delete_list() { memory_.list_becomes_garbage(); }

    ManagerScene scene_;
    ManagerMemory& memory_ = scene_.memory;
    SignalBoard board_;
    Settings settings_;
    std::unique_ptr<WorkerFlag> flag_ = std::make_unique<WorkerFlag>();
    PendingCompletions completions_;
    ProcessView view_{{scene_.reader, *scene_.view, *flag_, completions_, board_, settings_, scene_.clock}};
};

TEST_F(ProcessViewTest, without_tiering_nothing_is_pending_and_no_delay_waited_for) {
    memory_.delay_holds({kProbe});
    memory_.queue_holds({0});
    settings_.tiered_compilation = false;
    EXPECT_EQ(view_.pending(), Idle::idle);
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, without_call_counting_nothing_is_ever_promoted) {
    settings_.call_counting = false;
    EXPECT_EQ(view_.pending(), Idle::idle);
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, a_delay_of_zero_is_never_waited_for) {
    settings_.call_counting_delay_ms = 0;
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, a_list_is_an_active_delay) {
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    EXPECT_TRUE(view_.is_delay_active());
}

TEST_F(ProcessViewTest, a_delay_that_just_ended_is_not_active_tiering_yet) {
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    memory_.delay_ends();
    EXPECT_EQ(view_.is_tiering_active(), Truth::no) << "the worker has not even told of it";
    board_.on_delay_ended();
    EXPECT_EQ(view_.is_tiering_active(), Truth::no) << "the stubs are being installed";
}

TEST_F(ProcessViewTest, a_deleted_list_shows_that_the_stubs_are_installed) {
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    memory_.delay_ends();
    board_.on_delay_ended();
    delete_list();
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, a_deleted_list_shows_it_without_any_event) {
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    memory_.delay_ends();
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    delete_list();
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, an_older_delays_deleted_list_shows_nothing_about_a_later_delay) {
    memory_.delay_holds({kProbe});
    view_.note_delay();
    memory_.delay_ends();
    board_.on_delay_ended();
    delete_list();
    board_.on_delay_ended();  // another delay, whose list nobody saw
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
}

TEST_F(ProcessViewTest, a_batch_shows_that_the_stubs_are_installed) {
    memory_.delay_holds({kProbe});
    view_.note_delay();
    memory_.delay_ends();
    board_.on_delay_ended();
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
    board_.on_batch_began();
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
    board_.on_batch_ended();
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, a_list_that_was_seen_and_whose_end_was_not_told_is_not_over) {
    board_.on_delay_ended();
    board_.on_batch_began();
    board_.on_batch_ended();
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
    memory_.delay_holds({kProbe});
    view_.note_delay();
    memory_.delay_ends();
    EXPECT_EQ(view_.is_tiering_active(), Truth::no);
}

TEST_F(ProcessViewTest, a_queued_method_is_pending_and_counted) {
    board_.on_batch_ended();
    memory_.queue_holds({0, 1, 2});
    EXPECT_EQ(view_.pending(), Idle::pending);
    EXPECT_EQ(view_.pending_count(Idle::pending), 3u);
    board_.on_batch_began();
    EXPECT_EQ(view_.pending_count(Idle::pending), 4u) << "one more may be with the worker";
}

TEST_F(ProcessViewTest, a_pending_completion_is_pending) {
    board_.on_batch_ended();
    memory_.put(9, std::uint8_t{1});
    EXPECT_EQ(view_.pending(), Idle::pending);
    EXPECT_EQ(view_.pending_count(view_.pending()), 1u);
}

TEST_F(ProcessViewTest, nothing_anywhere_is_idle_once_a_batch_event_was_seen) {
    board_.on_batch_ended();
    EXPECT_EQ(view_.pending(), Idle::idle);
    EXPECT_EQ(view_.pending_by_loads(), Idle::idle);
    EXPECT_EQ(view_.pending_count(Idle::idle), 0u);
}

TEST_F(ProcessViewTest, an_open_batch_is_pending_though_the_queue_is_empty) {
    board_.on_batch_began();
    EXPECT_EQ(view_.pending(), Idle::pending);
    EXPECT_EQ(view_.pending_count(view_.pending()), 1u);
}

TEST_F(ProcessViewTest, an_abandoned_promotion_is_told_by_an_idle_queue) {
    board_.on_batch_began();
    EXPECT_EQ(view_.is_at_work(), Truth::yes);
    board_.on_batch_ended();
    EXPECT_EQ(view_.is_at_work(), Truth::no);
}

TEST_F(ProcessViewTest, a_process_without_a_worker_thread_and_without_work_is_idle_and_active) {
    // This test program has no thread of the runtime's, as a process whose worker has ended.
    scene_.clock.now += kThreadLookIntervalNs;
    EXPECT_EQ(view_.pending(), Idle::idle);
    scene_.clock.now += kThreadLookIntervalNs;
    EXPECT_EQ(view_.is_tiering_active(), Truth::yes);
}

TEST_F(ProcessViewTest, the_thread_list_is_not_read_at_every_question) {
    scene_.clock.now += kThreadLookIntervalNs;
    EXPECT_EQ(view_.pending_by_loads(), Idle::not_known) << "never in cooperative mode";
    EXPECT_EQ(view_.pending(), Idle::idle);
    EXPECT_EQ(view_.pending(), Idle::not_known) << "asked again at once";
    scene_.clock.now += kThreadLookIntervalNs;
    EXPECT_EQ(view_.pending(), Idle::idle);
}

TEST_F(ProcessViewTest, before_the_manager_is_located_a_queue_is_not_known_to_be_empty) {
    ManagerScene other;
    ProcessView view{{other.reader, *other.view, *flag_, completions_, board_, settings_, other.clock}};
    board_.on_batch_ended();
    EXPECT_EQ(view.pending(), Idle::not_known);
    EXPECT_EQ(view.pending_count(Idle::not_known), 1u);
    EXPECT_EQ(view.is_tiering_active(), Truth::not_known);
}

}  // namespace
