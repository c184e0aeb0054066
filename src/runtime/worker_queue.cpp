#include "runtime/worker_queue.h"

#include <cstddef>

#include "layout/queue_walk.h"
#include "memory/plain_window.h"
#include "runtime/manager_loads.h"

namespace tierup::runtime {
bool WorkerQueue::read_head(Address& head) noexcept {
    return manager_.version_nodes().method_offset() != VersionNodes::kPoison && manager_.read_first_entry(head);
}

// Race     Another thread appends a node while we follow the queue.
// Window   Its last store sets the old tail's next pointer, or the head, under the runtime's lock.
// Harmless Nobody but this thread takes nodes out, so every node that a pointer leads to is alive; a node appended behind is seen at the next step.
// Test     The order checks of the matrix's TieringEvents rows; BackgroundTrackQueue.a_node_appended_during_the_walk_is_queued_at_the_next_step.
bool WorkerQueue::read_node(Address node, record::QueueNode& to) noexcept {
    to = {};
    to.next = Address(load_in_order<std::uint64_t>(node.plus(offsetof(layout::QueueNode, next))));
    if (memory::load_plain<std::uint32_t>(node.plus(offsetof(layout::QueueNode, storage_kind))) != layout::kExplicitStorage) {
        return false;
    }
    to.version = Address(memory::load_plain<std::uint64_t>(node.plus(offsetof(layout::QueueNode, version_node))));
    return manager_.version_nodes().resolve_plain(to.version, to.method, to.tier);
}

}  // namespace tierup::runtime
