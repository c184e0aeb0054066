// What     Where the tiering manager's fields stand: offsets from the AppDomain, all of them or none.
// What not No reading (runtime/manager_view) and no searching (pending_list_search, batch_vote).
// Threads  Values only; a found layout never changes.
// Failure  A layout is poisoned until it is filled; is_complete() is false then, and each offset leads outside any AppDomain.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.h, TieredCompilationManager; inc/slist.h, whose list has a sentinel up to 10.0 and none in 11.0;
//          reference: docs/RUNTIME.md, "Where the facts stand".
#pragma once

#include <cstdint>

namespace tierup::layout {

inline constexpr std::uint32_t kPoison = 0xDEAD'0000;

/// The fields lie together; the distances between them are the same in every runtime and on every platform that was measured (8.0 to 11.0).
///
/// The queue's ends. 8.0 to 10.0: a sentinel, whose next is the first entry; then always its address; then the last entry, or again the sentinel's
/// address. 11.0: another field; then the last entry; then the first, both null where the queue is empty. Ask QueueEnds (manager_fields.h).
inline constexpr std::uint32_t kSentinelBeforeList = 32;
inline constexpr std::uint32_t kOneEndBeforeList = 24;
inline constexpr std::uint32_t kOtherEndBeforeList = 16;
inline constexpr std::uint32_t kQueuedCountBeforeList = 8;
inline constexpr std::uint32_t kNewMethodCountBeforeList = 4;
inline constexpr std::uint32_t kRecentlyRecordedBehindList = 8;
inline constexpr std::uint32_t kCompletionPendingBehindList = 9;
inline constexpr std::uint32_t kRecentlyRequestedBehindList = 10;

/// How it was found; both may have found it, and then they agreed.
enum FoundBy : std::uint8_t { found_by_nothing = 0, found_by_pending_list = 1, found_by_batch_events = 2 };

struct ManagerLayout {
    std::uint32_t list_offset = kPoison;   ///< Of the pointer to the list of methods pending call counting.
    std::uint32_t entry_offset = kPoison;  ///< Of a pointer to one of the queue's entries that is null where the queue is empty.
    std::uint8_t found_by = found_by_nothing;

    [[nodiscard]] constexpr bool is_complete() const noexcept { return list_offset != kPoison && entry_offset != kPoison; }
    [[nodiscard]] constexpr bool agrees_with(const ManagerLayout& other) const noexcept {
        return list_offset == other.list_offset && entry_offset == other.entry_offset;
    }
};

/// How far an AppDomain is searched; the greatest offset seen is 0xed8 (8.0).
inline constexpr std::uint32_t kAppDomainBytes = 0x2000;

}  // namespace tierup::layout
