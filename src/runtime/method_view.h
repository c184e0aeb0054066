// What     One method's state: gathers the facts through one of memory's doors and has decide() judge them.
// What not Keeps no methods (method_table.h), waits for nothing (method_probe.h).
// Threads  poll: cooperative mode only. resolve: any preemptive thread, any number at once.
// Failure  Undecided answers with a reason; every loop is bounded.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "base/code_version.h"
#include "base/status.h"
#include "clr/data_access.h"
#include "decode/shape.h"
#include "memory/reader.h"
#include "runtime/answer.h"
#include "runtime/counted_cell.h"
#include "runtime/decide.h"
#include "runtime/entry_walk.h"
#include "runtime/method_record.h"
#include "runtime/settings.h"
#include "runtime/worker_watch.h"

namespace tierup::runtime {

/// What is looked at. `record` may be null (methods that can unload); it only holds hints.
struct MethodSubject {
    Address real_method{};
    WalkStart start{};
    Address native_code_slot{};
    std::uint32_t kinds = 0;
    MethodRecord* record = nullptr;
};

[[nodiscard]] MethodSubject subject_of(MethodRecord& record) noexcept;

struct Resolution {
    Answer answer;
    EntryState entry;
    std::array<std::uint8_t, decode::kWindowBytes>
        unknown_bytes{};  ///< What the entry point leads to, where nobody could tell what that is.
};

class MethodView {
public:
    /// What a look at one method takes from the rest of the process, and gives to it.
    struct Surroundings {
        const WorkerWatch& worker;
        CountedCell& counted_cell;
    };

    MethodView(const memory::Reader& reader, clr::DataAccess& data_access, const Settings& settings, const WalkPlace& place,
               const Surroundings& surroundings) noexcept
        : reader_(reader), data_access_(data_access), settings_(settings), place_(place), around_(surroundings) {}

    /// [cooperative] By plain loads; says needs_resolve where they are not enough.
    [[nodiscard]] std::uint64_t poll(MethodRecord& record) const noexcept;

    /// [cooperative] The same for one who spins while a compile is under way: code that was counted out and not replaced yet reads as a pending
    /// promotion, though it might be an abandoned one.
    [[nodiscard]] std::uint64_t glance(MethodRecord& record) const noexcept;

    /// How long the last listing of code versions took; 0 before the first.
    [[nodiscard]] std::uint64_t listing_cost_ns() const noexcept { return listing_cost_ns_.load(std::memory_order_relaxed); }

    /// By checked copies and, where needed, the DAC. `versions` not null: always asks, and fills it.
    [[nodiscard]] Resolution resolve(const MethodSubject& subject, CodeVersionList* versions) const noexcept;

    /// Where the entry point leads now, by checked copies.
    [[nodiscard]] EntryState look_at_entry(const MethodSubject& subject) const noexcept;

    /// Where walks from this entry point begin. A stub that names another method is invalid_argument; an entry point that is code itself has no
    /// slot and is ok.
    [[nodiscard]] Status find_start(Address entry_point, Address real_method, WalkStart& start) const noexcept;

    /// What the first slot holds now: one checked copy. False where it can't be read or there is no such slot.
    [[nodiscard]] bool try_read_first_target(const MethodRecord& record, std::uint64_t& target) const noexcept;

    [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

    /// Before the first use.
    void set_place(const WalkPlace& place) noexcept { place_ = place; }

private:
    [[nodiscard]] bool still_leads_to(const MethodSubject& subject, const EntryState& entry) const noexcept;
    struct Look;
    [[nodiscard]] Look look(const MethodSubject& subject, bool must_be_fresh, bool wants_versions,
                            CodeVersionList& versions) const noexcept;
    [[nodiscard]] Truth has_code(const MethodSubject& subject) const noexcept;
    [[nodiscard]] MethodFacts look_plainly(MethodRecord& record) const noexcept;
    void remember_counting(MethodRecord* record, const EntryState& entry) const noexcept;
    void recall_deleted_stub(const MethodSubject& subject, MethodFacts& facts) const noexcept;
    [[nodiscard]] static bool knows_last_tier(const MethodSubject& subject, Address code, CodeVersionList& versions) noexcept;
    /// True: the list is an older one that was remembered.
    bool gather_versions(const MethodSubject& subject, bool must_be_fresh, MethodFacts& facts, CodeVersionList& versions) const noexcept;

    const memory::Reader& reader_;
    clr::DataAccess& data_access_;
    const Settings& settings_;
    WalkPlace place_;
    Surroundings around_;
    mutable std::atomic<std::uint64_t> listing_cost_ns_ = 0;
};

}  // namespace tierup::runtime
