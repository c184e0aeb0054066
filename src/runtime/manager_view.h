// What     The runtime's tiering manager: where it is (found by calibration), what its fields say, what stands in its queue and its list.
// What not Does not judge idle or active, attaches nothing, makes no method run.
// Threads  Each member names its rule.
// Failure  Not located, or disabled for good with a reason: each question then says so, and nothing is ever made up.
// Source   layout/manager_layout.h; the equations that are checked: dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "clr/data_access.h"
#include "clr/runtime_event.h"
#include "layout/batch_vote.h"
#include "layout/manager_layout.h"
#include "layout/queue_walk.h"
#include "memory/reader.h"
#include "os/mutex.h"
#include "runtime/lasting_mismatch.h"
#include "runtime/manager_snapshot.h"
#include "runtime/sample_ring.h"
#include "runtime/version_nodes.h"
#include "watch/clock.h"

namespace tierup::runtime {

class ManagerView {
public:
    ManagerView(const memory::Reader& reader, clr::DataAccess& data_access, watch::Clock& clock) noexcept
        : reader_(reader), data_access_(data_access), clock_(clock), versions_(reader, data_access) {}
    ManagerView(const ManagerView&) = delete;
    ManagerView& operator=(const ManagerView&) = delete;

    /// [preemptive] Asks the data access library where the AppDomain is, unless that is known. From then on samples are wanted.
    [[nodiscard]] Status find_app_domain() noexcept;
    /// [any] As a profiler knows it. The first one stays.
    void set_app_domain(Address app_domain) noexcept;

    /// [preemptive] `method` was called for the first time a moment ago. ok: located, now or before. absent: it is in no such list.
    [[nodiscard]] Status offer_probe(Address method) noexcept;
    /// [any runtime thread, in the event's callback] Two loads where no sample is wanted and no number is to be checked.
    void on_event(const clr::RuntimeEvent& event, std::uint32_t thread) noexcept;
    /// [one thread at a time, none that the JIT waits for] Judges the samples. ok: located by them, now or before. not_started: not enough yet.
    Status vote() noexcept;
    /// [any] Whether samples would still help: then a caller may provoke a batch (three fresh methods, driven over their threshold together).
    [[nodiscard]] bool wants_samples() const noexcept { return wants_samples_.load(std::memory_order_relaxed); }

    [[nodiscard]] bool is_located() const noexcept { return list_at_.load(std::memory_order_relaxed) != 0; }
    /// [any] layout::FoundBy bits.
    [[nodiscard]] std::uint8_t found_by() const noexcept { return found_by_.load(std::memory_order_relaxed); }
    /// [any] Of the pending list's pointer; null where not located.
    [[nodiscard]] Address list_address() const noexcept { return Address(list_at_.load(std::memory_order_relaxed)); }
    [[nodiscard]] Address app_domain() const noexcept { return Address(app_domain_.load(std::memory_order_relaxed)); }
    /// [any] "" where located, else why not; lives as long as the process.
    [[nodiscard]] const char* reason() const noexcept;

    /// [any] A few plain loads. false: not located or disabled.
    [[nodiscard]] bool read(ManagerSnapshot& snapshot) noexcept;

    /// [the worker's own thread, in an event's callback] The queue's first entry (a layout::QueueNode), null where it is empty, by plain loads: nobody else takes
    /// entries out. false: not located, or the ends do not fit each other.
    [[nodiscard]] bool read_first_entry(Address& first) const noexcept;
    /// [preemptive] The queue in its order; `count` is how many there are, also beyond the room.
    [[nodiscard]] Status list_queue(std::span<layout::QueuedVersion> versions, std::uint32_t& count) noexcept;
    /// [preemptive] The methods in a delay's list, the oldest first. unknown: it moved or is gone.
    [[nodiscard]] Status read_delay_methods(Address delay_list, std::span<Address> methods, std::uint32_t& count) const noexcept;
    /// [preemptive] For other places that name a version by its node.
    [[nodiscard]] VersionNodes& version_nodes() noexcept { return versions_; }

    /// So many events in a row must break an equation: a foreground thread that works between the event and our look breaks it once.
    static constexpr std::uint32_t kEventsToConfirm = 8;
    /// So often the fields are read again at once before they are told to be inconsistent.
    static constexpr std::uint32_t kRereads = 32;
    /// After the pending list located the manager, the batch events have so many samples to find the same.
    static constexpr std::uint32_t kSamplesToAgree = 256;
    /// So many questions to the library (10 us to 20 ms each) may one listing of the queue cost.
    static constexpr std::uint32_t kQuestionsPerListing = 4;

private:
    void accept(const layout::ManagerLayout& found) noexcept;
    void disable(const char* why) noexcept;
    void take_sample(const clr::RuntimeEvent& event) noexcept;
    void check_batch(const clr::RuntimeEvent& event, Address list_at) noexcept;
    void check_delay_ended(Address list_at) noexcept;

    const memory::Reader& reader_;
    clr::DataAccess& data_access_;
    watch::Clock& clock_;
    VersionNodes versions_;

    std::atomic<std::uint64_t> list_at_ = 0;   // 0: not located, or disabled
    std::atomic<std::uint64_t> entry_at_ = 0;  // set before list_at_, and never changed
    std::atomic<std::uint64_t> app_domain_ = 0;
    std::atomic<const char*> broken_ = nullptr;
    std::atomic<bool> wants_samples_ = false;
    std::atomic<std::uint8_t> found_by_ = layout::found_by_nothing;
    std::atomic<std::uint32_t> worker_thread_ = 0;
    std::atomic<std::uint32_t> batch_misfits_ = 0;
    std::atomic<std::uint32_t> delay_misfits_ = 0;
    LastingMismatch mismatch_;

    os::Mutex accept_mutex_;  // protects layout_
    layout::ManagerLayout layout_;
    os::Mutex vote_mutex_;  // protects vote_; never taken in a callback
    layout::BatchVote vote_;
    SampleRing samples_;
};

}  // namespace tierup::runtime
