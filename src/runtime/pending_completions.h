// What     The methods whose threshold is reached and that the worker has not queued yet: how many, and which.
// What not Not the queue (the tiering manager's), not collectible code (it does not tier), not methods counted without stubs (they are queued at once).
// Threads  open: once, before the rest. offer_cell, list: any preemptive thread, serialised by nobody but a turn. count, figures: any.
// Failure  Not known until located by two offers of cells; eight searches that failed, or fields that break their equations, disable it.
// Source   dotnet/runtime src/coreclr/vm/callcounting.cpp, OnCallCountThresholdReached and CompleteCallCounting; layout/counting_manager_search.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "layout/counting_manager_search.h"
#include "memory/reader.h"

namespace tierup::runtime {

struct PendingCompletion {
    Address version;  ///< The method descriptor where the first version is counted, else the counted version's node.
    bool is_node = false;
    Address cell;
};

struct PendingCount {
    std::uint32_t count = 0;
    bool is_known = false;
};

struct PendingCompletionsFigures {
    const char* reason = "";  ///< "" once located, else what is missing; lives as long as the process.
    Address hash;             ///< Null until found.
    std::uint32_t array_offset = 0;
    std::uint64_t search_ns = 0;  ///< The longest search for the hash table.
};

class PendingCompletions {
public:
    constexpr PendingCompletions() noexcept = default;
    PendingCompletions(const PendingCompletions&) = delete;
    PendingCompletions& operator=(const PendingCompletions&) = delete;

    /// `range`: the global loader allocator, or libcoreclr's variables (os::Module::data), which hold it. `reader` lives as long as this.
    [[nodiscard]] Status open(const memory::Reader& reader, Address range, std::uint32_t range_bytes) noexcept;

    /// The counting cell of a method that is alive and not collectible. The first such offer finds the hash table; the array is found by one whose threshold
    /// is reached, or was: a probe's cell may be offered again at any time, as long as stubs are not deleted.
    /// ok: located, now or before. not_started: the table is found, the array not yet. absent, unknown: this cell does not help; see counting_manager_search.h.
    Status offer_cell(Address cell) noexcept;

    /// By plain loads of the manager, which the runtime never frees (the global loader allocator's).
    [[nodiscard]] PendingCount count() const noexcept;

    /// In the order in which they reached their threshold, as many as there is room for; `count` is how many there are. unknown: they changed each time.
    [[nodiscard]] Status list(std::span<PendingCompletion> items, std::uint32_t& count) noexcept;

    [[nodiscard]] bool is_located() const noexcept {
        return state_.load(std::memory_order_acquire) == State::located;
    }  // partner: set_state
    [[nodiscard]] PendingCompletionsFigures figures() const noexcept;

private:
    enum class State : std::uint8_t { closed, searching, located, disabled };

    void set_state(State state) noexcept { state_.store(state, std::memory_order_release); }  // partner: the acquire loads of state_
    [[nodiscard]] Status read_array(layout::RecordArray& array) noexcept;
    [[nodiscard]] Status list_once(std::span<PendingCompletion> items, std::uint32_t& count) noexcept;

    const memory::Reader* reader_ = nullptr;
    Address range_;
    std::uint32_t range_bytes_ = 0;
    std::uint32_t failed_searches_ = 0;
    std::uint32_t array_offset_ = 0;  ///< Written once, before state_ becomes located.
    std::atomic<std::uint64_t> hash_ = 0;
    std::atomic<std::uint64_t> search_ns_ = 0;
    std::atomic<State> state_ = State::closed;
    std::atomic<bool> is_searching_ = false;
};

}  // namespace tierup::runtime
