// What     Finds the tiering manager by a method that was called for the first time a moment ago: it stands in the runtime's list of methods pending
//          call counting, and one pointer in the AppDomain leads to that list.
// What not Keeps nothing; needs a call-counting delay (batch_vote.h does not).
// Threads  Any preemptive thread; the runtime runs on meanwhile. While the delay is active the worker takes nothing out of the queue.
// Failure  absent: no such list, or its neighbours do not fit. unknown: two places fit. faulted: the AppDomain can't be read.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, HandleCallCountingForFirstCall; DESIGN, "found by self-calibration".
#pragma once

#include "base/address.h"
#include "base/status.h"
#include "layout/manager_layout.h"
#include "memory/reader.h"

namespace tierup::layout {

/// `layout` is filled only where ok is returned.
[[nodiscard]] Status search_pending_list(const memory::Reader& reader, Address app_domain, Address method, ManagerLayout& layout) noexcept;

}  // namespace tierup::layout
