// What     The runtime's own data access library (DAC), loaded into this process: what is this method, which code versions has it.
// What not Decides nothing about tiering; a torn or unfinished answer is a status, never a guess.
// Threads  Any thread not in cooperative mode: calls are serialized by one mutex and read memory of the whole runtime.
// Failure  A missing or unfitting DAC is a state (`is_available`, `reason`); any number is safe to ask about.
// Source   Vtables: clr/dac_abi.h. Behaviour: dotnet/runtime src/coreclr/debug/daccess/request.cpp, GetMethodDescData and GetTieredVersions.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/code_version.h"
#include "base/status.h"
#include "clr/data_target.h"
#include "clr/version_cache.h"
#include "memory/reader.h"
#include "os/mutex.h"

namespace tierup::clr {

struct SosDac;
struct SosDac5;
struct SosDac6;
struct ClrDataProcess;

struct MethodDescription {
    Address module;
    Address method_table;
    Address native_code_slot;  ///< Where the first version's code address stands; null where the method has no such slot.
    std::uint32_t token = 0;
    bool has_native_code = false;  ///< Some version of it has.
    bool is_dynamic = false;       ///< A DynamicMethod.
    bool is_collectible = false;   ///< The type's loader allocator is; a generic method over a collectible argument is not told.
};

class DataAccess {
public:
    constexpr DataAccess() noexcept = default;
    DataAccess(const DataAccess&) = delete;
    DataAccess& operator=(const DataAccess&) = delete;

    /// Once per object, which must then live as long as the process: the DAC keeps its data target and is never unloaded.
    /// absent: it can't be opened; unsupported: it can and does not fit. `reason` then says more.
    [[nodiscard]] Status load(const char* dac_path, Address runtime_base, const memory::Reader& reader, std::uint32_t machine) noexcept;
    [[nodiscard]] bool is_available() const noexcept { return is_available_.load(std::memory_order_acquire); }  // partner: load's release
    /// "" or why it is not available; valid as long as this object.
    [[nodiscard]] const char* reason() const noexcept { return is_available() ? "" : reason_.data(); }

    /// absent: not a live method descriptor. faulted: memory changed under each of several looks.
    [[nodiscard]] Status describe_method(Address method, MethodDescription& description) noexcept;
    /// describe_method was ok, and the method can't be unloaded: its next queries need not check it again.
    void vouch_for(Address method) noexcept;
    /// All code versions as they are now, in the runtime's order: the first version, then the others, newest first.
    [[nodiscard]] Status list_versions(Address method, CodeVersionList& versions) noexcept;
    /// `is_remembered`: the list is an older one. As above, but an older complete list will do if it holds `code`: enough to learn the tier of `code`, which never changes once it has code.
    /// The caller vouches that the method can't be unloaded: no DynamicMethod, no collectible type or type argument.
    [[nodiscard]] Status list_versions_with_code(Address method, Address code, CodeVersionList& versions, bool& is_remembered) noexcept;

    /// The one AppDomain of this process, which lives as long as the process. unknown: the library names none or several.
    [[nodiscard]] Status find_app_domain(Address& app_domain) noexcept;
    /// Where the loader allocator is that all code lives with which can't be unloaded. unsupported: a library without that question.
    [[nodiscard]] Status find_loader_allocator(Address app_domain, Address& loader_allocator) noexcept;
    /// The method's full name, UTF-8, with a zero if `capacity` is not 0; what does not fit is cut at a character. `needed` counts the zero. Names
    /// longer than kMaxNameUnits are cut. absent: not a live method descriptor.
    [[nodiscard]] Status name_method(Address method, char* utf8, std::size_t capacity, std::size_t& needed) noexcept;
    static constexpr std::size_t kMaxNameUnits = 4096;

    [[nodiscard]] std::uint64_t queries() const noexcept { return queries_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t cache_hits() const noexcept { return cache_hits_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t target_reads() const noexcept { return target_.reads(); }

private:
    static constexpr std::size_t kReasonBytes = 512;
    struct RawVersions;

    void explain(const char* what, const char* detail) noexcept;
    [[nodiscard]] const char* start_locked(void* library) noexcept;  // "" or the obstacle
    void begin_query_locked(QueryKind kind) noexcept;
    [[nodiscard]] Status begin_method_query_locked(Address method, QueryKind kind) noexcept;
    template <typename Ask>
    [[nodiscard]] Status ask_still_memory_locked(Ask ask) noexcept;
    [[nodiscard]] Status look_up_locked(Address method, MethodDescription& description) noexcept;
    [[nodiscard]] Status name_method_locked(Address method, char* utf8, std::size_t capacity, std::size_t& needed) noexcept;
    [[nodiscard]] Status validate_locked(Address method) noexcept;
    [[nodiscard]] Status read_versions_locked(Address method, RawVersions& versions) noexcept;
    void show_one_active_locked(const RawVersions& versions) noexcept;
    [[nodiscard]] Status describe_locked(Address method, const RawVersions& versions, MethodDescription& description) noexcept;
    [[nodiscard]] Status list_versions_locked(Address method, bool may_be_kept, CodeVersionList& versions) noexcept;

    os::Mutex mutex_;
    std::atomic<bool> is_available_ = false;
    bool was_loaded_ = false;
    ClrDataProcess* process_ = nullptr;
    SosDac* sos_ = nullptr;
    SosDac5* sos5_ = nullptr;
    SosDac6* sos6_ = nullptr;
    std::atomic<std::uint64_t> queries_ = 0;
    std::atomic<std::uint64_t> cache_hits_ = 0;
    std::array<char, kReasonBytes> reason_{};
    DataTarget target_;
    VersionCache cache_;
};

}  // namespace tierup::clr
