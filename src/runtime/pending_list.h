// What     The pending background compilations as one list: the one being compiled, the queue, those whose threshold is reached.
// What not Does not wait and does not judge idle (process_view.h).
// Threads  Any preemptive thread, several at once. It is a moment's picture: the runtime goes on meanwhile.
// Failure  unsupported without the manager. What is being compiled is named only where its JIT start was seen; else it is listed without a name.
#pragma once

#include <array>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "base/tier.h"
#include "os/mutex.h"
#include "runtime/counted_cell.h"
#include "runtime/manager_view.h"
#include "runtime/pending_completions.h"
#include "runtime/signal_hub.h"

namespace tierup::runtime {

/// The fields of tierup_pending_compilation.
struct PendingCompilation {
    /// The numbers of tierup_pending_state.
    enum class State : std::uint32_t { threshold_reached = 1, queued = 2, compiling = 3 };

    Address method;
    Address version;  ///< Null while it has none.
    State state{};
    Tier target_tier = Tier::unknown;
};

/// Where a listing goes: the caller's own array of whatever `put` makes.
struct PendingListing {
    void* to = nullptr;
    std::uint32_t capacity = 0;
    void (*put)(void* to, std::uint32_t index, const PendingCompilation& item) noexcept = nullptr;
};

class PendingList {
public:
    struct Parts {
        ManagerView& manager;
        PendingCompletions& completions;
        const CountedCell& counted_cell;
        const SignalHub& hub;
        const memory::Reader& reader;
        clr::DataAccess& data_access;
    };
    explicit PendingList(const Parts& parts) noexcept : at_(parts) {}
    PendingList(const PendingList&) = delete;
    PendingList& operator=(const PendingList&) = delete;

    /// `count` is how many there are, also beyond the room. The first listings search for the place of the pending completions: about 1 ms, once (.NET 9: 20 ms).
    [[nodiscard]] Status list(const PendingListing& listing, std::uint32_t& count) noexcept;

    /// So many entries of the queue and of the completions are looked at; what is behind them is counted, not listed.
    static constexpr std::uint32_t kMaxListed = 1u << 13;

private:
    void add_compiling(const PendingListing& listing, std::uint32_t& count) const noexcept;
    [[nodiscard]] Status add_queued(const PendingListing& listing, std::uint32_t& count) noexcept;
    void locate_completions() noexcept;
    void add_completions(const PendingListing& listing, std::uint32_t& count) noexcept;

    Parts at_;
    bool is_completions_open_ = false;  // under mutex_
    os::Mutex mutex_;                   // protects the two scratch areas
    std::array<layout::QueuedVersion, kMaxListed> queued_{};
    std::array<PendingCompletion, kMaxListed> completing_{};
};

}  // namespace tierup::runtime
