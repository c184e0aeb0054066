// What     Copies the AppDomain and walks what looks like a queue while it can't shrink.
// What not See batch_sample.h.
#include "layout/batch_sample.h"

#include <algorithm>

#include "layout/manager_fields.h"
#include "layout/queue_walk.h"

namespace tierup::layout {

bool BatchSample::was_walked(std::uint32_t list_offset) const noexcept {
    for (std::uint32_t i = 0; i < walk_count; ++i) {
        if (walks[i].list_offset == list_offset) {
            return true;
        }
    }
    return false;
}

Status BatchSample::take(const memory::Reader& reader, Address app_domain) noexcept {
    has_pending_count = false;
    pending_count = 0;
    return copy_and_walk(reader, app_domain, kMaxSampleNodes);
}

Status BatchSample::take_counted(const memory::Reader& reader, Address app_domain, std::uint32_t count) noexcept {
    has_pending_count = true;
    pending_count = count;
    return copy_and_walk(reader, app_domain, std::min(count, kMaxSampleNodes));
}

Status BatchSample::copy_and_walk(const memory::Reader& reader, Address app_domain, std::uint32_t max_nodes) noexcept {
    walk_count = 0;
    is_walk_cut = false;
    if (const Status status = image.copy(reader, app_domain); status != Status::ok) {
        return status;
    }
    for (std::uint32_t offset = kFirstListOffset; is_list_offset(offset, image.readable_bytes); offset += kListOffsetStep) {
        const ManagerFields fields = fields_in(image.readable(), offset);
        const Address list_at = app_domain.plus(offset);
        if (fields.queued_count == 0 || fields.queued_count > max_nodes || !fields.fits(list_at) ||
            check_queue(reader, fields.queue(list_at), max_nodes) != Status::ok) {
            continue;
        }
        if (walk_count == kMaxWalks) {
            is_walk_cut = true;
            break;
        }
        walks[walk_count++] = {.list_offset = offset, .nodes = fields.queued_count};
    }
    return Status::ok;
}

}  // namespace tierup::layout
