// What     From a version node to its method and tier: what is learned, from whom, and what stays unknown.
#include "runtime/version_nodes.h"

#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "clr_fake_method.h"
#include "fake_dac/open_script.h"
#include "manager_memory.h"

namespace {

using namespace tierup;
using namespace tierup::runtime;
using namespace tierup::runtime::testing;
using clr::testing::FakeDacScript;
using clr::testing::FakeMethod;

constexpr Address kNode{0x560000400000};
constexpr Address kOtherNode{0x560000400040};

class VersionNodesTest : public ::testing::Test {
protected:
    void SetUp() override {
        script_ = clr::testing::open_fresh_script(FAKE_DAC);
        ASSERT_NE(script_, nullptr);
        script_->description.method_desc = FakeMethod::kMethod.value();
        script_->description.method_table = FakeMethod::kMethodTable;
        script_->description.module = 0x7f0000cc0000;
        ASSERT_EQ(data_access_->load(FAKE_DAC, Address(0x7f1111110000), memory_, clr::kMachineAmd64), Status::ok);
        put(kNode, {.method = FakeMethod::kMethod.value(), .sibling = kOtherNode.value(), .id = 2, .tier = 4});
    }
    void put(Address at, const VersionNode& node) { memory_.add_value(at, node); }
    void library_lists(Address node, clr::DacTier tier) {
        script_->versions[0] = {0x7f0000aa0000, clr::DacTier::quick_jitted, 0, 0};
        script_->versions[1] = {0, tier, 0, node.value()};
        script_->version_count = script_->filled_count = 2;
    }
    Status resolve(Address node, bool may_ask = true) { return nodes_.resolve(node, may_ask, method_, tier_); }

    FakeDacScript* script_ = nullptr;
    memory::testing::BufferReader memory_;
    FakeMethod fake_method_{memory_};
    std::unique_ptr<clr::DataAccess> data_access_ = std::make_unique<clr::DataAccess>();
    VersionNodes nodes_{memory_, *data_access_};
    Address method_;
    Tier tier_ = Tier::unknown;
};

TEST_F(VersionNodesTest, the_method_is_the_number_for_which_the_library_lists_this_node) {
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    ASSERT_EQ(resolve(kNode), Status::ok);
    EXPECT_EQ(method_, FakeMethod::kMethod);
    EXPECT_EQ(tier_, Tier::tier0_instrumented);
    EXPECT_EQ(nodes_.method_offset(), 8u);
    EXPECT_EQ(nodes_.tier_candidates(), 1u << 9) << "at +36, as seen on all four runtimes";
    const std::uint64_t queries = data_access_->queries();
    put(kOtherNode, {.method = FakeMethod::kMethod.value() + 64, .id = 3, .tier = 5});
    ASSERT_EQ(resolve(kOtherNode), Status::ok);
    EXPECT_EQ(method_, FakeMethod::kMethod.plus(64));
    EXPECT_EQ(tier_, Tier::tier1_instrumented);
    EXPECT_EQ(data_access_->queries(), queries) << "what was learned is not asked again";
}

TEST_F(VersionNodesTest, nobody_is_asked_where_that_is_not_allowed) {
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    EXPECT_EQ(resolve(kNode, false), Status::unsupported);
    EXPECT_EQ(data_access_->queries(), 0u);
    EXPECT_EQ(nodes_.method_offset(), VersionNodes::kPoison);
}

TEST_F(VersionNodesTest, a_node_that_the_library_does_not_list_teaches_nothing) {
    library_lists(kOtherNode, clr::DacTier::quick_jitted_instrumented);
    EXPECT_EQ(resolve(kNode), Status::absent);
    EXPECT_EQ(nodes_.method_offset(), VersionNodes::kPoison);
}

TEST_F(VersionNodesTest, two_numbers_that_could_be_the_method_teach_nothing) {
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    put(kNode, {.method = FakeMethod::kMethod.value(), .parent = FakeMethod::kMethod.value(), .tier = 4});
    EXPECT_EQ(resolve(kNode), Status::unknown);
    EXPECT_EQ(nodes_.method_offset(), VersionNodes::kPoison);
}

TEST_F(VersionNodesTest, a_tier_that_could_stand_in_two_places_is_asked_for_until_they_differ) {
    library_lists(kNode, clr::DacTier::optimized_tier1);
    put(kNode, {.method = FakeMethod::kMethod.value(), .id = 1, .tier = 1});
    ASSERT_EQ(resolve(kNode), Status::ok);
    EXPECT_EQ(nodes_.tier_candidates(), 1u << 8 | 1u << 9) << "the id or the tier";
    put(kNode, {.method = FakeMethod::kMethod.value(), .id = 2, .tier = 1});
    ASSERT_EQ(resolve(kNode, false), Status::ok);
    EXPECT_EQ(tier_, Tier::unknown) << "not a guess";
    ASSERT_EQ(resolve(kNode), Status::ok);
    EXPECT_EQ(tier_, Tier::tier1);
    EXPECT_EQ(nodes_.tier_candidates(), 1u << 9);
    ASSERT_EQ(resolve(kNode, false), Status::ok);
    EXPECT_EQ(tier_, Tier::tier1);
}

TEST_F(VersionNodesTest, a_list_that_was_asked_for_anyway_teaches_without_another_question) {
    CodeVersionList listed;
    listed.items[0] = {.code = Address(0x7f0000aa0000), .node = {}, .tier = Tier::tier0};
    listed.items[1] = {.code = {}, .node = kNode, .tier = Tier::tier0_instrumented};
    listed.count = 2;
    nodes_.learn_from(FakeMethod::kMethod.plus(8), listed);
    EXPECT_EQ(nodes_.method_offset(), VersionNodes::kPoison) << "not this method's node";
    put(kNode, {.method = FakeMethod::kMethod.value(), .parent = FakeMethod::kMethod.value(), .tier = 4});
    nodes_.learn_from(FakeMethod::kMethod, listed);
    EXPECT_EQ(nodes_.method_offset(), VersionNodes::kPoison) << "it stands there twice";
    put(kNode, {.method = FakeMethod::kMethod.value(), .sibling = kOtherNode.value(), .id = 2, .tier = 4});
    nodes_.learn_from(FakeMethod::kMethod, listed);
    EXPECT_EQ(nodes_.method_offset(), 8u);
    ASSERT_EQ(resolve(kNode, false), Status::ok);
    EXPECT_EQ(method_, FakeMethod::kMethod);
    EXPECT_EQ(tier_, Tier::tier0_instrumented);
    EXPECT_EQ(data_access_->queries(), 0u);
}

TEST_F(VersionNodesTest, what_is_no_node_is_absent) {
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    ASSERT_EQ(resolve(kNode), Status::ok);
    EXPECT_EQ(resolve(Address()), Status::absent);
    EXPECT_EQ(resolve(Address(0x1001)), Status::absent);
    EXPECT_EQ(resolve(Address(0x560000ff0000)), Status::absent) << "nothing there";
    put(kOtherNode, {.method = 0, .tier = 4});
    EXPECT_EQ(resolve(kOtherNode), Status::absent) << "names no method";
    EXPECT_TRUE(method_.is_null());
    EXPECT_EQ(tier_, Tier::unknown);
}

TEST_F(VersionNodesTest, a_tier_number_without_a_name_is_unknown) {
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    ASSERT_EQ(resolve(kNode), Status::ok);
    put(kOtherNode, {.method = FakeMethod::kMethod.value(), .tier = 6});
    ASSERT_EQ(resolve(kOtherNode, false), Status::ok);
    EXPECT_EQ(tier_, Tier::unknown);
}

TEST_F(VersionNodesTest, plain_loads_say_the_same) {
    static const VersionNode node{.method = FakeMethod::kMethod.value(), .id = 2, .tier = 4};
    EXPECT_FALSE(nodes_.resolve_plain(address_of(node), method_, tier_)) << "nothing learned yet";
    library_lists(kNode, clr::DacTier::quick_jitted_instrumented);
    ASSERT_EQ(resolve(kNode), Status::ok);
    ASSERT_TRUE(nodes_.resolve_plain(address_of(node), method_, tier_));
    EXPECT_EQ(method_, FakeMethod::kMethod);
    EXPECT_EQ(tier_, Tier::tier0_instrumented);
    EXPECT_FALSE(nodes_.resolve_plain(Address(), method_, tier_));
}

}  // namespace
