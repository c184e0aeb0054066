// What     The tables of the class factory and of the profiler callbacks, and their functions.
// What not See com_objects.h.
#include "agent/com_objects.h"

#include <algorithm>

namespace tierup::agent {

using clr::Bool32;
using clr::Guid;
using clr::Hresult;

namespace {

// Both objects live as long as the process: references are not counted.
std::uint32_t add_ref(void*) {
    return 1;
}
std::uint32_t release(void*) {
    return 1;
}

Hresult give(void* object, bool is_known, void** out) noexcept {
    *out = is_known ? object : nullptr;
    return is_known ? clr::kOk : clr::kNoInterface;
}

bool is_callback_interface(const Guid& iid) noexcept {
    return iid == clr::kIidUnknown ||
           std::find(clr::kIidProfilerCallbacks.begin(), clr::kIidProfilerCallbacks.end(), iid) != clr::kIidProfilerCallbacks.end();
}

CallbackReceiver& receiver_of(void* self) noexcept {
    return *static_cast<ProfilerCallbackObject*>(self)->receiver;
}

Hresult ignore(void*) {
    return clr::kOk;
}

Hresult query_callback(void* self, const Guid* iid, void** out) {
    return iid == nullptr || out == nullptr ? clr::kPointer : give(self, is_callback_interface(*iid), out);
}

Hresult initialize(void* self, void* info_unknown) {
    return info_unknown == nullptr
               ? clr::kPointer
               : receiver_of(self).on_initialize(*static_cast<clr::ClrUnknown*>(info_unknown), LoadedBy::startup_variables);
}

Hresult initialize_for_attach(void* self, void* info_unknown, void*, std::uint32_t) {
    return info_unknown == nullptr ? clr::kPointer
                                   : receiver_of(self).on_initialize(*static_cast<clr::ClrUnknown*>(info_unknown), LoadedBy::attach);
}

Hresult shutdown(void* self) {
    receiver_of(self).on_shutdown();
    return clr::kOk;
}

Hresult profiler_detach_succeeded(void* self) {
    receiver_of(self).on_detached();
    return clr::kOk;
}

Hresult event_pipe_event_delivered(void* self, std::uintptr_t, std::uint32_t event_id, std::uint32_t event_version, std::uint32_t,
                                   const std::uint8_t*, std::uint32_t payload_bytes, const std::uint8_t* payload, const Guid*, const Guid*,
                                   std::uintptr_t, std::uint32_t, std::uintptr_t*) {
    receiver_of(self).on_payload(event_id, event_version, payload, payload_bytes);
    return clr::kOk;
}

Hresult load_as_notification_only(void*, Bool32* is_notification_only) {
    if (is_notification_only == nullptr) {
        return clr::kPointer;
    }
    *is_notification_only = 1;
    return clr::kOk;
}

constexpr clr::ProfilerCallbackSlots make_callback_table() noexcept {
    clr::ProfilerCallbackSlots table{};
    table.unknown = {query_callback, add_ref, release};
    table.initialize = initialize;
    table.shutdown = shutdown;
    table.ignored_5_to_79.fill(ignore);
    table.initialize_for_attach = initialize_for_attach;
    table.profiler_attach_complete = ignore;
    table.profiler_detach_succeeded = profiler_detach_succeeded;
    table.ignored_83_to_94.fill(ignore);
    table.event_pipe_event_delivered = event_pipe_event_delivered;
    table.event_pipe_provider_created = ignore;
    table.load_as_notification_only = load_as_notification_only;
    return table;
}

Hresult query_factory(void* self, const Guid* iid, void** out) {
    return iid == nullptr || out == nullptr ? clr::kPointer : give(self, *iid == clr::kIidUnknown || *iid == clr::kIidClassFactory, out);
}

Hresult create_instance(void* self, void* outer, const Guid* iid, void** out) {
    if (out == nullptr) {
        return clr::kPointer;
    }
    *out = nullptr;
    return outer != nullptr ? clr::kClassNoAggregation : query_callback(static_cast<ClassFactoryObject*>(self)->callback, iid, out);
}

Hresult lock_server(void*, Bool32) {
    return clr::kOk;
}

}  // namespace

constinit const clr::ProfilerCallbackSlots kProfilerCallbackTable = make_callback_table();
constinit const clr::ClassFactorySlots kClassFactoryTable = {{query_factory, add_ref, release}, create_instance, lock_server};

Hresult query_class_factory(ClassFactoryObject& factory, const Guid* iid, void** out) noexcept {
    return query_factory(&factory, iid, out);
}

}  // namespace tierup::agent
