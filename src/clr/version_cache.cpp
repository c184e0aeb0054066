// What     The lookup of version_cache.h.
// What not See there.
#include "clr/version_cache.h"

#include <algorithm>

namespace tierup::clr {

std::size_t VersionCache::slot_of(Address method) noexcept {
    // Method descriptors are 8-byte aligned and lie in chunks: the low bits above the alignment spread best, folded with those of the page.
    const std::uint64_t word = method.value() >> 3;
    return static_cast<std::size_t>((word ^ (word >> 10)) % kCachedMethods);
}

bool VersionCache::try_find(Address method, Address code, CodeVersionList& versions) const noexcept {
    const Slot& slot = slots_[slot_of(method)];
    if (slot.method != method || code.is_null()) {
        return false;
    }
    const auto* const end = slot.items.data() + slot.count;
    if (std::none_of(slot.items.data(), end, [code](const CodeVersion& version) { return version.code == code; })) {
        return false;
    }
    std::copy(slot.items.data(), end, versions.items.data());
    versions.count = slot.count;
    versions.is_truncated = false;
    return true;
}

void VersionCache::store(Address method, const CodeVersionList& versions) noexcept {
    Slot& slot = slots_[slot_of(method)];
    const bool is_kept = !versions.is_truncated && versions.count <= kCachedVersions;
    slot.method = method;
    slot.count = is_kept ? versions.count : 0;
    std::copy_n(versions.begin(), slot.count, slot.items.data());
}

}  // namespace tierup::clr
