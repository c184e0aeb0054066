// What     The equations of manager_fields.h, and how the fields get out of memory.
// What not See there.
#include "layout/manager_fields.h"

#include <cstring>

#include "layout/foreign_pointer.h"

namespace tierup::layout {

namespace {

bool is_null_or_object(std::uint64_t value) noexcept {
    return value == 0 || is_object_pointer(value);
}

}  // namespace

bool QueueEnds::fits() const noexcept {
    const bool is_empty = count == 0;
    return (first == 0) == is_empty && (last == 0) == is_empty && (first == last) == (count <= 1) && is_null_or_object(first) &&
           is_null_or_object(last);
}

QueueEnds ManagerFields::queue(Address list_at) const noexcept {
    if (has_sentinel(list_at)) {
        const std::uint64_t last = other_end == one_end ? 0 : other_end;
        return {.first = sentinel_next, .last = last, .count = queued_count, .is_order_known = true};
    }
    return {.first = one_end, .last = other_end, .count = queued_count};
}

bool ManagerFields::fits(Address list_at) const noexcept {
    return recently_recorded <= 1 && completion_is_pending <= 1 && recently_requested <= 1 && is_null_or_object(list) &&
           queue(list_at).fits();
}

ManagerLayout ManagerFields::layout_at(Address list_at, std::uint32_t list_offset, FoundBy found_by) const noexcept {
    return {.list_offset = list_offset,
            .entry_offset = list_offset - (has_sentinel(list_at) ? kSentinelBeforeList : kOneEndBeforeList),
            .found_by = found_by};
}

ManagerFields fields_in(std::span<const std::uint8_t> app_domain, std::uint32_t list_offset) noexcept {
    ManagerFields fields;
    std::memcpy(&fields, app_domain.data() + (list_offset - kSentinelBeforeList), sizeof fields);
    return fields;
}

Status try_read_fields(const memory::Reader& reader, Address list_at, ManagerFields& fields) noexcept {
    return reader.try_read_value(list_at.plus(-std::int64_t{kSentinelBeforeList}), fields);
}

}  // namespace tierup::layout
