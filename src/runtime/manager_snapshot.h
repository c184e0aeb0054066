// What     What the tiering manager's fields said at one moment.
// What not No verdict: idle and active are judged where the batch events are known too.
// Threads  Values only.
// Failure  is_consistent false: the fields did not fit each other in any of the bounded re-reads; the numbers then err on the side of "pending".
// Source   The order of the loads: DESIGN 2.1; each field: layout/manager_fields.h.
#pragma once

#include <cstdint>

#include "base/address.h"

namespace tierup::runtime {

struct ManagerSnapshot {
    Address delay_list;                  ///< Of the methods that wait for the delay's end; null where no delay is active.
    std::uint32_t new_method_count = 0;  ///< Methods called for the first time during the delay, as the runtime counts them.
    std::uint32_t queued_count = 0;      ///< At least 1 while not consistent.
    bool delay_is_active = false;
    bool completion_is_pending = false;
    bool recently_recorded = false;  ///< The delay will be extended by another period.
    bool is_consistent = false;
};

}  // namespace tierup::runtime
