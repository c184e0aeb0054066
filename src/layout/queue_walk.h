// What     Walks the queue of versions to be compiled, from its first entry, by checked copies.
// What not Does not follow the versions themselves (runtime/version_nodes).
// Threads  Any. On another thread than the worker's the queue may move meanwhile: see walk_queue.
// Failure  unknown: what was read is no such queue (any more). exhausted: longer than kMaxQueueNodes.
// Source   dotnet/runtime src/coreclr/inc/slist.h (SListElem: m_pNext, m_Value), vm/codeversion.h (NativeCodeVersion: m_storageKind, m_pVersionNode);
//          seen so on 8.0.34, 9.0.23, 10.0.15 and 11.0.0.
#pragma once

#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "base/tier.h"
#include "layout/manager_fields.h"
#include "memory/reader.h"

namespace tierup::layout {

/// More than any program was seen to queue; bounds every walk.
inline constexpr std::uint32_t kMaxQueueNodes = 1u << 16;

/// NativeCodeVersion::Explicit: the version has a node of its own, as every version but the first has. Queued ones are never the first.
inline constexpr std::uint32_t kExplicitStorage = 1;

/// SListElem<NativeCodeVersion>.
struct QueueNode {
    std::uint64_t next = 0;
    std::uint32_t storage_kind = 0;
    std::uint32_t padding = 0;
    std::uint64_t version_node = 0;

    [[nodiscard]] bool fits() const noexcept;
};
static_assert(sizeof(QueueNode) == 24);

[[nodiscard]] Status try_read_node(const memory::Reader& reader, Address at, QueueNode& node) noexcept;

/// Which end is which: the last leads nowhere. unknown: neither end does.
[[nodiscard]] Status orient(const memory::Reader& reader, QueueEnds& queue) noexcept;

/// ok: exactly `count` nodes lead from the first to the last, each fitting, and the last leads nowhere. An empty queue is ok.
/// `max_nodes`: a longer queue is exhausted, after so many nodes that fitted.
[[nodiscard]] Status check_queue(const memory::Reader& reader, const QueueEnds& ends, std::uint32_t max_nodes = kMaxQueueNodes) noexcept;

/// One entry of the queue. `method` and `target_tier` are filled by who can resolve a version node (runtime/version_nodes).
struct QueuedVersion {
    Address list_node;
    Address version_node;
    Address method;
    Tier target_tier = Tier::unknown;
};

/// How often a walk is begun anew because the queue was not what it had been.
inline constexpr std::uint32_t kQueueTries = 8;

/// The queue in its order, as many entries as there is room for; `count` is how many there are. faulted: it changed in each of kQueueTries tries.
[[nodiscard]] Status copy_queue(const memory::Reader& reader, Address list_at, std::span<QueuedVersion> versions,
                                std::uint32_t& count) noexcept;

}  // namespace tierup::layout
