// What     Delivery: once each, with time and thread, before and during a switch of the level.
#include "agent/event_delivery.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <thread>

#include <gtest/gtest.h>

#include "agent_recorded_sink.h"
#include "os/clock.h"

namespace {

using namespace tierup;
using namespace tierup::testing;
using agent::EventDelivery;

void deliver(EventDelivery& delivery, const FakeRuntime::Event& event) {
    delivery.deliver(event.id, event.version, event.payload.data(), event.payload.size());
}

TEST(EventDelivery, an_event_comes_with_the_time_and_the_kernels_thread_id) {
    EventDelivery delivery;
    RecordingSink sink;
    delivery.set_sink(sink);
    const std::uint64_t before_ns = os::monotonic_now_ns();
    deliver(delivery, pause_event());
    std::uint32_t other_thread = 0;
    std::thread([&] {
        other_thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
        deliver(delivery, load_event(1, 2));
    }).join();
    ASSERT_EQ(sink.entries.size(), 2u);
    EXPECT_GE(sink.entries[0].time_ns, before_ns);
    EXPECT_LE(sink.entries[0].time_ns, sink.entries[1].time_ns);
    EXPECT_LE(sink.entries[1].time_ns, os::monotonic_now_ns());
    EXPECT_EQ(sink.entries[0].thread, static_cast<std::uint32_t>(syscall(SYS_gettid)));
    EXPECT_EQ(sink.entries[1].thread, other_thread);
    EXPECT_EQ(sink.entries[1].event.method, Address(1));
}

TEST(EventDelivery, what_is_no_event_is_counted_and_dropped_and_so_is_all_without_a_sink) {
    EventDelivery delivery;
    deliver(delivery, load_event(new_number(), 2));
    EXPECT_EQ(delivery.events_received(), 1u);
    EXPECT_EQ(delivery.method_events_received(), 1u);
    RecordingSink sink;
    delivery.set_sink(sink);
    deliver(delivery, {146, 0, 0, 0, std::vector<std::uint8_t>(50)});
    deliver(delivery, {143, 1, 0, 0, std::vector<std::uint8_t>(10)});
    delivery.deliver(281, 0, nullptr, 0);
    EXPECT_EQ(delivery.events_received(), 4u);
    EXPECT_EQ(delivery.method_events_received(), 1u);
    EXPECT_TRUE(sink.entries.empty());
}

TEST(EventDelivery, without_a_switch_equal_loads_in_a_row_all_count) {
    EventDelivery delivery;
    RecordingSink sink;
    delivery.set_sink(sink);
    const std::uint64_t method = new_number();
    for (int i = 0; i < 3; ++i) {
        deliver(delivery, load_event(method, 2));  // a DynamicMethod's descriptor and code are used again
    }
    EXPECT_EQ(sink.loads(), 3u);
}

/// Which of the two deliveries lies before the switch, within it, behind it.
TEST(EventDelivery, a_load_that_two_sessions_deliver_during_a_switch_reaches_the_sink_once) {
    for (int first = 0; first < 3; ++first) {
        for (int second = first; second < 3; ++second) {
            if (first == second && first != 1) {
                continue;  // two sessions are on only within
            }
            EventDelivery delivery;
            RecordingSink sink;
            delivery.set_sink(sink);
            const std::uint64_t method = new_number();
            deliver(delivery, load_event(new_number(), 9));
            for (int phase = 0; phase < 3; ++phase) {
                if (phase == 1) {
                    delivery.begin_switch();
                }
                if (phase == 2) {
                    delivery.end_switch();
                }
                for (int i = 0; i < (first == phase) + (second == phase); ++i) {
                    deliver(delivery, load_event(method, 2));
                }
            }
            EXPECT_EQ(sink.loads(), 2u) << first << " " << second;
            deliver(delivery, load_event(method, 2));
            EXPECT_EQ(sink.loads(), 3u) << "the next one after the pair is another event";
        }
    }
}

TEST(EventDelivery, loads_of_other_methods_or_other_code_or_other_threads_are_kept_during_a_switch) {
    EventDelivery delivery;
    RecordingSink sink;
    delivery.set_sink(sink);
    const std::uint64_t one = new_number();
    const std::uint64_t other = new_number();
    delivery.begin_switch();
    deliver(delivery, load_event(one, 2));
    deliver(delivery, load_event(one, 3));
    deliver(delivery, load_event(other, 3));
    std::thread([&] { deliver(delivery, load_event(other, 3)); }).join();
    deliver(delivery, jit_event(other));
    deliver(delivery, jit_event(other));
    delivery.end_switch();
    EXPECT_EQ(sink.loads(), 4u);
    EXPECT_EQ(sink.entries.size(), 6u) << "a JIT start is told by one of the two levels only";
}

}  // namespace
