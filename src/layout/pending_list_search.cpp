// What     The search of pending_list_search.h: cheapest checks first, so that few pointers are followed.
// What not See there.
#include "layout/pending_list_search.h"

#include "layout/app_domain_image.h"
#include "layout/foreign_pointer.h"
#include "layout/manager_fields.h"
#include "layout/method_list.h"
#include "layout/queue_walk.h"

namespace tierup::layout {

namespace {

// Race: the fields change between the copy of the AppDomain and the look at the list, or the list is freed because the delay ends.
// Window: the microseconds of the search. Harmless because everything is read once more after the method was found: the same pointer, fitting
// neighbours, a queue that leads from head to tail. What moved meanwhile is not taken, and the caller offers another method.
// Test: a_list_that_goes_away_during_the_search_is_not_taken (tests/unit/layout_pending_list_search_test.cpp).
bool is_manager_at(const memory::Reader& reader, Address list_at, std::uint64_t list_pointer, Address method, ManagerFields& now) noexcept {
    MethodList list;
    if (try_read_list(reader, Address(list_pointer), list) != Status::ok || find_in_list(reader, list, method) != Status::ok) {
        return false;
    }
    return try_read_fields(reader, list_at, now) == Status::ok && now.list == list_pointer && now.fits(list_at) &&
           check_queue(reader, now.queue(list_at)) == Status::ok;
}

}  // namespace

Status search_pending_list(const memory::Reader& reader, Address app_domain, Address method, ManagerLayout& layout) noexcept {
    AppDomainImage image;
    if (const Status status = image.copy(reader, app_domain); status != Status::ok) {
        return status;
    }
    ManagerLayout found;
    for (std::uint32_t offset = kFirstListOffset; is_list_offset(offset, image.readable_bytes); offset += kListOffsetStep) {
        const Address list_at = app_domain.plus(offset);
        ManagerFields fields = fields_in(image.readable(), offset);
        if (fields.list == 0 || !fields.fits(list_at) || !is_manager_at(reader, list_at, fields.list, method, fields)) {
            continue;
        }
        if (found.is_complete()) {
            return Status::unknown;
        }
        found = fields.layout_at(list_at, offset, found_by_pending_list);
    }
    if (!found.is_complete()) {
        return Status::absent;
    }
    layout = found;
    return Status::ok;
}

}  // namespace tierup::layout
