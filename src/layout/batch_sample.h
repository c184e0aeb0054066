// What     What stood in the AppDomain inside one event callback on the background worker's thread, with the event's own number.
// What not Judges nothing (batch_vote.h), keeps no list of samples (runtime/sample_ring.h).
// Threads  take: on the worker, inside the callback, where nobody but the worker takes from the queue. Else a value.
// Failure  A sample whose AppDomain can't be read is none. Where more than kMaxWalks offsets look like a queue, the rest is not walked.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, DoBackgroundWork: what the batch events' PendingMethodCount is made of.
#pragma once

#include <array>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "layout/app_domain_image.h"
#include "memory/reader.h"

namespace tierup::layout {

inline constexpr std::uint32_t kMaxWalks = 8;         ///< One was seen where the queue was not empty.
inline constexpr std::uint32_t kMaxSampleNodes = 32;  ///< A longer queue is not walked in a callback, and the sample says nothing of it.

/// An offset at which a queue that is not empty leads from head to tail.
struct WalkedQueue {
    std::uint32_t list_offset = 0;
    std::uint32_t nodes = 0;
};

struct BatchSample {
    AppDomainImage image;
    bool has_pending_count = false;   ///< A batch event. Else a method_loaded on the worker, which tells no count.
    std::uint32_t pending_count = 0;  ///< Queued versions and, where completion is pending, methods pending completion.
    std::array<WalkedQueue, kMaxWalks> walks{};
    std::uint32_t walk_count = 0;
    bool is_walk_cut = false;  ///< More offsets than kMaxWalks have a queue.

    [[nodiscard]] bool was_walked(std::uint32_t list_offset) const noexcept;

    /// Of a method_loaded.
    [[nodiscard]] Status take(const memory::Reader& reader, Address app_domain) noexcept;
    /// Of a batch event that told `count` pending methods.
    [[nodiscard]] Status take_counted(const memory::Reader& reader, Address app_domain, std::uint32_t count) noexcept;

private:
    [[nodiscard]] Status copy_and_walk(const memory::Reader& reader, Address app_domain, std::uint32_t max_nodes) noexcept;
};

}  // namespace tierup::layout
