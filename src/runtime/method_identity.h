// What     From a handle's value to the method descriptor that tiers: validates, names the kind, unwraps stubs.
// What not Does not look at entry points or code.
// Threads  Any preemptive thread (asks the DAC).
// Failure  absent: the value is no live method descriptor. faulted: memory changed under each look, so what it is can't be told. Without a DAC
//          the answer is a plausible one and says so (kind_unvalidated).
// Source   docs/RUNTIME.md, "Unwrapping"; every candidate is validated by the DAC: same token, same module.
#pragma once

#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "clr/data_access.h"
#include "memory/reader.h"

namespace tierup::runtime {

struct MethodIdentity {
    Address real_method;
    Address module;
    Address native_code_slot;
    std::uint32_t token = 0;
    std::uint32_t kinds = 0;
    bool is_eligible = false;
};

/// `is_runtime_async`: the caller saw MethodImplAttributes.Async on it.
[[nodiscard]] Status identify_method(const memory::Reader& reader, clr::DataAccess& data_access, Address method, bool is_runtime_async,
                                     MethodIdentity& identity) noexcept;

}  // namespace tierup::runtime
