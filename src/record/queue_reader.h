// What     The runtime's queue of methods to optimize, as the background track reads it.
// What not Takes nothing out.
// Threads  Only inside an event callback on the background worker's own thread: nobody takes a node out meanwhile, so each from the head on is alive.
// Failure  False: not readable (no layout, or an invariant broke).
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp: GetNextMethodToOptimize is called by DoBackgroundWork alone; AsyncPromoteToTier1 appends.
#pragma once

#include "base/address.h"
#include "base/tier.h"

namespace tierup::record {

struct QueueNode {
    Address next;     ///< Null at the end.
    Address version;  ///< The version node: made for this promotion, never queued again, never freed.
    Address method;
    Tier tier = Tier::unknown;  ///< What it is to be compiled to.
};

class QueueReader {
public:
    /// `head` null: the queue is empty.
    virtual bool read_head(Address& head) noexcept {
        (void)head;
        return false;
    }
    virtual bool read_node(Address node, QueueNode& to) noexcept {
        (void)node, (void)to;
        return false;
    }

protected:
    constexpr QueueReader() noexcept = default;
    QueueReader(const QueueReader&) noexcept = default;
    QueueReader& operator=(const QueueReader&) noexcept = default;
    ~QueueReader() = default;
};

}  // namespace tierup::record
