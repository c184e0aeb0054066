// What     The part of the data access library's binary interface that we call or implement: ids, vtable slots, plain structs.
// What not No behaviour. Slots that we never call are placeholders, so a table ends where our last call is.
// Threads  Declarations only.
// Failure  A struct that does not have the runtime's size does not compile.
// Source   sospriv.idl, xclrdata.idl, clrdata.idl and dacprivate.h (src/shared/inc) of dotnet/diagnostics at 3c9f99e8251b.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clr/hresult.h"

namespace tierup::clr {

struct Guid {
    std::uint32_t data1;
    std::uint16_t data2;
    std::uint16_t data3;
    std::uint8_t data4[8];

    friend bool operator==(const Guid&, const Guid&) noexcept = default;
};
static_assert(sizeof(Guid) == 16);

inline constexpr Guid kIidUnknown{0x00000000, 0x0000, 0x0000, {0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
inline constexpr Guid kIidClrDataTarget{0x3E11CCEE, 0xD08B, 0x43E5, {0xAF, 0x01, 0x32, 0x71, 0x7A, 0x64, 0xDA, 0x03}};
inline constexpr Guid kIidClrDataProcess{0x5C552AB6, 0xFC09, 0x4CB3, {0x8E, 0x36, 0x22, 0xFA, 0x03, 0xC7, 0x98, 0xB7}};
inline constexpr Guid kIidSosDac{0x436F00F2, 0xB42A, 0x4B9F, {0x87, 0x0C, 0xE7, 0x3D, 0xB6, 0x6A, 0xE9, 0x30}};
inline constexpr Guid kIidSosDac5{0x127D6ABE, 0x6C86, 0x4E48, {0x8E, 0x7B, 0x22, 0x07, 0x81, 0xC5, 0x81, 0x01}};
inline constexpr Guid kIidSosDac6{0x11206399, 0x4B66, 0x4EDB, {0x98, 0xEA, 0x85, 0x65, 0x4E, 0x59, 0xAD, 0x45}};

using ClrDataAddress = std::uint64_t;  // CLRDATA_ADDRESS
using Bool32 = std::int32_t;           // BOOL

/// The first three slots of every table.
struct UnknownSlots {
    Hresult (*query_interface)(void* self, const Guid* iid, void** out);
    std::uint32_t (*add_ref)(void* self);
    std::uint32_t (*release)(void* self);
};

/// ICLRDataTarget: what the DAC calls on us. All slots, since the DAC may call any.
struct ClrDataTargetSlots {
    UnknownSlots unknown;
    Hresult (*get_machine_type)(void* self, std::uint32_t* machine);
    Hresult (*get_pointer_size)(void* self, std::uint32_t* bytes);
    Hresult (*get_image_base)(void* self, const char16_t* image_path, ClrDataAddress* base);
    Hresult (*read_virtual)(void* self, ClrDataAddress address, std::uint8_t* buffer, std::uint32_t bytes, std::uint32_t* bytes_read);
    Hresult (*write_virtual)(void* self, ClrDataAddress address, std::uint8_t* buffer, std::uint32_t bytes, std::uint32_t* bytes_written);
    Hresult (*get_tls_value)(void* self, std::uint32_t thread, std::uint32_t index, ClrDataAddress* value);
    Hresult (*set_tls_value)(void* self, std::uint32_t thread, std::uint32_t index, ClrDataAddress value);
    Hresult (*get_current_thread_id)(void* self, std::uint32_t* thread);
    Hresult (*get_thread_context)(void* self, std::uint32_t thread, std::uint32_t flags, std::uint32_t bytes, std::uint8_t* context);
    Hresult (*set_thread_context)(void* self, std::uint32_t thread, std::uint32_t bytes, std::uint8_t* context);
    Hresult (*request)(void* self, std::uint32_t code, std::uint32_t in_bytes, std::uint8_t* in, std::uint32_t out_bytes,
                       std::uint8_t* out);
};
static_assert(offsetof(ClrDataTargetSlots, request) == 13 * sizeof(void*));

/// IXCLRDataProcess.
struct ClrDataProcessSlots {
    UnknownSlots unknown;
    Hresult (*flush)(void* self);
};
static_assert(offsetof(ClrDataProcessSlots, flush) == 3 * sizeof(void*));

/// DacpReJitData.
struct DacRejitData {
    ClrDataAddress rejit_id;
    std::int32_t flags;
    std::int32_t padding;
    ClrDataAddress native_code;
};
static_assert(sizeof(DacRejitData) == 24);

/// DacpMethodDescData.
struct DacMethodDescData {
    Bool32 has_native_code;
    Bool32 is_dynamic;
    std::uint16_t slot_number;
    std::uint16_t padding[3];
    ClrDataAddress native_code;  // of the active version; all ones where has_native_code is 0
    ClrDataAddress native_code_slot;
    ClrDataAddress method_desc;
    ClrDataAddress method_table;
    ClrDataAddress module;
    std::uint32_t token;
    std::uint32_t padding2;
    ClrDataAddress gc_info;
    ClrDataAddress gc_stress_code_copy;
    ClrDataAddress managed_dynamic_method;
    ClrDataAddress requested_ip;
    DacRejitData rejit_current;
    DacRejitData rejit_requested;
    std::uint32_t jitted_rejit_versions;
    std::uint32_t padding3;
};
static_assert(sizeof(DacMethodDescData) == 0x98);  // dacprivate.h asserts the same number
static_assert(offsetof(DacMethodDescData, native_code_slot) == 24);
static_assert(offsetof(DacMethodDescData, module) == 48);
static_assert(offsetof(DacMethodDescData, token) == 56);

/// DacpTieredVersionData::OptimizationTier.
enum class DacTier : std::int32_t {
    unknown = 0,
    min_opt_jitted = 1,
    optimized = 2,
    quick_jitted = 3,
    optimized_tier1 = 4,
    ready_to_run = 5,
    optimized_tier1_osr = 6,
    quick_jitted_instrumented = 7,
    optimized_tier1_instrumented = 8,
};

/// DacpTieredVersionData.
struct DacTieredVersionData {
    ClrDataAddress native_code;
    DacTier tier;
    std::int32_t padding;
    ClrDataAddress node;
};
static_assert(sizeof(DacTieredVersionData) == 24);

/// DacpMethodTableCollectibleData.
struct DacMethodTableCollectibleData {
    ClrDataAddress loader_allocator_handle;
    Bool32 is_collectible;
    std::int32_t padding;
};
static_assert(sizeof(DacMethodTableCollectibleData) == 0x10);  // dacprivate.h asserts the same number

/// DacpAppDomainStoreData.
struct DacAppDomainStoreData {
    ClrDataAddress shared_domain;
    ClrDataAddress system_domain;
    std::int32_t domain_count;
    std::int32_t padding;
};
static_assert(sizeof(DacAppDomainStoreData) == 0x18);  // dacprivate.h asserts the same number

/// DacpMethodDescTransparencyData: three words that are always 0 by now. The question is the DAC's check of a descriptor and nothing else.
struct DacTransparencyData {
    Bool32 words[3];
};
static_assert(sizeof(DacTransparencyData) == 0xc);  // dacprivate.h asserts the same number

/// ISOSDacInterface. Names are UTF-16 with a zero; `needed` counts it.
struct SosDacSlots {
    UnknownSlots unknown;
    void* unused_3;
    Hresult (*get_app_domain_store_data)(void* self, DacAppDomainStoreData* data);
    Hresult (*get_app_domain_list)(void* self, std::uint32_t capacity, ClrDataAddress* domains, std::uint32_t* needed);
    void* unused_6_to_19[14];
    Hresult (*get_method_desc_data)(void* self, ClrDataAddress method, ClrDataAddress ip, DacMethodDescData* data,
                                    std::uint32_t reverted_capacity, DacRejitData* reverted, std::uint32_t* reverted_needed);
    void* unused_21;
    Hresult (*get_method_desc_name)(void* self, ClrDataAddress method, std::uint32_t capacity, char16_t* name, std::uint32_t* needed);
    void* unused_23_to_24[2];
    Hresult (*get_method_desc_transparency_data)(void* self, ClrDataAddress method, DacTransparencyData* data);
};
static_assert(offsetof(SosDacSlots, get_method_desc_transparency_data) == 25 * sizeof(void*));
static_assert(offsetof(SosDacSlots, get_app_domain_list) == 5 * sizeof(void*));
static_assert(offsetof(SosDacSlots, get_method_desc_data) == 20 * sizeof(void*));
static_assert(offsetof(SosDacSlots, get_method_desc_name) == 22 * sizeof(void*));

/// ISOSDacInterface5.
struct SosDac5Slots {
    UnknownSlots unknown;
    Hresult (*get_tiered_versions)(void* self, ClrDataAddress method, std::int32_t rejit_id, DacTieredVersionData* versions,
                                   std::int32_t capacity, std::int32_t* count);
};
static_assert(offsetof(SosDac5Slots, get_tiered_versions) == 3 * sizeof(void*));

/// ISOSDacInterface6.
struct SosDac6Slots {
    UnknownSlots unknown;
    Hresult (*get_method_table_collectible_data)(void* self, ClrDataAddress method_table, DacMethodTableCollectibleData* data);
};
static_assert(offsetof(SosDac6Slots, get_method_table_collectible_data) == 3 * sizeof(void*));

/// ISOSDacInterface13, .NET 8 on.
inline constexpr Guid kIidSosDac13{0x3176A8ED, 0x597B, 0x4F54, {0xA7, 0x1F, 0x83, 0x69, 0x5C, 0x6A, 0x8C, 0x5E}};
struct SosDac13Slots {
    UnknownSlots unknown;
    void* traverse_loader_heap;
    Hresult (*get_domain_loader_allocator)(void* self, ClrDataAddress app_domain, ClrDataAddress* loader_allocator);
};
static_assert(offsetof(SosDac13Slots, get_domain_loader_allocator) == 4 * sizeof(void*));

// The objects: one pointer to their table each.
struct ClrDataProcess {
    const ClrDataProcessSlots* slots;
};
struct SosDac {
    const SosDacSlots* slots;
};
struct SosDac5 {
    const SosDac5Slots* slots;
};
struct SosDac6 {
    const SosDac6Slots* slots;
};
struct SosDac13 {
    const SosDac13Slots* slots;
};

// The DAC's exports. DllMain and DAC_PAL_InitializeDLL exist on Unix only, and the second not in every version.
using ClrDataCreateInstance = Hresult (*)(const Guid* iid, void* target, void** out);
using DacDllMain = std::int32_t (*)(void* module, std::uint32_t reason, void* reserved);
using DacPalInitializeDll = std::int32_t (*)();
inline constexpr std::uint32_t kDllProcessAttach = 1;  // DLL_PROCESS_ATTACH, winnt.h

inline constexpr std::uint32_t kMachineAmd64 = 0x8664;  // IMAGE_FILE_MACHINE_AMD64, winnt.h
inline constexpr std::uint32_t kMachineArm64 = 0xAA64;  // IMAGE_FILE_MACHINE_ARM64, winnt.h

}  // namespace tierup::clr
