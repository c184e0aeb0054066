// What     The class id under which the runtime loads this library as a notification profiler: {fbf851ca-5245-4420-a686-e412795052f7}.
// What not Not an address: a second copy of the library, loaded from another file, has the same id and is another profiler.
// Threads  A constant.
// Source   Drawn at random for this library; the attach request names it, and so do the startup variables: CORECLR_ENABLE_NOTIFICATION_PROFILERS=1
//          and CORECLR_NOTIFICATION_PROFILERS="<file>={<class id>};". 9.0.23 and 10.0.15 ignore the last entry of the list unless a ';' ends it (seen).
#pragma once

#include "clr/dac_abi.h"

namespace tierup::agent {

inline constexpr clr::Guid kClassId{0xFBF851CA, 0x5245, 0x4420, {0xA6, 0x86, 0xE4, 0x12, 0x79, 0x50, 0x52, 0xF7}};

}  // namespace tierup::agent
