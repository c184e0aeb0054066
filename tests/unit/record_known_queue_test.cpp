// What     The ring of known nodes.
// What not No runtime queue.
// Threads  One.
// Failure  As GoogleTest has it.
#include "record/known_queue.h"

#include <gtest/gtest.h>

#include <memory>

namespace tierup::record {
namespace {

KnownNode node(std::uint64_t number) {
    return {Address(number), Address(number + 100'000), Address(number + 200'000), Tier::tier1};
}

TEST(KnownQueue, gives_the_nodes_back_in_their_order_also_around_its_end) {
    const auto queue = std::make_unique<KnownQueue>();
    std::uint64_t pushed = 0;
    std::uint64_t popped = 0;
    while (popped < 3 * kMaxKnown) {
        while (!queue->is_full()) {
            queue->push(node(pushed++));
        }
        EXPECT_EQ(queue->count(), 4096u);
        for (int i = 0; i < 1000; ++i) {
            ASSERT_EQ(queue->pop().node.value(), popped++);
        }
    }
    EXPECT_EQ(queue->last().node.value(), pushed - 1);
}

TEST(KnownQueue, finds_a_node_only_with_its_own_version) {
    const auto queue = std::make_unique<KnownQueue>();
    for (std::uint64_t i = 0; i < 3; ++i) {
        queue->push(node(i));
    }
    EXPECT_EQ(queue->find_node(Address(2), Address(100'002)), 2u);
    EXPECT_EQ(queue->find_node(Address(2), Address(100'001)), 3u) << "the memory of a node is used again for another version";
    EXPECT_EQ(queue->find_method(Address(200'001)), 1u);
    EXPECT_EQ(queue->find_method(Address(1)), 3u);
}

}  // namespace
}  // namespace tierup::record
