// What     The address range of a loaded image.
// What not Not how it was found: os/module.h.
// Threads  Values only.
#pragma once

#include "base/address.h"

namespace tierup::runtime {

struct ImageRange {
    Address begin;
    Address end;

    [[nodiscard]] constexpr bool contains(Address at) const noexcept { return begin <= at && at < end; }
};

}  // namespace tierup::runtime
