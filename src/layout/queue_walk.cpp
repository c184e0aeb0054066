// What     The steps of queue_walk.h.
// What not See there.
#include "layout/queue_walk.h"

#include <algorithm>
#include <utility>

#include "layout/foreign_pointer.h"

namespace tierup::layout {

bool QueueNode::fits() const noexcept {
    return storage_kind == kExplicitStorage && is_object_pointer(version_node) && (next == 0 || is_object_pointer(next));
}

Status try_read_node(const memory::Reader& reader, Address at, QueueNode& node) noexcept {
    if (const Status status = reader.try_read_value(at, node); status != Status::ok) {
        return status;
    }
    return node.fits() ? Status::ok : Status::unknown;
}

Status orient(const memory::Reader& reader, QueueEnds& queue) noexcept {
    if (queue.is_order_known || queue.first == queue.last) {
        return Status::ok;
    }
    QueueNode node;
    if (const Status status = try_read_node(reader, Address(queue.last), node); status != Status::ok) {
        return status;
    }
    if (node.next != 0) {
        std::swap(queue.first, queue.last);
        if (const Status status = try_read_node(reader, Address(queue.last), node); status != Status::ok) {
            return status;
        }
    }
    queue.is_order_known = node.next == 0;
    return queue.is_order_known ? Status::ok : Status::unknown;
}

Status check_queue(const memory::Reader& reader, const QueueEnds& ends, std::uint32_t max_nodes) noexcept {
    QueueEnds queue = ends;
    if (!queue.fits()) {
        return Status::unknown;
    }
    if (const Status status = orient(reader, queue); status != Status::ok) {
        return status;
    }
    Address at(queue.first);
    for (std::uint32_t i = 1; i <= queue.count; ++i) {
        if (i > max_nodes || i > kMaxQueueNodes) {
            return Status::exhausted;
        }
        QueueNode node;
        if (const Status status = try_read_node(reader, at, node); status != Status::ok) {
            return status;
        }
        const bool is_last = i == queue.count;
        if (is_last != (node.next == 0) || is_last != (at == Address(queue.last))) {
            return Status::unknown;
        }
        at = Address(node.next);
    }
    return Status::ok;
}

namespace {

Status read_ends(const memory::Reader& reader, Address list_at, QueueEnds& queue) noexcept {
    ManagerFields fields;
    const Status status = try_read_fields(reader, list_at, fields);
    queue = fields.queue(list_at);
    return status;
}

/// From `first` until a node leads nowhere.
Status walk(const memory::Reader& reader, Address first, std::span<QueuedVersion> versions, std::uint32_t& count) noexcept {
    count = 0;
    for (Address at = first; !at.is_null(); ++count) {
        if (count == kMaxQueueNodes) {
            return Status::exhausted;
        }
        QueueNode node;
        if (const Status status = try_read_node(reader, at, node); status != Status::ok) {
            return status;
        }
        if (count < versions.size()) {
            versions[count] = {.list_node = at, .version_node = Address(node.version_node), .method = {}};
        }
        at = Address(node.next);
    }
    return Status::ok;
}

/// Where `first` stands among the versions, and that its node still is the one that was copied; the number of versions if it does not.
std::size_t find_first(const memory::Reader& reader, Address first, std::span<const QueuedVersion> versions) noexcept {
    const auto found = std::find_if(versions.begin(), versions.end(), [first](const QueuedVersion& v) { return v.list_node == first; });
    QueueNode node;
    if (found == versions.end() || try_read_node(reader, first, node) != Status::ok || Address(node.version_node) != found->version_node) {
        return versions.size();
    }
    return static_cast<std::size_t>(found - versions.begin());
}

}  // namespace

// Race: the worker takes nodes from the front, and frees them, while they are walked. Window: the walk. Harmless because the queue loses nodes at its front
// only: if the first of now is among the nodes walked, it and all behind it were in the queue when they were read, and those before it are dropped. If it is
// not, the walk is made anew. Test: nodes_taken_during_the_walk_are_dropped (tests/unit/layout_queue_walk_test.cpp).
Status copy_queue(const memory::Reader& reader, Address list_at, std::span<QueuedVersion> versions, std::uint32_t& count) noexcept {
    for (std::uint32_t i = 0; i < kQueueTries; ++i) {
        count = 0;
        QueueEnds before;
        if (const Status status = read_ends(reader, list_at, before); status != Status::ok) {
            return status;
        }
        std::uint32_t walked = 0;
        Status walk_status = orient(reader, before);
        if (walk_status == Status::ok) {
            walk_status = walk(reader, Address(before.first), versions, walked);
        }
        if (walk_status == Status::exhausted) {
            return walk_status;
        }
        QueueEnds after;
        if (const Status status = read_ends(reader, list_at, after); status != Status::ok) {
            return status;
        }
        if (after.first == 0) {
            return Status::ok;
        }
        if (walk_status != Status::ok || orient(reader, after) != Status::ok) {
            continue;
        }
        const auto kept = versions.first(std::min<std::size_t>(versions.size(), walked));
        const bool is_only_counted = kept.empty() && after.first == before.first;
        const std::size_t taken = is_only_counted ? 0 : find_first(reader, Address(after.first), kept);
        if ((is_only_counted || taken < kept.size()) && walked - taken == after.count) {
            std::copy(kept.begin() + static_cast<std::ptrdiff_t>(taken), kept.end(), kept.begin());
            count = after.count;
            return Status::ok;
        }
    }
    return Status::faulted;
}

}  // namespace tierup::layout
