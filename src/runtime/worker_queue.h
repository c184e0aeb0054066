// What     The runtime's queue as the background track reads it: the manager view's head, nodes by plain loads, versions by their learned offsets.
// What not Not for other threads: they take ManagerView::list_queue.
// Threads  Only inside an event callback on the background worker's own thread (record/queue_reader.h says why).
// Failure  False: the manager is not located, or nobody has learned yet where a version names its method.
#pragma once

#include "record/queue_reader.h"
#include "runtime/manager_view.h"

namespace tierup::runtime {

class WorkerQueue final : public record::QueueReader {
public:
    explicit WorkerQueue(ManagerView& manager) noexcept : manager_(manager) {}

    [[nodiscard]] bool read_head(Address& head) noexcept override;
    [[nodiscard]] bool read_node(Address node, record::QueueNode& to) noexcept override;

private:
    ManagerView& manager_;
};

}  // namespace tierup::runtime
