// What     Whether a number can be a live method descriptor at all, by the pointers that every descriptor has around it.
// What not Not the DAC's own check, which comes after: that one crashes the process on a null method table (seen on 8.0.34 and 9.0.23), and
//          on the descriptor of a DynamicMethod that was collected.
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
