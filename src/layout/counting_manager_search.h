// What     Finds the runtime's call counting manager by one method's counting cell: the hash table that holds the cell's record, and the array of records
//          whose threshold is reached.
// What not Keeps nothing and lists nothing (runtime/pending_completions.h).
// Threads  Any preemptive thread; the runtime runs on meanwhile, all reads are kernel-checked.
// Failure  absent: no place fits. unknown: two places fit, or the record does not. faulted: the range can't be read. exhausted: a cap.
// Source   dotnet/runtime src/coreclr/vm/callcounting.h (CallCountingManager, CallCountingInfo), inc/shash.h, inc/sbuffer.h; seen so on 8.0.34, 9.0.23,
//          10.0.15 and 11.0.0 (linux-x64).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "memory/reader.h"

namespace tierup::layout {

/// CallCountingInfo. The cell is the address of remaining_calls.
struct CountingRecord {
    std::uint32_t version_kind = 0;  ///< NativeCodeVersion::StorageKind; the other half of the word holds anything.
    std::uint32_t padding = 0;
    std::uint64_t version = 0;  ///< The method descriptor (kind synthetic) or the version's node (kind explicit).
    std::uint64_t stub = 0;     ///< Null without counting stubs and after their deletion.
    std::uint16_t remaining_calls = 0;
    std::uint8_t stage = 0;
    std::uint8_t padding2[5] = {};

    /// Equations: the kind is one of two; version is an object's; the stage is one of CallCountingInfo's that a counted method has.
    [[nodiscard]] bool fits() const noexcept;
};
static_assert(sizeof(CountingRecord) == 32);
inline constexpr std::uint32_t kCellInRecord = 24;
static_assert(offsetof(CountingRecord, remaining_calls) == kCellInRecord);

inline constexpr std::uint32_t kVersionIsNode = 1;    // NativeCodeVersion::StorageKind::Explicit, vm/codeversion.h
inline constexpr std::uint32_t kVersionIsMethod = 2;  // NativeCodeVersion::StorageKind::Synthetic
inline constexpr std::uint8_t kStagePending = 2;      // CallCountingInfo::Stage::PendingCompletion, 8.0 to 11.0
inline constexpr std::uint8_t kStageComplete = 3;     // CallCountingInfo::Stage::Complete

/// SHash of records by code version.
struct RecordHash {
    std::uint64_t table = 0;
    std::uint32_t size = 0;
    std::uint32_t count = 0;
    std::uint32_t occupied = 0;
    std::uint32_t most = 0;

    /// Equations: count <= occupied <= most = 3/4 size; at least the smallest table.
    [[nodiscard]] bool fits() const noexcept;
};
static_assert(sizeof(RecordHash) == 24);

/// SArray of pointers to records.
struct RecordArray {
    std::uint32_t size_bytes = 0;
    std::uint32_t allocated_bytes = 0;
    std::uint32_t flags = 0;
    std::uint32_t padding = 0;  ///< Holds anything.
    std::uint64_t buffer = 0;

    [[nodiscard]] std::uint32_t count() const noexcept { return size_bytes / 8; }
    /// Equations: size <= allocated, whole pointers (allocated need not be: it grows by half); no buffer <=> nothing allocated.
    [[nodiscard]] bool fits() const noexcept;
};
static_assert(sizeof(RecordArray) == 24);

inline constexpr std::uint32_t kMaxHashSize = 1u << 22;
inline constexpr std::uint32_t kMaxPendingRecords = 1u << 16;
/// The hash table stands at the manager's beginning (8 to 10) or 8 bytes behind it (11).
inline constexpr std::uint32_t kMaxHashOffset = 64;
/// The array was seen 0x148 bytes behind the hash (8 to 10) and 0x188 (11).
inline constexpr std::uint32_t kMaxArrayOffset = 0x400;
inline constexpr std::uint32_t kMaxManagerRangeBytes = 4u << 20;

/// `range`: where a pointer to the manager is: the global loader allocator, or the runtime's writable data, which holds it.
/// ok: the one hash table that holds the cell's record.
[[nodiscard]] Status search_record_hash(const memory::Reader& reader, Address range, std::uint32_t range_bytes, Address cell,
                                        Address& hash) noexcept;

/// The cell's record has reached its threshold (stage 2), or had (stage 3: cleared arrays keep their content). ok: the one array that holds it.
/// not_started: it has not.
[[nodiscard]] Status search_record_array(const memory::Reader& reader, Address hash, Address cell, std::uint32_t& array_offset) noexcept;

}  // namespace tierup::layout
