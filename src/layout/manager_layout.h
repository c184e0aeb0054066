// What     Where the tiering manager's fields stand: offsets from the AppDomain, all of them or none.
// What not No reading (runtime/manager_view) and no searching (pending_list_search, batch_vote).
// Threads  Values only; a found layout never changes.
// Failure  A layout is poisoned until it is filled; is_complete() is false then, and each offset leads outside any AppDomain.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.h, TieredCompilationManager; reference: docs/RUNTIME.md, "Where the facts stand".
#pragma once

#include <cstdint>

namespace tierup::layout {

inline constexpr std::uint32_t kPoison = 0xDEAD'0000;

/// The fields lie together; the distances between them are the same in every runtime and on every platform that was measured (8.0 to 11.0).
inline constexpr std::uint32_t kHeadBeforeList = 24;
inline constexpr std::uint32_t kTailBeforeList = 16;
inline constexpr std::uint32_t kQueuedCountBeforeList = 8;
inline constexpr std::uint32_t kNewMethodCountBeforeList = 4;
inline constexpr std::uint32_t kRecentlyRecordedBehindList = 8;
inline constexpr std::uint32_t kCompletionPendingBehindList = 9;
inline constexpr std::uint32_t kRecentlyRequestedBehindList = 10;

/// How it was found; both may have found it, and then they agreed.
enum FoundBy : std::uint8_t { found_by_nothing = 0, found_by_pending_list = 1, found_by_batch_events = 2 };

struct ManagerLayout {
    std::uint32_t list_offset = kPoison;  ///< Of the pointer to the list of methods pending call counting.
    std::uint8_t found_by = found_by_nothing;

    [[nodiscard]] constexpr bool is_complete() const noexcept { return list_offset != kPoison; }
};

/// How far an AppDomain is searched; the greatest offset seen is 0xed8 (8.0).
inline constexpr std::uint32_t kAppDomainBytes = 0x2000;

}  // namespace tierup::layout
