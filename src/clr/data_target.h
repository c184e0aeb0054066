// What     The ICLRDataTarget through which the DAC reads this process: memory by a Reader, the runtime's base, the machine type.
// What not No threads, no registers, no writing: those answer E_NOTIMPL.
// Threads  Called by the DAC inside our own calls, so under DataAccess's mutex.
// Failure  A read that gets some bytes succeeds with that many, as clrdata.idl says; none at all is E_FAIL.
// Source   clrdata.idl (dotnet/diagnostics, src/shared/inc) at 3c9f99e8251b.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/address.h"
#include "clr/dac_abi.h"
#include "clr/page_cache.h"
#include "memory/reader.h"

namespace tierup::clr {

class DataTarget {
public:
    constexpr DataTarget() noexcept = default;
    DataTarget(const DataTarget&) = delete;
    DataTarget& operator=(const DataTarget&) = delete;

    /// Before the first use. The reader must outlive the DAC, that is, the process.
    void open(Address runtime_base, const memory::Reader& reader, std::uint32_t machine) noexcept;

    /// What CLRDataCreateInstance takes: an object whose first word points to its table.
    [[nodiscard]] void* as_interface() noexcept { return this; }

    /// Each query of the DAC must see memory anew.
    void begin_query(QueryKind kind) noexcept {
        mark_ = {};
        pages_.begin_query(*reader_, kind);
    }

    /// Until the query's end everybody who reads the byte at `at` through this target sees its lowest bit set. Memory itself is never written.
    void show_marked(Address at) noexcept { mark_ = at; }

    /// For our own look at what the DAC is about to see: same pages, all `bytes` or faulted.
    [[nodiscard]] Status try_read(Address from, void* to, std::uint32_t bytes) noexcept {
        return copy_some(from, static_cast<std::uint8_t*>(to), bytes) == bytes ? Status::ok : Status::faulted;
    }

    /// All that this query has seen, big reads aside, was there at one moment; see PageCache.
    [[nodiscard]] bool is_still() const noexcept { return pages_.is_still(*reader_); }

    [[nodiscard]] std::uint64_t reads() const noexcept { return reads_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t pages_read() const noexcept { return pages_.pages_read(); }

private:
    friend struct DataTargetTable;

    [[nodiscard]] std::uint32_t copy_some(Address from, std::uint8_t* to, std::uint32_t bytes) noexcept;
    [[nodiscard]] std::uint32_t copy_pages(Address from, std::uint8_t* to, std::uint32_t bytes) noexcept;

    const ClrDataTargetSlots* slots_ = nullptr;  // must stay first: the foreign side finds its functions here
    const memory::Reader* reader_ = nullptr;
    Address runtime_base_;
    Address mark_;  // null: nothing is shown otherwise than it is
    std::uint32_t machine_ = 0;
    std::atomic<std::uint64_t> reads_ = 0;
    PageCache pages_;
};

}  // namespace tierup::clr
