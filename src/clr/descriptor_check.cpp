// What     The pointer checks of descriptor_check.h.
// What not See there.
#include "clr/descriptor_check.h"

#include <cstdint>

#include "clr/plausible_address.h"

namespace tierup::clr {

namespace {

// MethodDesc: m_chunkIndex, a byte at +2, counts 8-byte units back to the first descriptor of the chunk.
constexpr std::int64_t kChunkIndexOffset = 2;
constexpr std::int64_t kAlignment = 8;  // MethodDesc::ALIGNMENT
// MethodDescChunk: what the DAC would take for granted. Its descriptors follow the 24 bytes.
struct ChunkHeader {
    std::uint64_t method_table;
    std::uint64_t next;        // another chunk of the same type, or null
    std::uint8_t last_unit;    // m_size: 8-byte units behind the header, less one
    std::uint8_t last_method;  // m_count: descriptors, less one
    std::uint16_t flags_and_token_range;
    std::uint32_t padding;  // loader heaps are zeroed
};
static_assert(sizeof(ChunkHeader) == 24);
constexpr unsigned kMinDescriptorUnits = 2;  // 8 bytes and at least one pointer: seen on 8.0.34; 16 bytes from 9 on
// MethodTable: the EEClass, or the canonical method table with bit 0 set.
constexpr std::int64_t kClassOrCanonicalOffset = 0x28;
// EEClass: m_pMethodTable, back to the canonical method table.
constexpr std::int64_t kClassMethodTableOffset = 16;

// MethodDesc: m_wFlags at +6, its low bits the classification; 7 is mcDynamic: DynamicMethods and the runtime's own IL stubs.
constexpr std::int64_t kFlagsOffset = 6;
constexpr std::uint16_t kClassificationMask = 7;
constexpr std::uint16_t kDynamic = 7;
// DynamicMethodDesc: m_pResolver, +0x20 on 8.0, +0x28 from 9.0 on. LCGMethodResolver: m_pDynamicMethod +8, back to the descriptor, and
// m_managedResolver +16, a handle: null before the descriptor's first use and after its DynamicMethod was collected.
constexpr std::int64_t kResolverOffsets[] = {0x20, 0x28};
constexpr std::int64_t kResolverMethodOffset = 8;
constexpr std::int64_t kManagedResolverOffset = 16;

bool try_read_pointer(DataTarget& target, Address at, Address& value) noexcept {
    std::uint64_t word = 0;
    if (at.value() % sizeof word != 0 || target.try_read(at, &word, sizeof word) != Status::ok) {
        return false;
    }
    value = Address(word);
    return is_plausible(word);
}

/// The DAC follows the handle unasked (GetMethodDescData, for managedDynamicMethodObject): a null one crashes the process.
bool is_live_dynamic_method(DataTarget& target, Address method) noexcept {
    for (const std::int64_t offset : kResolverOffsets) {
        Address resolver;
        Address back;
        if (try_read_pointer(target, method.plus(offset), resolver) &&
            try_read_pointer(target, resolver.plus(kResolverMethodOffset), back) && back == method) {
            Address handle;
            return try_read_pointer(target, resolver.plus(kManagedResolverOffset), handle);
        }
    }
    return false;
}

bool is_chunk_header(DataTarget& target, const ChunkHeader& chunk, unsigned method_unit) noexcept {
    if (!is_plausible(chunk.method_table) || chunk.padding != 0 || method_unit + kMinDescriptorUnits > chunk.last_unit + 1u ||
        (chunk.last_method + 1u) * kMinDescriptorUnits > chunk.last_unit + 1u) {
        return false;
    }
    if (chunk.next == 0) {
        return true;
    }
    Address next_method_table;
    return is_plausible(chunk.next) && try_read_pointer(target, Address(chunk.next), next_method_table) &&
           next_method_table == Address(chunk.method_table);
}

bool is_method_table(DataTarget& target, Address method_table) noexcept {
    Address class_or_canonical;
    if (!try_read_pointer(target, method_table.plus(kClassOrCanonicalOffset), class_or_canonical)) {
        return false;
    }
    Address canonical = method_table;
    if ((class_or_canonical.value() & 1) != 0) {
        canonical = class_or_canonical.plus(-1);
        if (!try_read_pointer(target, canonical.plus(kClassOrCanonicalOffset), class_or_canonical)) {
            return false;
        }
    }
    Address back;
    return try_read_pointer(target, class_or_canonical.plus(kClassMethodTableOffset), back) && back == canonical;
}

}  // namespace

Status check_descriptor(DataTarget& target, Address method) noexcept {
    std::uint8_t index = 0;
    if (!is_plausible(method.value()) || method.value() % kAlignment != 0 ||
        target.try_read(method.plus(kChunkIndexOffset), &index, sizeof index) != Status::ok) {
        return Status::absent;
    }
    const Address at = method.plus(-static_cast<std::int64_t>(sizeof(ChunkHeader)) - kAlignment * index);
    ChunkHeader chunk{};
    if (target.try_read(at, &chunk, sizeof chunk) != Status::ok || !is_chunk_header(target, chunk, index) ||
        !is_method_table(target, Address(chunk.method_table))) {
        return Status::absent;
    }
    std::uint16_t flags = 0;
    if (target.try_read(method.plus(kFlagsOffset), &flags, sizeof flags) != Status::ok ||
        ((flags & kClassificationMask) == kDynamic && !is_live_dynamic_method(target, method))) {
        return Status::absent;
    }
    return Status::ok;
}

}  // namespace tierup::clr
