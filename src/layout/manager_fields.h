// What     The tiering manager's fields as they stand around the pending list's pointer, copied at one offset, and whether they fit each other.
// What not Follows no pointer: queue_walk.h and method_list.h do.
// Threads  Values only.
// Failure  A copy made while the runtime writes may be torn: fits then says false, and the caller copies again.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.h (order of the members), tieredcompilation.cpp (what they hold), slist.h (ends).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "layout/manager_layout.h"
#include "memory/reader.h"

namespace tierup::layout {

/// The queue without regard to how the runtime's list class keeps its ends.
struct QueueEnds {
    std::uint64_t first = 0;  ///< SListElem of the first queued version; null where the queue is empty.
    std::uint64_t last = 0;
    std::uint32_t count = 0;
    bool is_order_known = false;  ///< Else `first` may be the last and `last` the first: orient (queue_walk.h) tells.

    /// Equations: first = null <=> last = null <=> count = 0; first = last <=> count <= 1; each is null or an object's.
    [[nodiscard]] bool fits() const noexcept;
};

/// In the runtime's order, beginning kSentinelBeforeList before the list's pointer.
struct ManagerFields {
    std::uint64_t sentinel_next = 0;
    std::uint64_t one_end = 0;
    std::uint64_t other_end = 0;
    std::uint32_t queued_count = 0;
    std::uint32_t new_method_count = 0;
    std::uint64_t list = 0;  ///< SArray of the methods pending call counting; null where no delay is active.
    std::uint8_t recently_recorded = 0;
    std::uint8_t completion_is_pending = 0;
    std::uint8_t recently_requested = 0;
    std::uint8_t padding[5] = {};

    /// `list_at`: where `list` stands. The sentinel's own address in `one_end` tells the form: in the other it would be an entry inside the AppDomain.
    [[nodiscard]] bool has_sentinel(Address list_at) const noexcept {
        return one_end == list_at.plus(-std::int64_t{kSentinelBeforeList}).value();
    }
    [[nodiscard]] QueueEnds queue(Address list_at) const noexcept;
    /// Each flag is 0 or 1, the list is null or an object's, and the queue's ends fit its count.
    [[nodiscard]] bool fits(Address list_at) const noexcept;
    [[nodiscard]] ManagerLayout layout_at(Address list_at, std::uint32_t list_offset, FoundBy found_by) const noexcept;
};
static_assert(sizeof(ManagerFields) == 48);
static_assert(offsetof(ManagerFields, list) == kSentinelBeforeList);
static_assert(offsetof(ManagerFields, one_end) == kSentinelBeforeList - kOneEndBeforeList);
static_assert(offsetof(ManagerFields, other_end) == kSentinelBeforeList - kOtherEndBeforeList);
static_assert(offsetof(ManagerFields, queued_count) == kSentinelBeforeList - kQueuedCountBeforeList);
static_assert(offsetof(ManagerFields, new_method_count) == kSentinelBeforeList - kNewMethodCountBeforeList);
static_assert(offsetof(ManagerFields, recently_recorded) == kSentinelBeforeList + kRecentlyRecordedBehindList);
static_assert(offsetof(ManagerFields, completion_is_pending) == kSentinelBeforeList + kCompletionPendingBehindList);
static_assert(offsetof(ManagerFields, recently_requested) == kSentinelBeforeList + kRecentlyRequestedBehindList);

/// The offsets that a list pointer can have in an AppDomain of `bytes` bytes: each multiple of 8 with its neighbours inside.
inline constexpr std::uint32_t kFirstListOffset = kSentinelBeforeList;
inline constexpr std::uint32_t kListOffsetStep = 8;
[[nodiscard]] constexpr bool is_list_offset(std::uint32_t offset, std::uint32_t bytes) noexcept {
    return offset % kListOffsetStep == 0 && offset >= kFirstListOffset && offset <= kAppDomainBytes &&
           offset - kSentinelBeforeList + sizeof(ManagerFields) <= bytes;
}

/// From a copy of the AppDomain; the caller has checked is_list_offset.
[[nodiscard]] ManagerFields fields_in(std::span<const std::uint8_t> app_domain, std::uint32_t list_offset) noexcept;
/// From memory; `list_at` is where the list's pointer stands.
[[nodiscard]] Status try_read_fields(const memory::Reader& reader, Address list_at, ManagerFields& fields) noexcept;

}  // namespace tierup::layout
