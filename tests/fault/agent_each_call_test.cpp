// What     Attach and every change of the method events, with the N-th call into the runtime failing, N rising until a clean pass.
// What not The socket: agent_self_attach_test cuts that exchange at every byte.
// Failure  A run in which the failing call was never reached counts as the clean pass; there must be exactly one and it must be the last.
#include <string>

#include <gtest/gtest.h>

#include "agent/notification_agent.h"
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

struct World {
    RecordingSink sink;
    FakeRuntime runtime;
    NotificationAgent agent{[]() noexcept -> AttachOutcome {
        const clr::Hresult hresult = current->runtime.load(current->agent, LoadedBy::attach);
        return hresult < 0 ? AttachOutcome{AttachStep::load, Status::unknown, hresult} : AttachOutcome{AttachStep::done, Status::ok};
    }};

    World() { current = this; }
    static inline World* current = nullptr;
};

/// What must hold after every step, whether it went well or not.
void expect_consistent(World& world) {
    const runtime::SourceFigures figures = world.agent.figures();
    if (figures.state != SourceState::attached) {
        EXPECT_NE(std::string(figures.reason), "") << "a failure says why";
        EXPECT_TRUE(world.runtime.sessions.empty()) << "nothing is left half on";
        EXPECT_EQ(world.agent.set_method_events(MethodEvents::loads), Status::not_started);
        return;
    }
    EXPECT_EQ(std::string(figures.reason), "");
    EXPECT_EQ(world.runtime.jit_sessions(), figures.method_events == MethodEvents::off ? 0u : 1u) << "nothing is left half on";
    const std::uint64_t method = new_number();
    const std::size_t before = world.sink.entries.size();
    world.runtime.fire(jit_event(method));
    world.runtime.fire(load_event(method, method));
    const std::size_t expected = figures.method_events == MethodEvents::off ? 0 : figures.method_events == MethodEvents::loads ? 1 : 2;
    EXPECT_EQ(world.sink.entries.size() - before, expected) << "each event once, and only what was wanted";
}

constexpr MethodEvents kSteps[] = {MethodEvents::loads, MethodEvents::names, MethodEvents::loads,
                                   MethodEvents::off,   MethodEvents::names, MethodEvents::off};

TEST(AgentEachCall, whichever_call_fails_the_state_told_is_the_state_that_is) {
    bool was_reached = true;
    int failing_call = 0;
    int untold = 0;
    constexpr int kCap = 100;
    while (was_reached && ++failing_call < kCap) {
        World world;
        world.agent.set_sink(world.sink);
        world.runtime.failing_call = failing_call;
        bool has_failed = world.agent.attach() != Status::ok;
        expect_consistent(world);
        for (const MethodEvents wanted : kSteps) {
            if (world.agent.figures().state != SourceState::attached) {
                break;
            }
            const MethodEvents before = world.agent.figures().method_events;
            const Status status = world.agent.set_method_events(wanted);
            has_failed = has_failed || status != Status::ok;
            EXPECT_EQ(world.agent.figures().method_events, status == Status::ok ? wanted : before) << "all or as it was";
            expect_consistent(world);
        }
        was_reached = world.runtime.calls >= failing_call;
        EXPECT_TRUE(was_reached || !has_failed) << "a clean pass has no failure: " << failing_call;
        untold += was_reached && !has_failed ? 1 : 0;
    }
    // Interface, mask, compilation session; then 1 start, 2 × (start, stop), stop, start, stop, and behind each "off" a session that has the keywords counted
    // anew (start, stop): 15 calls, the 16th is never made. A failure of the latter costs time only and is not told.
    EXPECT_EQ(failing_call, 16);
    EXPECT_EQ(untold, 4);
}

}  // namespace
