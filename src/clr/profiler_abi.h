// What     The part of the profiling interface that we implement or call: ids, vtable slots, plain structs.
// What not No behaviour. In the table that the runtime calls every slot is filled; in the one that we call, slots that we never call are
//          placeholders and the table ends where our last call is.
// Threads  Declarations only.
// Failure  A slot that is not where the interface definition has it does not compile.
// Source   corprof.idl and corerror.xml (src/shared/inc) of dotnet/diagnostics at 3c9f99e8251b; IClassFactory: Windows' unknwn.idl.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "clr/dac_abi.h"
#include "clr/hresult.h"

namespace tierup::clr {

inline constexpr Guid kIidClassFactory{0x00000001, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};

/// ICorProfilerCallback, then revisions 2 to 11: each has the slots of the one before and some more.
inline constexpr std::array<Guid, 11> kIidProfilerCallbacks{{
    {0x176FBED1, 0xA55C, 0x4796, {0x98, 0xCA, 0xA9, 0xDA, 0x0E, 0xF8, 0x83, 0xE7}},
    {0x8A8CC829, 0xCCF2, 0x49FE, {0xBB, 0xAE, 0x0F, 0x02, 0x22, 0x28, 0x07, 0x1A}},
    {0x4FD2ED52, 0x7731, 0x4B8D, {0x94, 0x69, 0x03, 0xD2, 0xCC, 0x30, 0x86, 0xC5}},
    {0x7B63B2E3, 0x107D, 0x4D48, {0xB2, 0xF6, 0xF6, 0x1E, 0x22, 0x94, 0x70, 0xD2}},
    {0x8DFBA405, 0x8C9F, 0x45F8, {0xBF, 0xFA, 0x83, 0xB1, 0x4C, 0xEF, 0x78, 0xB5}},
    {0xFC13DF4B, 0x4448, 0x4F4F, {0x95, 0x0C, 0xBA, 0x8D, 0x19, 0xD0, 0x0C, 0x36}},
    {0xF76A2DBA, 0x1D52, 0x4539, {0x86, 0x6C, 0x2A, 0xA5, 0x18, 0xF9, 0xEF, 0xC3}},
    {0x5BED9B15, 0xC079, 0x4D47, {0xBF, 0xE2, 0x21, 0x5A, 0x14, 0x0C, 0x07, 0xE0}},
    {0x27583EC3, 0xC8F5, 0x482F, {0x80, 0x52, 0x19, 0x4B, 0x8C, 0xE4, 0x70, 0x5A}},
    {0xCEC5B60E, 0xC69C, 0x495F, {0x87, 0xF6, 0x84, 0xD2, 0x8E, 0xE1, 0x6F, 0xFB}},
    {0x42350846, 0xAAED, 0x47F7, {0xB1, 0x28, 0xFD, 0x0C, 0x98, 0x88, 0x1C, 0xDE}},
}};
/// ICorProfilerInfo12: the first revision with EventPipe sessions; .NET 5 and later have it.
inline constexpr Guid kIidProfilerInfo12{0x27B24CCD, 0x1CB1, 0x47C5, {0x96, 0xEE, 0x98, 0x19, 0x0D, 0xC3, 0x09, 0x59}};

// HRESULTs of this interface and of an attach.
inline constexpr Hresult kClassNoAggregation = static_cast<Hresult>(0x80040110u);  ///< CLASS_E_NOAGGREGATION
inline constexpr Hresult kClassNotAvailable = static_cast<Hresult>(0x80040111u);   ///< CLASS_E_CLASSNOTAVAILABLE
inline constexpr Hresult kProfilerAlreadyActive =
    static_cast<Hresult>(0x8013136Au);  ///< CORPROF_E_PROFILER_ALREADY_ACTIVE: 32 notification profilers
inline constexpr Hresult kNotYetAvailable = static_cast<Hresult>(0x8013135Bu);  ///< CORPROF_E_NOT_YET_AVAILABLE
inline constexpr Hresult kRuntimeUninitialized =
    static_cast<Hresult>(0x80131371u);                                            ///< CORPROF_E_RUNTIME_UNINITIALIZED: starting or ending
inline constexpr Hresult kIpcUnknownCommand = static_cast<Hresult>(0x80131385u);  ///< CORDIAGIPC_E_UNKNOWN_COMMAND: built without attach

/// IClassFactory.
struct ClassFactorySlots {
    UnknownSlots unknown;
    Hresult (*create_instance)(void* self, void* outer, const Guid* iid, void** out);
    Hresult (*lock_server)(void* self, Bool32 lock);
};
static_assert(offsetof(ClassFactorySlots, lock_server) == 4 * sizeof(void*));

/// A callback that we don't use. The runtime passes more arguments, which the callee ignores: in the C calling conventions of x64 and arm64 the
/// caller owns the argument area.
using IgnoredCallback = Hresult (*)(void* self);

/// ICorProfilerCallback to ICorProfilerCallback11. All slots, since the runtime may call any.
struct ProfilerCallbackSlots {
    UnknownSlots unknown;
    Hresult (*initialize)(void* self, void* info_unknown);
    Hresult (*shutdown)(void* self);
    std::array<IgnoredCallback, 75> ignored_5_to_79;
    Hresult (*initialize_for_attach)(void* self, void* info_unknown, void* client_data, std::uint32_t client_data_bytes);
    IgnoredCallback profiler_attach_complete;
    Hresult (*profiler_detach_succeeded)(void* self);
    std::array<IgnoredCallback, 12> ignored_83_to_94;
    Hresult (*event_pipe_event_delivered)(void* self, std::uintptr_t provider, std::uint32_t event_id, std::uint32_t event_version,
                                          std::uint32_t metadata_bytes, const std::uint8_t* metadata, std::uint32_t payload_bytes,
                                          const std::uint8_t* payload, const Guid* activity, const Guid* related_activity,
                                          std::uintptr_t thread, std::uint32_t frame_count, std::uintptr_t* frames);
    IgnoredCallback event_pipe_provider_created;
    Hresult (*load_as_notification_only)(void* self, Bool32* is_notification_only);
};
static_assert(offsetof(ProfilerCallbackSlots, initialize) == 3 * sizeof(void*));
static_assert(offsetof(ProfilerCallbackSlots, initialize_for_attach) == 80 * sizeof(void*));
static_assert(offsetof(ProfilerCallbackSlots, profiler_detach_succeeded) == 82 * sizeof(void*));
static_assert(offsetof(ProfilerCallbackSlots, event_pipe_event_delivered) == 95 * sizeof(void*));
static_assert(offsetof(ProfilerCallbackSlots, load_as_notification_only) == 97 * sizeof(void*));
static_assert(sizeof(ProfilerCallbackSlots) == 98 * sizeof(void*));

/// COR_PRF_EVENTPIPE_PROVIDER_CONFIG.
struct EventPipeProviderConfig {
    const char16_t* provider_name;
    std::uint64_t keywords;
    std::uint32_t level;
    const char16_t* filter;
};
static_assert(sizeof(EventPipeProviderConfig) == 32);

using EventPipeSession = std::uint64_t;  // EVENTPIPE_SESSION

/// ICorProfilerInfo12.
struct ProfilerInfo12Slots {
    UnknownSlots unknown;
    void* unused_3_to_81[79];
    Hresult (*set_event_mask2)(void* self, std::uint32_t low, std::uint32_t high);
    void* unused_83_to_100[18];
    Hresult (*event_pipe_start_session)(void* self, std::uint32_t provider_count, EventPipeProviderConfig* providers, Bool32 with_rundown,
                                        EventPipeSession* session);
    void* unused_102_add_provider;
    Hresult (*event_pipe_stop_session)(void* self, EventPipeSession session);
};
static_assert(offsetof(ProfilerInfo12Slots, set_event_mask2) == 82 * sizeof(void*));
static_assert(offsetof(ProfilerInfo12Slots, event_pipe_start_session) == 101 * sizeof(void*));
static_assert(offsetof(ProfilerInfo12Slots, event_pipe_stop_session) == 103 * sizeof(void*));

// The objects: one pointer to their table each.
struct ClrUnknown {
    const UnknownSlots* slots;
};
struct ProfilerInfo12 {
    const ProfilerInfo12Slots* slots;
};

/// COR_PRF_HIGH_MONITOR_EVENT_PIPE, the only thing that we ask to be told.
inline constexpr std::uint32_t kHighMonitorEventPipe = 0x80;

}  // namespace tierup::clr
