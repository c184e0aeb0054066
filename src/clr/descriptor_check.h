// What     Whether a number can be a method descriptor at all, by the pointers that every descriptor's chunk and method table have.
// What not Not the DAC's own check, which comes after: on .NET 8 and 9 that one crashes the process where a method table pointer is null.
// Threads  One at a time: reads through the query's page cache (DataAccess's mutex).
// Failure  absent: not one. A future runtime with another layout would read as absent everywhere: see the offsets' source.
// Source   dotnet/runtime src/coreclr/vm/method.hpp (MethodDescChunk, m_chunkIndex), methodtable.h (m_pEEClass/m_pCanonMT), class.h
//          (m_pMethodTable); the offsets were measured against GetMethodDescData's answers on 8.0.34, 9.0.23, 10.0.15 and 11.0.0.
#pragma once

#include "base/address.h"
#include "base/status.h"
#include "clr/data_target.h"

namespace tierup::clr {

[[nodiscard]] Status check_descriptor(DataTarget& target, Address method) noexcept;

}  // namespace tierup::clr
