// What     One copy to be made: how many bytes, from which address of the watched process, to where in our own memory.
// What not Makes none: memory's readers and os/memory_copy.h do.
// Threads  Values only.
#pragma once

#include <cstddef>

#include "base/address.h"

namespace tierup {

struct Copy {
    Address from;
    void* to = nullptr;
    std::size_t bytes = 0;
};

}  // namespace tierup
