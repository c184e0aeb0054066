// What     The exported functions about signals, pending compilations and event streams: argument checks, then one call into the engine.
// What not No logic of its own.
// Threads  As each function's comment in the header says.
// Failure  Status codes only.
#include <cstddef>
#include <span>

#include "base/tiering_event.h"
#include "capi/running.h"

namespace {

using tierup::Status;
using tierup::TieringEvent;
using tierup::TieringEventKind;
using tierup::capi::engine;
using tierup::capi::fits;
using tierup::capi::to_c;
namespace rt = tierup::runtime;

template <typename A, typename B>
constexpr bool same(A a, B b) {
    return static_cast<unsigned>(a) == static_cast<unsigned>(b);
}
static_assert(same(TIERUP_SIGNALS_NONE, rt::SourceState::none) && same(TIERUP_SIGNALS_ATTACHING, rt::SourceState::attaching) &&
              same(TIERUP_SIGNALS_ATTACHED, rt::SourceState::attached) && same(TIERUP_SIGNALS_FAILED, rt::SourceState::failed) &&
              same(TIERUP_SIGNALS_DISABLED, rt::SourceState::disabled));
static_assert(same(TIERUP_PENDING_THRESHOLD_REACHED, rt::PendingCompilation::State::threshold_reached) &&
              same(TIERUP_PENDING_QUEUED, rt::PendingCompilation::State::queued) &&
              same(TIERUP_PENDING_COMPILING, rt::PendingCompilation::State::compiling));
static_assert(same(TIERUP_EVENT_QUEUED, TieringEventKind::queued) && same(TIERUP_EVENT_JIT_STARTED, TieringEventKind::jit_started) &&
              same(TIERUP_EVENT_PUBLISHED, TieringEventKind::published) && same(TIERUP_EVENT_ACTIVATED, TieringEventKind::activated) &&
              same(TIERUP_EVENT_DISCARDED, TieringEventKind::discarded) && same(TIERUP_EVENT_DELAY_BEGAN, TieringEventKind::delay_began) &&
              same(TIERUP_EVENT_DELAY_ENDED, TieringEventKind::delay_ended) &&
              same(TIERUP_EVENT_BATCH_BEGAN, TieringEventKind::batch_began) &&
              same(TIERUP_EVENT_BATCH_ENDED, TieringEventKind::batch_ended) && same(TIERUP_EVENT_GAP, TieringEventKind::gap));
static_assert(same(TIERUP_EVENT_NAMES_CUT, tierup::kEventNamesCut) && same(TIERUP_EVENT_COUNT_IS_AT_LEAST, tierup::kEventCountIsAtLeast));
static_assert(
    sizeof(tierup_event) == sizeof(TieringEvent) && offsetof(tierup_event, size) == offsetof(TieringEvent, size) &&
    offsetof(tierup_event, kind) == offsetof(TieringEvent, kind) && offsetof(tierup_event, tier) == offsetof(TieringEvent, tier) &&
    offsetof(tierup_event, name_units) == offsetof(TieringEvent, name_units) &&
    offsetof(tierup_event, sequence) == offsetof(TieringEvent, sequence) &&
    offsetof(tierup_event, time_ns) == offsetof(TieringEvent, time_ns) &&
    offsetof(tierup_event, method) == offsetof(TieringEvent, method) && offsetof(tierup_event, module) == offsetof(TieringEvent, module) &&
    offsetof(tierup_event, code) == offsetof(TieringEvent, code) && offsetof(tierup_event, node) == offsetof(TieringEvent, node) &&
    offsetof(tierup_event, code_bytes) == offsetof(TieringEvent, code_bytes) &&
    offsetof(tierup_event, token) == offsetof(TieringEvent, token) && offsetof(tierup_event, thread) == offsetof(TieringEvent, thread) &&
    offsetof(tierup_event, count) == offsetof(TieringEvent, count) && offsetof(tierup_event, jitted) == offsetof(TieringEvent, jitted) &&
    offsetof(tierup_event, flags) == offsetof(TieringEvent, flags));

const char* name_of(std::uint8_t found_by) {
    switch (found_by) {
        case tierup::layout::found_by_pending_list: return "pending list";
        case tierup::layout::found_by_batch_events: return "batch events";
        case tierup::layout::found_by_pending_list | tierup::layout::found_by_batch_events: return "pending list and batch events";
        default: return "";
    }
}

constexpr std::uint64_t kCountKnownBit = std::uint64_t{1} << 32;

void put_pending(void* to, uint32_t index, const rt::PendingCompilation& item) noexcept {
    static_cast<tierup_pending_compilation*>(to)[index] = {.method = item.method.value(),
                                                           .node = item.version.value(),
                                                           .state = static_cast<uint32_t>(item.state),
                                                           .target_tier = static_cast<uint32_t>(item.target_tier)};
}

}  // namespace

int32_t DllGetClassObject(const void* class_id, const void* interface_id, void** object) {
    return tierup::capi::notification_agent().get_class_object(static_cast<const tierup::clr::Guid*>(class_id),
                                                               static_cast<const tierup::clr::Guid*>(interface_id), object);
}

tierup_status tierup_get_signals(tierup_signals* signals) {
    if (!fits(signals)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    const rt::SourceFigures figures = running->hub().figures();
    const rt::ManagerView& manager = running->manager();
    *signals = {.size = sizeof *signals,
                .state = static_cast<uint8_t>(figures.state),
                .loaded_at_startup = figures.was_loaded_at_startup,
                .queue_view = manager.is_located(),
                .batch_known = running->process().can_tell_idle(),
                .method_events_on = figures.method_events != rt::MethodEvents::off,
                .reserved = {},
                .state_reason = figures.reason,
                .queue_view_reason = manager.reason(),
                .found_by = name_of(manager.found_by()),
                .attach_ns = figures.attach_ns,
                .events_received = figures.events_received,
                .method_events_received = figures.method_events_received,
                .sessions_started = figures.sessions_started,
                .manager_address = manager.list_address().value()};
    return TIERUP_OK;
}

tierup_status tierup_signals_request(void) {
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    running->hub().request();
    return TIERUP_OK;
}

tierup_status tierup_signals_offer_probe(uint64_t method) {
    rt::Engine* const running = engine();
    return running == nullptr ? TIERUP_NOT_STARTED : to_c(running->offer_probe(method));
}

uint64_t tierup_pending_count(void) {
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return 1;
    }
    bool is_known = false;
    const uint32_t count = running->pending_count(is_known);
    return count | (is_known ? kCountKnownBit : 0);
}

tierup_status tierup_list_pending(tierup_pending_compilation* items, uint32_t capacity, uint32_t* count) {
    if (count == nullptr || (items == nullptr && capacity != 0)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    *count = 0;
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    return to_c(running->list_pending({.to = items, .capacity = capacity, .put = put_pending}, *count));
}

tierup_status tierup_method_name(uint64_t method, char* buffer, uint32_t capacity, uint32_t* needed) {
    if (needed == nullptr || (buffer == nullptr && capacity != 0)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    *needed = 0;
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    std::size_t bytes = 0;
    const Status status = running->name_method(method, buffer, capacity, bytes);
    *needed = static_cast<uint32_t>(bytes);
    return to_c(status);
}

tierup_status tierup_events_open(const tierup_events_options* options, uint64_t* stream) {
    if (!fits(options) || stream == nullptr) {
        return TIERUP_INVALID_ARGUMENT;
    }
    *stream = 0;
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    return to_c(running->hub().open_stream({.names = options->names != 0, .capacity_bytes = options->capacity_bytes}, *stream));
}

tierup_status tierup_events_read(uint64_t stream, void* buffer, uint32_t capacity, uint32_t* bytes) {
    if (bytes == nullptr || (buffer == nullptr && capacity != 0)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    *bytes = 0;
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    std::size_t read = 0;
    const Status status = running->hub().read_stream(stream, std::span(static_cast<std::byte*>(buffer), capacity), read);
    *bytes = static_cast<uint32_t>(read);
    return to_c(status);
}

tierup_status tierup_events_close(uint64_t stream) {
    rt::Engine* const running = engine();
    return running == nullptr ? TIERUP_NOT_STARTED : to_c(running->hub().close_stream(stream));
}
