// What     A data access library that answers by script.
// What not See script.h.
#include "script.h"

#include <algorithm>
#include <thread>

#define EXPORTED extern "C" __attribute__((visibility("default")))

using namespace tierup::clr;
using tierup::clr::testing::FakeDacScript;

EXPORTED FakeDacScript script;
FakeDacScript script;

namespace {

struct Target {
    const ClrDataTargetSlots* slots;
};
Target* target = nullptr;

/// Sees whether two callers are inside at once.
struct Visit {
    Visit() {
        const int now = ++script.inside;
        script.most_inside = std::max(script.most_inside.load(), now);
        if (script.is_slow) {
            std::this_thread::yield();
        }
    }
    ~Visit() { --script.inside; }
};

Hresult query_interface(void*, const Guid* iid, void** out);
std::uint32_t count_reference(void*) {
    return 1;
}

Hresult flush(void*) {
    const Visit visit;
    ++script.flushes;
    script.flags_kept.clear();
    return kOk;
}

Hresult get_transparency_data(void*, ClrDataAddress, DacTransparencyData*) {
    const Visit visit;
    ++script.validations;
    if (script.during_validation) {
        script.during_validation();
    }
    return script.validate_result;
}

/// As DacInstantiateTypeByAddress: what was read once is kept until the flush.
std::uint32_t read_flags_of(ClrDataAddress node) {
    if (const auto known = script.flags_kept.find(node); known != script.flags_kept.end()) {
        return known->second;
    }
    std::uint32_t flags = 0;
    std::uint32_t done = 0;
    (void)target->slots->read_virtual(target, node + 52, reinterpret_cast<std::uint8_t*>(&flags), sizeof flags, &done);
    script.flags_kept[node] = flags;
    return flags;
}

/// As ILCodeVersion::GetActiveNativeCodeVersion: the first version with its flag set, in the list's order.
bool find_active_version() {
    script.active_node_seen = 0;
    if (script.is_first_version_active) {
        return true;
    }
    for (int i = 0; i < script.filled_count; ++i) {
        if (script.versions[i].node != 0 && (read_flags_of(script.versions[i].node) & 1) != 0) {
            script.active_node_seen = script.versions[i].node;
            return true;
        }
    }
    return false;
}

Hresult get_method_desc_data(void*, ClrDataAddress, ClrDataAddress, DacMethodDescData* data, std::uint32_t, DacRejitData*, std::uint32_t*) {
    const Visit visit;
    ++script.describes;
    script.crashes += find_active_version() ? 0 : 1;
    *data = script.description;
    return script.describe_result;
}

Hresult get_collectible_data(void*, ClrDataAddress, DacMethodTableCollectibleData* data) {
    const Visit visit;
    *data = script.collectible;
    return script.collectible_result;
}

Hresult get_tiered_versions(void*, ClrDataAddress, std::int32_t, DacTieredVersionData* versions, std::int32_t capacity,
                            std::int32_t* count) {
    const Visit visit;
    ++script.version_queries;
    script.capacity_seen = capacity;
    if (script.address_to_read != 0) {
        for (std::uint64_t& word : script.words_read) {
            std::uint32_t done = 0;
            word = 0;
            (void)target->slots->read_virtual(target, script.address_to_read, reinterpret_cast<std::uint8_t*>(&word), sizeof word, &done);
            if (script.between_reads != nullptr) {
                script.between_reads();
            }
        }
    }
    std::copy_n(script.versions, std::min(script.filled_count, capacity), versions);
    for (int i = 0; i < script.filled_count; ++i) {
        if (script.versions[i].node != 0) {
            (void)read_flags_of(script.versions[i].node);
        }
    }
    *count = script.version_count;
    return script.versions_result;
}

constexpr UnknownSlots kUnknown = {query_interface, count_reference, count_reference};
constexpr ClrDataProcessSlots kProcess = {kUnknown, flush};
Hresult get_app_domain_store_data(void*, DacAppDomainStoreData* data) {
    const Visit visit;
    *data = script.app_domain_store;
    return script.app_domain_store_result;
}

Hresult get_app_domain_list(void*, std::uint32_t capacity, ClrDataAddress* domains, std::uint32_t* needed) {
    const Visit visit;
    std::copy_n(script.app_domains, std::min<std::uint32_t>(script.app_domain_count, capacity), domains);
    *needed = script.app_domain_count;
    return script.app_domain_list_result;
}

Hresult get_method_desc_name(void*, ClrDataAddress, std::uint32_t capacity, char16_t* name, std::uint32_t* needed) {
    const Visit visit;
    ++script.names;
    const auto kept = std::min<std::size_t>(script.name.size(), capacity - 1);
    std::copy_n(script.name.data(), kept, name);
    name[kept] = u'\0';
    *needed = static_cast<std::uint32_t>(script.name.size() + 1);
    return script.name_result;
}

constexpr SosDacSlots kSos = {kUnknown,
                              nullptr,
                              get_app_domain_store_data,
                              get_app_domain_list,
                              {},
                              get_method_desc_data,
                              nullptr,
                              get_method_desc_name,
                              {},
                              get_transparency_data};
constexpr SosDac5Slots kSos5 = {kUnknown, get_tiered_versions};
Hresult get_loader_allocator(void*, ClrDataAddress, ClrDataAddress* loader_allocator) {
    *loader_allocator = script.loader_allocator;
    return script.loader_allocator_result;
}

constexpr SosDac13Slots kSos13 = {kUnknown, nullptr, get_loader_allocator};
constexpr SosDac6Slots kSos6 = {kUnknown, get_collectible_data};
ClrDataProcess process{&kProcess};
SosDac sos{&kSos};
SosDac5 sos5{&kSos5};
SosDac6 sos6{&kSos6};
SosDac13 sos13{&kSos13};

Hresult query_interface(void*, const Guid* iid, void** out) {
    *out = nullptr;
    if (*iid == kIidSosDac) {
        *out = &sos;
    } else if (*iid == kIidSosDac5) {
        *out = &sos5;
    } else if (*iid == kIidSosDac13 && script.has_sos13) {
        *out = &sos13;
    } else if (*iid == kIidSosDac6) {
        *out = &sos6;
    }
    return *out == nullptr ? kNoInterface : kOk;
}

}  // namespace

EXPORTED std::int32_t DllMain(void*, std::uint32_t, void*) {
    return ++script.main_calls;
}
EXPORTED std::int32_t DAC_PAL_InitializeDLL() {
    ++script.pal_calls;
    return 0;
}
EXPORTED Hresult CLRDataCreateInstance(const Guid* iid, void* data_target, void** out) {
    target = static_cast<Target*>(data_target);
    *out = *iid == kIidClrDataProcess ? &process : nullptr;
    return *out == nullptr ? kNoInterface : kOk;
}
