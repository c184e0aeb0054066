// What     One load of a field of the AppDomain, in order with the loads before and after it.
// What not No check: the address was found by calibration and lies in the AppDomain.
// Threads  Any, in any mode: the AppDomain is created before managed code runs and is never freed (there is one per process).
// Failure  None is reported.
// Source   dotnet/runtime src/coreclr/vm/appdomain.cpp, SystemDomain::Attach and CreateDefaultDomain; nothing deletes the default domain.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/address.h"
#include "memory/plain_window.h"

namespace tierup::runtime {

/// acquire: a later load can't be made before this one. Its partner is the tiering lock of the runtime: each change that we must see in order is made in a
/// section of its own under that lock, and leaving one section and entering the next orders the two on x64 and arm64.
template <typename Value>
[[nodiscard]] TIERUP_UNCHECKED_LOAD inline Value load_in_order(Address from) noexcept {
    static_assert(std::is_integral_v<Value>);
    return __atomic_load_n(reinterpret_cast<const Value*>(from.value()), __ATOMIC_ACQUIRE);
}

}  // namespace tierup::runtime
