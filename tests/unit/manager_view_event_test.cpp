// What     The tiering manager's view and the runtime's events: electing by them, agreeing or not with the pending list, equations that they check.
#include <string>

#include <gtest/gtest.h>

#include "manager_memory.h"
#include "runtime/manager_view.h"

namespace {

using namespace tierup;
using namespace tierup::runtime;
using namespace tierup::runtime::testing;
using clr::RuntimeEvent;
using clr::RuntimeEventKind;

constexpr std::uint32_t kWorker = 100;
constexpr std::uint32_t kOther = 101;

class ManagerViewEventTest : public ::testing::TestWithParam<Form> {
protected:
    void event(RuntimeEventKind kind, std::uint32_t count = 0, std::uint32_t thread = kWorker) {
        RuntimeEvent event;
        event.kind = kind;
        event.method_count = count;
        view_.on_event(event, thread);
    }
    /// As three methods that reached their threshold together are worked off (seen on 8.0.34, 9.0.23, 10.0.15 and 11.0.0).
    void batch_of_three(std::uint32_t loading_thread = kWorker) {
        memory_.put(9, std::uint8_t{1});
        event(RuntimeEventKind::batch_began, 3);
        memory_.put(9, std::uint8_t{0});
        memory_.queue_holds({1, 2});
        event(RuntimeEventKind::method_loaded, 0, loading_thread);
        memory_.queue_holds({2});
        event(RuntimeEventKind::method_loaded, 0, loading_thread);
        memory_.queue_holds({});
        event(RuntimeEventKind::method_loaded, 0, loading_thread);
        event(RuntimeEventKind::batch_ended, 0);
    }

    ManagerScene scene_{GetParam()};
    ManagerMemory& memory_ = scene_.memory;
    ManagerView& view_ = *scene_.view;
    ManagerSnapshot snapshot_;
};

TEST_P(ManagerViewEventTest, one_batch_of_three_methods_locates_it) {
    EXPECT_EQ(view_.vote(), Status::not_started);
    batch_of_three();
    EXPECT_FALSE(view_.is_located()) << "nothing is judged in a callback";
    EXPECT_EQ(view_.vote(), Status::ok);
    EXPECT_EQ(view_.list_address(), memory_.list_at());
    EXPECT_EQ(view_.found_by(), layout::found_by_batch_events);
    EXPECT_FALSE(view_.wants_samples());
    EXPECT_EQ(view_.vote(), Status::ok);
    ASSERT_TRUE(view_.read(snapshot_));
    memory_.queue_holds({4, 5});
    ASSERT_TRUE(view_.read(snapshot_));
    EXPECT_EQ(snapshot_.queued_count, 2u);
}

TEST_P(ManagerViewEventTest, both_ways_find_the_same_and_say_so) {
    scene_.locate_by_probe();
    EXPECT_TRUE(view_.wants_samples()) << "until the events agreed";
    batch_of_three();
    EXPECT_EQ(view_.vote(), Status::ok);
    EXPECT_EQ(view_.found_by(), layout::found_by_batch_events | layout::found_by_pending_list);
    EXPECT_FALSE(view_.wants_samples());
}

TEST_P(ManagerViewEventTest, the_probe_after_the_events_agrees_too) {
    batch_of_three();
    ASSERT_EQ(view_.vote(), Status::ok);
    scene_.locate_by_probe();
    EXPECT_EQ(view_.found_by(), layout::found_by_batch_events | layout::found_by_pending_list);
    EXPECT_TRUE(view_.is_located());
}

TEST_P(ManagerViewEventTest, a_disagreement_poisons_the_layout_for_good) {
    scene_.locate_by_probe();
    memory_.move_to(0x1800);
    batch_of_three();
    EXPECT_EQ(view_.vote(), Status::unsupported);
    EXPECT_FALSE(view_.is_located());
    EXPECT_NE(std::string(view_.reason()).find("different places"), std::string::npos) << view_.reason();
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::unsupported);
    EXPECT_FALSE(view_.read(snapshot_));
}

TEST_P(ManagerViewEventTest, a_disagreement_the_other_way_round_poisons_it_too) {
    batch_of_three();
    ASSERT_EQ(view_.vote(), Status::ok);
    memory_.move_to(0x1800);
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::unsupported);
    EXPECT_FALSE(view_.is_located());
    EXPECT_NE(std::string(view_.reason()).find("different places"), std::string::npos) << view_.reason();
}

TEST_P(ManagerViewEventTest, loads_on_other_threads_are_no_samples) {
    batch_of_three(kOther);
    EXPECT_EQ(view_.vote(), Status::not_started);
}

TEST_P(ManagerViewEventTest, events_before_the_app_domain_is_known_are_no_samples) {
    ManagerView view(scene_.reader, *scene_.data_access, scene_.clock);
    RuntimeEvent batch;
    batch.kind = RuntimeEventKind::batch_began;
    memory_.queue_holds({1, 2});
    batch.method_count = 2;
    for (int i = 0; i < 5; ++i) {
        view.on_event(batch, kWorker);
    }
    EXPECT_EQ(view.vote(), Status::not_started);
    view.set_app_domain(memory_.app_domain());
    EXPECT_EQ(view.vote(), Status::not_started) << "none was kept";
}

TEST_P(ManagerViewEventTest, more_events_than_there_is_room_for_lose_samples_and_nothing_else) {
    for (int i = 0; i < 50; ++i) {
        event(RuntimeEventKind::batch_ended, 0);
    }
    batch_of_three();
    EXPECT_EQ(view_.vote(), Status::not_started);
    batch_of_three();
    EXPECT_EQ(view_.vote(), Status::ok);
}

TEST_P(ManagerViewEventTest, loads_without_a_queue_behind_them_take_no_room) {
    event(RuntimeEventKind::batch_began, 0);
    for (int i = 0; i < 50; ++i) {
        event(RuntimeEventKind::method_loaded);
    }
    batch_of_three();
    EXPECT_EQ(view_.vote(), Status::ok);
}

TEST_P(ManagerViewEventTest, after_the_probe_the_events_have_a_limited_time_to_agree) {
    scene_.locate_by_probe();
    for (std::uint32_t i = 0; i <= ManagerView::kSamplesToAgree / SampleRing::kSamples; ++i) {
        for (std::size_t k = 0; k < SampleRing::kSamples; ++k) {
            event(RuntimeEventKind::batch_ended, 0);
        }
        (void)view_.vote();
    }
    EXPECT_FALSE(view_.wants_samples());
    EXPECT_TRUE(view_.is_located());
}

TEST_P(ManagerViewEventTest, a_count_above_the_events_disables_the_view_when_it_stays) {
    scene_.locate_by_probe();
    memory_.queue_holds({1, 2});
    for (std::uint32_t i = 1; i < ManagerView::kEventsToConfirm; ++i) {
        event(RuntimeEventKind::batch_ended, 1);
        ASSERT_TRUE(view_.is_located()) << i;
    }
    event(RuntimeEventKind::batch_began, 2);
    for (std::uint32_t i = 1; i < ManagerView::kEventsToConfirm; ++i) {
        event(RuntimeEventKind::batch_ended, 1);
        ASSERT_TRUE(view_.is_located()) << "one that fits forgives those before";
    }
    event(RuntimeEventKind::batch_ended, 1);
    EXPECT_FALSE(view_.is_located());
    EXPECT_NE(std::string(view_.reason()).find("above"), std::string::npos) << view_.reason();
}

TEST_P(ManagerViewEventTest, a_list_that_outlives_its_delay_disables_the_view_when_it_stays) {
    scene_.locate_by_probe();
    memory_.delay_holds({kProbe});
    for (std::uint32_t i = 1; i < ManagerView::kEventsToConfirm; ++i) {
        event(RuntimeEventKind::delay_ended, 1);
        ASSERT_TRUE(view_.is_located()) << i;
    }
    memory_.delay_ends();
    event(RuntimeEventKind::delay_ended, 1);
    memory_.delay_holds({kProbe});
    for (std::uint32_t i = 1; i < ManagerView::kEventsToConfirm; ++i) {
        event(RuntimeEventKind::delay_ended, 1);
        event(RuntimeEventKind::delay_began);
        ASSERT_TRUE(view_.is_located()) << "one that fits forgives those before";
    }
    event(RuntimeEventKind::delay_ended, 1);
    EXPECT_FALSE(view_.is_located());
    EXPECT_NE(std::string(view_.reason()).find("delay"), std::string::npos) << view_.reason();
}

INSTANTIATE_TEST_SUITE_P(EachForm, ManagerViewEventTest, ::testing::ValuesIn(kForms));

}  // namespace
