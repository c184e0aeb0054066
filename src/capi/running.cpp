#include "capi/running.h"

#include <atomic>
#include <new>

namespace tierup::capi {
namespace {

alignas(runtime::Engine) unsigned char engine_storage[sizeof(runtime::Engine)];
constinit std::atomic<runtime::Engine*> running_engine = nullptr;
constinit runtime::SignalHub hub;
constinit agent::NotificationAgent agent_;

}  // namespace

runtime::Engine* engine() noexcept {
    return running_engine.load(std::memory_order_acquire);  // partner: the release store in publish_engine
}

runtime::Engine* make_engine() noexcept {
    agent_.set_sink(hub);
    hub.set_source(agent_);
    return new (engine_storage) runtime::Engine(hub);
}

void publish_engine(runtime::Engine& engine) noexcept {
    running_engine.store(&engine, std::memory_order_release);  // partner: the acquire load in engine()
}

agent::NotificationAgent& notification_agent() noexcept {
    agent_.set_sink(hub);
    return agent_;
}

}  // namespace tierup::capi
