// What     The decision order: from facts about one method at one moment to its answer. Pure.
// What not Reads no memory, asks nobody; where a fact is missing it says which (needs_resolve, undecided).
// Threads  Values only.
// Failure  Compilation::undecided with a reason. A wrong `final` is worse than no answer.
// Source   The decision order and both tables of facts in docs/RUNTIME.md; each row is a test of the runtime matrix.
#pragma once

#include "base/address.h"
#include "base/code_version.h"
#include "runtime/answer.h"
#include "runtime/entry_state.h"
#include "runtime/settings.h"
#include "runtime/truth.h"

namespace tierup::runtime {

struct MethodFacts {
    std::uint32_t kinds = 0;            ///< MethodKind bits.
    bool is_eligible = false;           ///< The runtime may tier this method.
    Truth has_code = Truth::not_known;  ///< The first code version has native code.
    EntryState entry;
    Address counted_code;  ///< Code last seen under a counting stub of this method, or null.
    Truth remembered_cell_is_valid = Truth::no;
    std::uint16_t remembered_remaining = 0;      ///< Of a cell whose stub was deleted; valid at stage not_active.
    const CodeVersionList* versions = nullptr;   ///< Null: not asked yet (then the answer may be needs_resolve).
    Reason no_versions_because = Reason::none;   ///< Set: asking was tried, or is impossible, for this reason.
    Truth worker_is_running = Truth::not_known;  ///< The runtime's background tiering worker exists.
};

[[nodiscard]] Answer decide(const MethodFacts& facts, const Settings& settings) noexcept;

}  // namespace tierup::runtime
