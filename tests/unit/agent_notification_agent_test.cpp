// What     The agent against a fake runtime: loading, sessions, levels, shutdown.
#include "agent/notification_agent.h"
#include "os/clock.h"

#include <atomic>
#include <string>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>

#include "agent_recorded_sink.h"

namespace {

using namespace tierup;
using namespace tierup::testing;
using agent::AttachOutcome;
using agent::AttachStep;
using agent::LoadedBy;
using agent::NotificationAgent;
using runtime::MethodEvents;
using runtime::SourceState;

static_assert(std::is_trivially_destructible_v<NotificationAgent>, "nothing of it may run at exit");
constinit NotificationAgent global_agent;  // needs no code at load

AttachOutcome load_into_agent() noexcept;

struct NotificationAgentTest : ::testing::Test {
    NotificationAgentTest() { current = this; }
    ~NotificationAgentTest() override { current = nullptr; }

    static inline NotificationAgentTest* current = nullptr;

    void attach() { ASSERT_EQ(agent.attach(), Status::ok); }
    std::string reason() const { return agent.figures().reason; }

    RecordingSink sink;
    FakeRuntime runtime;
    NotificationAgent agent{load_into_agent};
    AttachOutcome answer{AttachStep::done, Status::ok};
    bool is_loading = true;
    int asked = 0;
};

/// In the place of the socket: the runtime loads us, then answers.
AttachOutcome load_into_agent() noexcept {
    NotificationAgentTest& test = *NotificationAgentTest::current;
    ++test.asked;
    if (test.is_loading) {
        if (const clr::Hresult hresult = test.runtime.load(test.agent, LoadedBy::attach); hresult < 0) {
            return {AttachStep::load, Status::unknown, hresult};
        }
    }
    return test.answer;
}

TEST_F(NotificationAgentTest, attaching_asks_for_events_only_and_turns_on_the_compilation_session) {
    EXPECT_EQ(agent.figures().state, SourceState::none);
    agent.set_sink(sink);
    attach();
    EXPECT_EQ(runtime.mask_low, 0u);
    EXPECT_EQ(runtime.mask_high, 0x80u);  // COR_PRF_HIGH_MONITOR_EVENT_PIPE, corprof.idl
    EXPECT_EQ(runtime.provider, "Microsoft-Windows-DotNETRuntime");
    ASSERT_EQ(runtime.sessions.size(), 1u);
    EXPECT_EQ(runtime.sessions.begin()->second.keywords, 0x1000000000u);
    EXPECT_EQ(runtime.sessions.begin()->second.level, 5u) << "verbose, or the runtime fires no loads";
    EXPECT_EQ(agent.figures().state, SourceState::attached);
    EXPECT_FALSE(agent.figures().was_loaded_at_startup);
    EXPECT_GT(agent.figures().attach_ns, 0u);
    EXPECT_EQ(reason(), "");
    runtime.fire(pause_event());
    EXPECT_EQ(sink.entries.size(), 1u);
    attach();
    EXPECT_EQ(asked, 1) << "attached is attached";
}

TEST_F(NotificationAgentTest, method_events_are_switched_on_and_off_and_come_once_each) {
    agent.set_sink(sink);
    attach();
    runtime.fire(load_event(new_number(), 1));
    EXPECT_EQ(sink.entries.size(), 0u) << "nobody asked";
    ASSERT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok);
    EXPECT_EQ(agent.figures().method_events, MethodEvents::loads);
    runtime.fire(load_event(new_number(), 1));
    runtime.fire(jit_event(1));
    EXPECT_EQ(sink.entries.size(), 1u) << "loads alone";
    ASSERT_EQ(agent.set_method_events(MethodEvents::names), Status::ok);
    runtime.fire(load_event(new_number(), 1));
    runtime.fire(jit_event(2));
    EXPECT_EQ(sink.entries.size(), 3u);
    EXPECT_EQ(runtime.jit_sessions(), 1u);
    ASSERT_EQ(agent.set_method_events(MethodEvents::names), Status::ok);
    EXPECT_EQ(agent.figures().sessions_started, 2u) << "as it was";
    ASSERT_EQ(agent.set_method_events(MethodEvents::off), Status::ok);
    EXPECT_EQ(runtime.jit_sessions(), 0u);
    runtime.fire(load_event(new_number(), 1));
    EXPECT_EQ(sink.entries.size(), 3u);
    EXPECT_EQ(agent.figures().method_events_received, 3u);
    EXPECT_EQ(runtime.sessions.size(), 1u) << "the compilation session stays";
}

TEST_F(NotificationAgentTest, a_switch_of_the_level_neither_misses_nor_doubles_a_load) {
    agent.set_sink(sink);
    attach();
    ASSERT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok);
    std::uint64_t fired = 0;
    const auto fire = [&] {
        ++fired;
        runtime.fire(load_event(new_number(), 1));
    };
    runtime.on_start = fire;
    runtime.on_stop = fire;
    for (const MethodEvents wanted : {MethodEvents::names, MethodEvents::loads, MethodEvents::names}) {
        ASSERT_EQ(agent.set_method_events(wanted), Status::ok);
        fire();
    }
    EXPECT_EQ(sink.loads(), fired);
    EXPECT_EQ(fired, 9u);
}

TEST_F(NotificationAgentTest, before_the_attach_there_are_no_method_events) {
    EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::not_started);
    EXPECT_TRUE(runtime.sessions.empty());
    EXPECT_EQ(runtime.calls, 0);
}

TEST_F(NotificationAgentTest, a_startup_load_counts_as_attached_and_nobody_is_asked) {
    agent.set_sink(sink);
    ASSERT_EQ(runtime.load(agent, LoadedBy::startup_variables), clr::kOk);
    EXPECT_EQ(agent.figures().state, SourceState::attached);
    EXPECT_TRUE(agent.figures().was_loaded_at_startup);
    EXPECT_EQ(runtime.sessions.size(), 1u);
    attach();
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(agent.figures().attach_ns, 0u);
}

TEST_F(NotificationAgentTest, a_startup_load_before_sessions_are_possible_is_completed_by_attach) {
    runtime.failing_call = 3;  // the session; 1 and 2 are the interface and the mask
    ASSERT_EQ(runtime.load(agent, LoadedBy::startup_variables), clr::kOk);
    EXPECT_EQ(agent.figures().state, SourceState::none);
    attach();
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(runtime.sessions.size(), 1u);
}

TEST_F(NotificationAgentTest, a_second_load_of_the_same_copy_is_refused_and_the_first_goes_on) {
    attach();
    FakeRuntime other;
    EXPECT_EQ(other.load(agent, LoadedBy::attach), clr::kProfilerAlreadyActive);
    EXPECT_TRUE(other.sessions.empty());
    EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok);
    EXPECT_EQ(runtime.jit_sessions(), 1u);
}

TEST_F(NotificationAgentTest, two_copies_of_the_library_are_two_profilers) {
    FakeRuntime second_runtime;
    NotificationAgent second([]() noexcept -> AttachOutcome { return {AttachStep::be_called, Status::unknown}; });
    attach();
    ASSERT_EQ(second_runtime.load(second, LoadedBy::startup_variables), clr::kOk);
    EXPECT_EQ(second.set_method_events(MethodEvents::names), Status::ok);
    EXPECT_EQ(agent.figures().method_events, MethodEvents::off);
    EXPECT_EQ(runtime.jit_sessions(), 0u);
}

TEST_F(NotificationAgentTest, a_refusal_is_remembered_with_its_sentence_and_the_runtime_is_asked_once) {
    is_loading = false;
    answer = {AttachStep::load, Status::unknown, clr::kProfilerAlreadyActive};
    EXPECT_EQ(agent.attach(), Status::unknown);
    EXPECT_EQ(agent.figures().state, SourceState::failed);
    EXPECT_NE(reason().find("0x8013136A"), std::string::npos) << reason();
    const char* before = agent.figures().reason;
    EXPECT_EQ(agent.attach(), Status::unknown);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(agent.figures().reason, before);
    EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::not_started);
}

TEST_F(NotificationAgentTest, a_yes_without_a_callback_means_that_another_copy_was_loaded) {
    is_loading = false;
    EXPECT_EQ(agent.attach(), Status::unknown);
    EXPECT_NE(reason().find("another copy"), std::string::npos) << reason();
}

TEST_F(NotificationAgentTest, a_load_that_comes_after_the_time_was_over_is_used_by_the_next_attach) {
    is_loading = false;
    answer = {AttachStep::receive, Status::timed_out};
    EXPECT_EQ(agent.attach(), Status::timed_out);
    ASSERT_EQ(runtime.load(agent, LoadedBy::attach), clr::kOk);
    EXPECT_EQ(agent.figures().state, SourceState::failed);
    attach();
    EXPECT_EQ(agent.figures().state, SourceState::attached);
    EXPECT_EQ(reason(), "");
    EXPECT_EQ(asked, 1);
}

TEST_F(NotificationAgentTest, a_class_that_is_not_ours_is_not_given) {
    constexpr clr::Guid kOther{1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    void* out = &out;
    EXPECT_EQ(global_agent.get_class_object(&kOther, &clr::kIidClassFactory, &out), clr::kClassNotAvailable);
    EXPECT_EQ(out, nullptr);
    EXPECT_EQ(global_agent.get_class_object(nullptr, &clr::kIidClassFactory, &out), clr::kPointer);
    EXPECT_EQ(global_agent.get_class_object(&agent::kClassId, nullptr, &out), clr::kPointer);
    EXPECT_EQ(global_agent.get_class_object(&agent::kClassId, &clr::kIidClassFactory, nullptr), clr::kPointer);
}

TEST_F(NotificationAgentTest, after_shutdown_the_runtime_is_not_called_any_more) {
    attach();
    ASSERT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok);
    runtime.shut_down();
    const int calls = runtime.calls;
    EXPECT_EQ(agent.set_method_events(MethodEvents::off), Status::not_started);
    EXPECT_EQ(agent.set_method_events(MethodEvents::names), Status::not_started);
    EXPECT_EQ(runtime.calls, calls);
    agent.set_sink(sink);
    runtime.fire(load_event(new_number(), 1));
    EXPECT_EQ(sink.entries.size(), 1u) << "methods are still compiled while the runtime ends";
}

TEST_F(NotificationAgentTest, shutdown_before_attach_makes_the_attach_fail) {
    ASSERT_EQ(runtime.load(agent, LoadedBy::attach), clr::kOk);
    runtime.shut_down();
    const int calls = runtime.calls;
    EXPECT_EQ(agent.attach(), Status::not_started);
    EXPECT_EQ(agent.figures().state, SourceState::failed);
    EXPECT_EQ(runtime.calls, calls);
}

TEST_F(NotificationAgentTest, shutdown_waits_for_the_call_under_way_and_no_later_one_is_made) {
    attach();
    std::atomic<bool> is_inside = false;
    std::atomic<bool> is_shutting_down = false;
    std::atomic<bool> has_left = false;
    runtime.on_start = [&] {
        is_inside = true;
        while (!is_shutting_down) {
            std::this_thread::yield();
        }
        for (int i = 0; i < 100; ++i) {
            std::this_thread::yield();  // gives Shutdown the chance to return too early
        }
        has_left = true;
    };
    std::thread engine([&] { EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok); });
    while (!is_inside) {
        std::this_thread::yield();
    }
    is_shutting_down = true;
    const std::uint64_t began_ns = tierup::os::monotonic_now_ns();
    runtime.shut_down();
    EXPECT_TRUE(has_left || tierup::os::monotonic_now_ns() - began_ns >= tierup::agent::kShutdownPatience_ns)
        << "it returns before the call only when its patience ends";
    engine.join();
    EXPECT_EQ(agent.set_method_events(MethodEvents::off), Status::not_started);
}

TEST_F(NotificationAgentTest, a_call_that_never_ends_does_not_hold_shutdown_up_for_ever) {
    attach();
    std::atomic<bool> is_inside = false;
    std::atomic<bool> may_end = false;
    runtime.on_start = [&] {
        is_inside = true;
        while (!may_end) {
            std::this_thread::yield();
        }
    };
    std::thread engine([&] { EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::ok); });
    while (!is_inside) {
        std::this_thread::yield();
    }
    runtime.shut_down();  // returns
    may_end = true;
    engine.join();
}

TEST_F(NotificationAgentTest, a_detach_says_so) {
    attach();
    runtime.detach();
    EXPECT_EQ(agent.figures().state, SourceState::failed);
    EXPECT_NE(reason().find("detached"), std::string::npos);
    EXPECT_EQ(agent.set_method_events(MethodEvents::loads), Status::not_started);
}

}  // namespace
