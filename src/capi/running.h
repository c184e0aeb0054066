// What     The one engine of this copy of the library, its hub and its agent, as the exported functions find them.
// What not No exported function.
// Threads  engine(): any. make_engine, publish_engine: under tierup_start's lock, once.
// Failure  engine() is null before tierup_start has succeeded; the hub and the agent are there from the start.
#pragma once

#include "agent/notification_agent.h"
#include "base/status.h"
#include "runtime/engine.h"
#include "runtime/signal_hub.h"
#include "tierup/tierup.h"

namespace tierup::capi {

[[nodiscard]] runtime::Engine* engine() noexcept;

/// Never destroyed: runtime threads may still be in it at exit.
[[nodiscard]] runtime::Engine* make_engine() noexcept;
void publish_engine(runtime::Engine& engine) noexcept;

/// The runtime may load this library and deliver events before the application starts it.
[[nodiscard]] agent::NotificationAgent& notification_agent() noexcept;

[[nodiscard]] constexpr tierup_status to_c(Status status) noexcept {
    return static_cast<tierup_status>(status);
}

template <typename Struct>
[[nodiscard]] constexpr bool fits(const Struct* to) noexcept {
    return to != nullptr && to->size >= sizeof(Struct);
}

}  // namespace tierup::capi
