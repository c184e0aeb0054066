// What     A watcher with a scripted probe, a fake clock and a thread that the test runs itself.
// What not No expectations but that begin_pending() did begin.
// Threads  One.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "unit/watch_fakes.h"
#include "watch/watcher.h"

namespace tierup::watch::testing {

struct Call {
    std::vector<Status> endings;
    std::function<void()> then;
};

inline void on_wait_ended(void* context, Status status) {
    auto* call = static_cast<Call*>(context);
    call->endings.push_back(status);
    if (call->then) {
        call->then();
    }
}

inline constexpr std::uint64_t kMethod = 7;
inline constexpr std::uint32_t kCondition = 1;

class WatcherTest : public ::testing::Test {
protected:
    WatcherTest() {
        watcher_.configure(probe_, clock_, &on_wait_ended, resources_);
        answer_with(kPendingDistant);
    }

    void answer_with(Evaluation evaluation) {
        probe_.script = [evaluation](std::uint64_t, std::uint32_t) { return evaluation; };
    }

    std::uint64_t begin_pending(Call& call, std::uint64_t subject = kMethod) {
        std::uint64_t id = 0;
        std::uint64_t answer = 0;
        EXPECT_EQ(watcher_.begin(subject, kCondition, 0, &call, id, answer), Status::ok);
        EXPECT_NE(id, 0u);
        return id;
    }

    void expect_idle() {
        const WatcherStatistics statistics = watcher_.statistics();
        EXPECT_FALSE(statistics.is_dispatcher_running);
        EXPECT_EQ(statistics.waits_pending, 0u);
    }

    ScriptedProbe probe_;
    FakeClock clock_;
    FakeResources resources_;
    Watcher watcher_;
    Call call_;
    std::uint64_t id_ = 99;
    std::uint64_t answer_ = 99;
};

}  // namespace tierup::watch::testing
