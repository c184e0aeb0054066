// What     Loading the DAC and asking it; see data_access.h.
// What not No tiering decision.
// Source   Start: reference facts of the DAC's exports (DllMain, DAC_PAL_InitializeDLL, CLRDataCreateInstance), seen on 8.0.34, 9.0.23, 10.0.15
//          and 11.0.0. GetTieredVersions: dotnet/runtime src/coreclr/debug/daccess/request.cpp.
#include "clr/data_access.h"

#include <cstring>

#include "clr/dac_abi.h"
#include "clr/descriptor_check.h"
#include "clr/plausible_address.h"
#include "clr/tier.h"
#include "clr/utf8_text.h"
#include "os/library.h"

namespace tierup::clr {

namespace {

// NativeCodeVersionNode: m_flags and IsActiveChildFlag, dotnet/runtime src/coreclr/vm/codeversion.h; seen at +52 on 8.0.34, 9.0.23, 10.0.15 and 11.0.0.
constexpr std::int64_t kNodeFlagsOffset = 52;
constexpr std::uint8_t kActiveFlag = 1;

// Where memory stands still for no query, there is no answer after so many.
constexpr int kMostLooks = 16;

template <typename Interface>
bool try_query(ClrDataProcess* process, const Guid& iid, Interface*& out) noexcept {
    void* found = nullptr;
    if (process->slots->unknown.query_interface(process, &iid, &found) != kOk || found == nullptr) {
        return false;
    }
    out = static_cast<Interface*>(found);
    return true;
}

}  // namespace

/// What GetTieredVersions tells. One more than we keep: a list that fills the array comes back as S_FALSE, and may or may not have been longer.
struct DataAccess::RawVersions {
    static constexpr std::size_t kCapacity = kMaxCodeVersions + 1;

    [[nodiscard]] bool has_code() const noexcept {
        for (std::int32_t i = 0; i < count; ++i) {
            if (items[static_cast<std::size_t>(i)].native_code != 0) {
                return true;
            }
        }
        return false;
    }

    std::array<DacTieredVersionData, kCapacity> items{};
    std::int32_t count = 0;
};

Status DataAccess::load(const char* dac_path, Address runtime_base, const memory::Reader& reader, std::uint32_t machine) noexcept {
    const os::LockGuard guard(mutex_);
    if (was_loaded_) {
        return is_available() ? Status::ok : Status::unsupported;
    }
    was_loaded_ = true;
    if (dac_path == nullptr || *dac_path == '\0' || runtime_base.is_null()) {
        explain("no data access library was named", "");
        return Status::absent;
    }
    void* library = nullptr;
    char words[kReasonBytes / 2] = "";
    const Status opened = os::open_library(dac_path, library, words, sizeof words);
    if (opened != Status::ok) {
        explain(dac_path, words);
        return opened;
    }
    target_.open(runtime_base, reader, machine);
    const char* obstacle = start_locked(library);
    if (*obstacle != '\0') {
        explain(dac_path, obstacle);
        return Status::unsupported;
    }
    is_available_.store(true, std::memory_order_release);  // partner: is_available
    return Status::ok;
}

const char* DataAccess::start_locked(void* library) noexcept {
    const auto create = reinterpret_cast<ClrDataCreateInstance>(os::find_symbol(library, "CLRDataCreateInstance"));
    if (create == nullptr) {
        return "does not export CLRDataCreateInstance";
    }
    if (const auto main = reinterpret_cast<DacDllMain>(os::find_symbol(library, "DllMain"));
        main != nullptr && main(library, kDllProcessAttach, nullptr) == 0) {
        return "DllMain failed";
    }
    if (const auto initialize_pal = reinterpret_cast<DacPalInitializeDll>(os::find_symbol(library, "DAC_PAL_InitializeDLL"));
        initialize_pal != nullptr && initialize_pal() != 0) {
        return "DAC_PAL_InitializeDLL failed";
    }
    void* process = nullptr;
    if (create(&kIidClrDataProcess, target_.as_interface(), &process) != kOk || process == nullptr) {
        return "CLRDataCreateInstance failed: it does not fit this runtime";
    }
    process_ = static_cast<ClrDataProcess*>(process);
    if (!try_query(process_, kIidSosDac, sos_) || !try_query(process_, kIidSosDac5, sos5_) || !try_query(process_, kIidSosDac6, sos6_)) {
        return "lacks ISOSDacInterface, 5 or 6";
    }
    return "";
}

void DataAccess::explain(const char* what, const char* detail) noexcept {
    std::size_t used = 0;
    for (const char* part : {what, *detail != '\0' ? ": " : "", detail}) {
        while (*part != '\0' && used + 1 < reason_.size()) {
            reason_[used++] = *part++;
        }
    }
    reason_[used] = '\0';
}

void DataAccess::begin_query_locked(QueryKind kind) noexcept {
    target_.begin_query(kind);
    queries_.fetch_add(1, std::memory_order_relaxed);
    (void)process_->slots->flush(process_);
}

/// The first look at a number: ours first, see descriptor_check.h, then the library's own. Not again for a method that somebody vouched for.
Status DataAccess::begin_method_query_locked(Address method, QueryKind kind) noexcept {
    target_.begin_query(kind);
    if (const Status status = check_descriptor(target_, method); status != Status::ok) {
        return status;
    }
    queries_.fetch_add(1, std::memory_order_relaxed);
    (void)process_->slots->flush(process_);
    return cache_.knows(method) ? Status::ok : validate_locked(method);
}

Status DataAccess::validate_locked(Address method) noexcept {
    DacTransparencyData data{};
    const Hresult asked = sos_->slots->get_method_desc_transparency_data(sos_, method.value(), &data);
    if (asked == kOk) {
        return Status::ok;
    }
    const Status status = to_status(asked);
    return status == Status::invalid_argument || status == Status::faulted ? Status::absent : status;
}

/// Asks until the answer is "yes" or memory stood still meanwhile.
// race: the runtime publishes a method's code, or moves what finds it, between our copies of the pages that the library compares
// window: one query: an address that is newer than the copy of the map of code belongs to no method there, and the library takes the descriptor for none
// harmless because: the runtime publishes the map first, so memory of any one moment fits; a "no" counts only if all that it rests on was there at one
// test: a_no_of_changing_memory_is_asked_again
template <typename Ask>
Status DataAccess::ask_still_memory_locked(Ask ask) noexcept {
    for (int look = 0; look < kMostLooks; ++look) {
        const Status status = ask();
        if (status == Status::ok || target_.is_still()) {
            return status;
        }
    }
    return Status::faulted;
}

Status DataAccess::describe_method(Address method, MethodDescription& description) noexcept {
    description = {};
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    return ask_still_memory_locked([&] { return look_up_locked(method, description); });
}

Status DataAccess::look_up_locked(Address method, MethodDescription& description) noexcept {
    if (const Status status = begin_method_query_locked(method, QueryKind::description); status != Status::ok) {
        return status;
    }
    RawVersions versions;
    if (const Status status = read_versions_locked(method, versions); status != Status::ok) {
        return status == Status::faulted ? Status::absent : status;
    }
    return describe_locked(method, versions, description);
}

/// GetMethodDescData follows the active version without a look at whether there is one, and a null one crashes the process (seen on 9.0.23).
// race: the runtime activates a version of this method while its pages are copied: it takes the old one's flag first, then sets the new one's
// window: between the two stores, and between the copies of the pages that they are in (milliseconds, when the query is slow)
// harmless because: where no node is active, the DAC is shown one that is; it looks at the first version before that, so it matters only in the window
// test: a_method_between_two_active_versions_is_described_by_one_of_them
void DataAccess::show_one_active_locked(const RawVersions& versions) noexcept {
    Address shown;
    for (std::int32_t i = 0; i < versions.count; ++i) {
        const Address node(versions.items[static_cast<std::size_t>(i)].node);
        std::uint8_t flags = 0;
        if (node.is_null() || target_.try_read(node.plus(kNodeFlagsOffset), &flags, sizeof flags) != Status::ok) {
            continue;
        }
        if ((flags & kActiveFlag) != 0) {
            return;
        }
        shown = node.plus(kNodeFlagsOffset);
    }
    if (!shown.is_null()) {
        target_.show_marked(shown);
        // The library keeps what it has read of the nodes until it is told to forget.
        (void)process_->slots->flush(process_);
    }
}

Status DataAccess::describe_locked(Address method, const RawVersions& versions, MethodDescription& description) noexcept {
    show_one_active_locked(versions);
    DacMethodDescData data{};
    const Hresult described = sos_->slots->get_method_desc_data(sos_, method.value(), 0, &data, 0, nullptr, nullptr);
    if (described != kOk) {
        const Status status = to_status(described);
        return status == Status::invalid_argument || status == Status::faulted ? Status::absent : status;
    }
    if (data.method_desc != method.value() || data.module == 0 || data.method_table == 0) {
        return Status::unknown;
    }
    if (data.has_native_code != 0 && (!is_plausible(data.native_code))) {
        return Status::unknown;
    }
    DacMethodTableCollectibleData collectible{};
    const Hresult asked = sos6_->slots->get_method_table_collectible_data(sos6_, data.method_table, &collectible);
    if (asked != kOk) {
        return to_status(asked) == Status::faulted ? Status::absent : Status::unknown;
    }
    description.module = Address(data.module);
    description.method_table = Address(data.method_table);
    description.native_code_slot = Address(data.native_code_slot);
    description.has_native_code = data.has_native_code != 0 || versions.has_code();
    description.token = data.token;
    description.is_dynamic = data.is_dynamic != 0;
    description.is_collectible = collectible.is_collectible != 0;
    return Status::ok;
}

void DataAccess::vouch_for(Address method) noexcept {
    const os::LockGuard guard(mutex_);
    if (!cache_.knows(method)) {
        cache_.store(method, CodeVersionList{});
    }
}

Status DataAccess::list_versions(Address method, CodeVersionList& versions) noexcept {
    versions.count = 0;
    versions.is_truncated = false;
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    return ask_still_memory_locked([&] { return list_versions_locked(method, cache_.knows(method), versions); });
}

Status DataAccess::list_versions_with_code(Address method, Address code, CodeVersionList& versions, bool& is_remembered) noexcept {
    is_remembered = false;
    versions.count = 0;
    versions.is_truncated = false;
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    if (cache_.try_find(method, code, versions)) {
        is_remembered = true;
        cache_hits_.fetch_add(1, std::memory_order_relaxed);
        return Status::ok;
    }
    return ask_still_memory_locked([&] { return list_versions_locked(method, true, versions); });
}

Status DataAccess::read_versions_locked(Address method, RawVersions& versions) noexcept {
    constexpr auto kCapacity = static_cast<std::int32_t>(RawVersions::kCapacity);
    std::int32_t count = -1;
    const Hresult asked = sos5_->slots->get_tiered_versions(sos5_, method.value(), 0, versions.items.data(), kCapacity, &count);
    if (asked != kOk && asked != kFalse) {
        return to_status(asked);
    }
    if (count < 0 || count > kCapacity || (asked == kFalse) != (count == kCapacity)) {
        return Status::unknown;
    }
    for (std::int32_t i = 0; i < count; ++i) {
        const DacTieredVersionData& item = versions.items[static_cast<std::size_t>(i)];
        if (!is_null_or_plausible(item.native_code) || !is_null_or_plausible(item.node)) {
            return Status::unknown;
        }
    }
    versions.count = count;
    return Status::ok;
}

Status DataAccess::list_versions_locked(Address method, bool may_be_kept, CodeVersionList& versions) noexcept {
    if (const Status status = begin_method_query_locked(method, QueryKind::versions); status != Status::ok) {
        return status;
    }
    RawVersions raw;
    if (const Status status = read_versions_locked(method, raw); status != Status::ok) {
        return status;
    }
    // A method in the cache was described once, and somebody vouched that it stays what it is: the DAC does not tell that a generic method over a
    // collectible argument can go.
    const bool is_permanent = cache_.knows(method);
    MethodDescription description;
    if (!is_permanent) {
        if (const Status status = describe_locked(method, raw, description); status != Status::ok) {
            return status;
        }
    }
    versions.is_truncated = raw.count == static_cast<std::int32_t>(RawVersions::kCapacity);
    const auto kept = versions.is_truncated ? kMaxCodeVersions : static_cast<std::size_t>(raw.count);
    for (std::size_t i = 0; i < kept; ++i) {
        versions.items[i] = {Address(raw.items[i].native_code), Address(raw.items[i].node), to_tier(raw.items[i].tier)};
    }
    versions.count = static_cast<std::uint32_t>(kept);
    if (may_be_kept && (is_permanent || (!description.is_dynamic && !description.is_collectible))) {
        cache_.store(method, versions);
    }
    return Status::ok;
}

Status DataAccess::find_app_domain(Address& app_domain) noexcept {
    app_domain = {};
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    begin_query_locked(QueryKind::description);
    DacAppDomainStoreData store{};
    if (const Hresult asked = sos_->slots->get_app_domain_store_data(sos_, &store); asked != kOk) {
        return to_status(asked);
    }
    // CoreCLR has one; room for one more shows a list that does not fit that.
    std::array<ClrDataAddress, 2> domains{};
    std::uint32_t needed = 0;
    const Hresult asked = sos_->slots->get_app_domain_list(sos_, static_cast<std::uint32_t>(domains.size()), domains.data(), &needed);
    if (asked != kOk) {
        return to_status(asked);
    }
    if (store.domain_count != 1 || needed != 1 || !is_plausible(domains[0]) || domains[1] != 0) {
        return Status::unknown;
    }
    app_domain = Address(domains[0]);
    return Status::ok;
}

Status DataAccess::find_loader_allocator(Address app_domain, Address& loader_allocator) noexcept {
    loader_allocator = {};
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    SosDac13* sos13 = nullptr;  // the library's objects live as long as it does
    if (!try_query(process_, kIidSosDac13, sos13)) {
        return Status::unsupported;
    }
    begin_query_locked(QueryKind::description);
    ClrDataAddress found = 0;
    if (const Hresult asked = sos13->slots->get_domain_loader_allocator(sos13, app_domain.value(), &found); asked != kOk) {
        return to_status(asked);
    }
    if (!is_plausible(found)) {
        return Status::unknown;
    }
    loader_allocator = Address(found);
    return Status::ok;
}

Status DataAccess::name_method(Address method, char* utf8, std::size_t capacity, std::size_t& needed) noexcept {
    needed = 0;
    if (capacity > 0) {
        *utf8 = '\0';
    }
    if (!is_available()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    return ask_still_memory_locked([&] { return name_method_locked(method, utf8, capacity, needed); });
}

Status DataAccess::name_method_locked(Address method, char* utf8, std::size_t capacity, std::size_t& needed) noexcept {
    if (const Status status = begin_method_query_locked(method, QueryKind::description); status != Status::ok) {
        return status;
    }
    std::array<char16_t, kMaxNameUnits + 1> name{};
    constexpr auto kCapacity = static_cast<std::uint32_t>(name.size());
    std::uint32_t units = 0;
    const Hresult asked = sos_->slots->get_method_desc_name(sos_, method.value(), kCapacity, name.data(), &units);
    if (asked != kOk && asked != kFalse) {
        return to_status(asked);
    }
    std::uint32_t length = 0;
    while (length < kMaxNameUnits && name[length] != u'\0') {
        ++length;
    }
    if (length == 0 || units < length) {
        return Status::unknown;
    }
    needed = write_utf8(name.data(), length, utf8, capacity);
    return Status::ok;
}

}  // namespace tierup::clr
