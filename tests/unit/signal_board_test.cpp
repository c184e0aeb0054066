// What     The board's epochs and the idle judgement over them, step by step; the interleavings are idle_model_test's.
#include "runtime/signal_board.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/idle.h"

namespace tierup::runtime {
namespace {

TEST(SignalBoard, a_new_board_knows_nothing_of_batches) {
    const SignalBoard board;
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::unknown);
    EXPECT_TRUE(board.may_be_installing());
}

TEST(SignalBoard, a_batch_is_open_between_its_events) {
    SignalBoard board;
    board.on_batch_began();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::open);
    board.on_batch_ended();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::closed);
}

TEST(SignalBoard, a_batch_end_as_the_first_event_closes) {
    SignalBoard board;
    board.on_batch_ended();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::closed);
}

TEST(SignalBoard, a_delay_end_proves_that_no_batch_is_open) {
    SignalBoard board;
    board.on_delay_ended();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::closed);
    EXPECT_EQ(board.delays_ended(), 1u);
}

TEST(SignalBoard, a_delay_begin_proves_nothing_about_the_batch) {
    SignalBoard board;
    board.on_delay_began();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::unknown);
    board.on_batch_began();
    board.on_delay_began();
    EXPECT_EQ(batch_of(board.batch_epoch()), Batch::open);
}

TEST(SignalBoard, every_worker_event_changes_the_epoch) {
    SignalBoard board;
    BatchEpoch last = board.batch_epoch();
    const std::function<void()> events[] = {
        [&] { board.on_batch_began(); }, [&] { board.on_batch_began(); }, [&] { board.on_batch_ended(); }, [&] { board.on_delay_ended(); },
        [&] { board.on_delay_ended(); }, [&] { board.on_batch_began(); }, [&] { board.on_delay_ended(); }};
    for (const auto& event : events) {
        event();
        EXPECT_GT(board.batch_epoch(), last);
        last = board.batch_epoch();
    }
}

TEST(SignalBoard, a_batch_shows_that_the_stubs_of_the_delay_before_it_are_installed) {
    SignalBoard board;
    board.on_delay_ended();
    EXPECT_TRUE(board.may_be_installing());
    board.on_batch_began();
    EXPECT_FALSE(board.may_be_installing());
    board.on_batch_ended();
    EXPECT_FALSE(board.may_be_installing());
    board.on_delay_ended();
    EXPECT_TRUE(board.may_be_installing());
}

/// What stands in the queue, and what happens while it is looked at.
struct Sources {
    SignalBoard& board;
    std::uint32_t queued = 0;
    bool completion = false;
    bool is_known = true;
    std::function<void()> between = [] {};
    mutable int looks = 0;

    BatchEpoch batch_epoch() const noexcept { return board.batch_epoch(); }
    bool queue_is_known() const noexcept { return is_known; }
    std::uint32_t queued_count() const noexcept {
        ++looks;
        between();
        return queued;
    }
    bool completion_is_pending() const noexcept { return completion; }
};

TEST(Idle, is_not_known_without_a_queue_or_before_the_first_batch_event) {
    SignalBoard board;
    EXPECT_EQ(judge_idle(Sources{.board = board, .is_known = false}), Idle::not_known);
    EXPECT_EQ(judge_idle(Sources{.board = board}), Idle::not_known);
}

TEST(Idle, work_in_either_place_is_pending_whatever_is_known_of_batches) {
    SignalBoard board;
    EXPECT_EQ(judge_idle(Sources{.board = board, .queued = 1}), Idle::pending);
    EXPECT_EQ(judge_idle(Sources{.board = board, .completion = true}), Idle::pending);
    board.on_batch_ended();
    EXPECT_EQ(judge_idle(Sources{.board = board, .queued = 1}), Idle::pending);
}

TEST(Idle, an_empty_queue_in_an_open_batch_is_pending) {
    SignalBoard board;
    board.on_batch_began();
    EXPECT_EQ(judge_idle(Sources{.board = board}), Idle::pending);
    board.on_batch_ended();
    EXPECT_EQ(judge_idle(Sources{.board = board}), Idle::idle);
}

TEST(Idle, a_batch_that_came_and_went_between_the_reads_makes_them_be_read_again) {
    SignalBoard board;
    board.on_batch_ended();
    Sources sources{.board = board};
    sources.between = [&] {
        if (sources.looks == 1) {
            board.on_batch_began();
            board.on_batch_ended();
        }
    };
    EXPECT_EQ(judge_idle(sources), Idle::idle);
    EXPECT_EQ(sources.looks, 2);
}

TEST(Idle, what_never_stands_still_is_pending) {
    SignalBoard board;
    board.on_batch_ended();
    Sources sources{.board = board};
    sources.between = [&] {
        board.on_batch_began();
        board.on_batch_ended();
    };
    EXPECT_EQ(judge_idle(sources), Idle::pending);
    EXPECT_EQ(sources.looks, kMaxIdleLooks);
}

}  // namespace
}  // namespace tierup::runtime
