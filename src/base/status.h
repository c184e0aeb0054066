// What     How an operation inside the library went; the same numbers as tierup_status in the C header (capi checks that).
// What not No text, no errno: the layer that met an OS or runtime error translates it here.
// Threads  Values only.
// Failure  Zero is success and never a failure value.
#pragma once

#include <cstdint>

namespace tierup {

enum class Status : std::uint8_t {
    ok = 0,
    absent = 1,
    faulted = 2,
    unsupported = 3,
    unknown = 4,
    timed_out = 5,
    cancelled = 6,
    invalid_argument = 7,
    exhausted = 8,
    not_started = 9,
};

}  // namespace tierup
