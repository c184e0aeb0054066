// What     What the fake data access library shall answer, and what it counted: shared by the test and the library, found as `script`.
// What not Not the runtime's library; no answer here is computed from anything.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "clr/dac_abi.h"

namespace tierup::clr::testing {

inline constexpr int kScriptedVersions = 128;

struct FakeDacScript {
    // answers
    Hresult validate_result = kOk;
    Hresult describe_result = kOk;
    bool is_first_version_active = true;  ///< False: only a node's flag, read through the data target, makes a version the active one.
    DacMethodDescData description{};
    Hresult collectible_result = kOk;
    DacMethodTableCollectibleData collectible{};
    Hresult versions_result = kOk;
    std::int32_t version_count = 0;  ///< What is reported.
    std::int32_t filled_count = 0;   ///< What is written, as far as the capacity allows.
    DacTieredVersionData versions[kScriptedVersions]{};
    Hresult app_domain_store_result = kOk;
    DacAppDomainStoreData app_domain_store{.shared_domain = 0, .system_domain = 0x7f0000880000, .domain_count = 1, .padding = 0};
    Hresult app_domain_list_result = kOk;
    std::uint32_t app_domain_count = 1;
    ClrDataAddress app_domains[2] = {0x7f0000990000, 0};
    bool has_sos13 = true;
    Hresult loader_allocator_result = kOk;
    ClrDataAddress loader_allocator = 0x7f0000aa0000;
    Hresult name_result = kOk;
    std::u16string_view name = u"Program.Main()";
    ClrDataAddress address_to_read = 0;  ///< Not 0: each tier query reads a word here through the data target, twice.

    bool is_slow = false;  ///< Gives other threads the processor inside each call.

    // counts
    std::atomic<int> main_calls = 0;
    std::atomic<int> pal_calls = 0;
    std::atomic<int> flushes = 0;
    std::atomic<int> validations = 0;
    std::atomic<int> describes = 0;
    std::atomic<int> crashes = 0;  ///< Descriptions without an active version: the real library follows a null then.
    std::map<ClrDataAddress, std::uint32_t> flags_kept;
    ClrDataAddress active_node_seen = 0;  ///< Of the last description; 0: the first version.
    std::atomic<int> version_queries = 0;
    std::atomic<int> names = 0;
    std::atomic<int> inside = 0;
    std::atomic<int> most_inside = 0;
    std::int32_t capacity_seen = 0;
    std::uint64_t words_read[2] = {};
    void (*between_reads)() = nullptr;
    std::function<void()> during_validation;
};

}  // namespace tierup::clr::testing
