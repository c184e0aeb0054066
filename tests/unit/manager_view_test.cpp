// What     The tiering manager's view: locating it by a probe, reading it, and when it is given up.
#include "runtime/manager_view.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "fake_dac/open_script.h"
#include "manager_memory.h"

namespace {

using namespace tierup;
using namespace tierup::runtime;
using namespace tierup::runtime::testing;

class ManagerViewTest : public ::testing::TestWithParam<Form> {
protected:
    ManagerScene scene_{GetParam()};
    ManagerMemory& memory_ = scene_.memory;
    ManagerView& view_ = *scene_.view;
    ManagerSnapshot snapshot_;
};

TEST_P(ManagerViewTest, nothing_is_answered_before_it_is_located) {
    Address first;
    std::uint32_t count = 9;
    EXPECT_FALSE(view_.read(snapshot_));
    EXPECT_FALSE(view_.read_first_entry(first));
    EXPECT_EQ(view_.list_queue({}, count), Status::unsupported);
    EXPECT_EQ(count, 0u);
    EXPECT_TRUE(view_.list_address().is_null());
    EXPECT_STREQ(view_.reason(), "the tiering manager was not located yet");
}

TEST_P(ManagerViewTest, a_method_in_the_pending_list_locates_it) {
    memory_.delay_holds({kProbe - 64, kProbe});
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::ok);
    EXPECT_TRUE(view_.is_located());
    EXPECT_EQ(view_.found_by(), layout::found_by_pending_list);
    EXPECT_EQ(view_.list_address(), memory_.list_at());
    EXPECT_STREQ(view_.reason(), "");
    memory_.delay_ends();
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::ok) << "located before";
}

TEST_P(ManagerViewTest, a_method_in_no_list_is_absent_and_locates_nothing) {
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::absent);
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.offer_probe(Address(kProbe + 8)), Status::absent);
    EXPECT_FALSE(view_.is_located());
}

TEST_P(ManagerViewTest, the_fields_are_read_as_they_are) {
    scene_.locate_by_probe();
    ASSERT_TRUE(view_.read(snapshot_));
    EXPECT_TRUE(snapshot_.is_consistent);
    EXPECT_EQ(snapshot_.queued_count, 0u);
    EXPECT_FALSE(snapshot_.delay_is_active);
    EXPECT_TRUE(snapshot_.delay_list.is_null());
    EXPECT_FALSE(snapshot_.completion_is_pending);

    memory_.delay_holds({kProbe, kProbe + 64});
    memory_.put(-4, std::uint32_t{2});
    memory_.put(8, std::uint8_t{1});
    memory_.put(9, std::uint8_t{1});
    memory_.put(10, std::uint8_t{1});
    memory_.queue_holds({0, 1, 2});
    ASSERT_TRUE(view_.read(snapshot_));
    EXPECT_TRUE(snapshot_.is_consistent);
    EXPECT_EQ(snapshot_.queued_count, 3u);
    EXPECT_EQ(snapshot_.new_method_count, 2u);
    EXPECT_TRUE(snapshot_.delay_is_active);
    EXPECT_TRUE(snapshot_.completion_is_pending);
    EXPECT_TRUE(snapshot_.recently_recorded);

    std::array<Address, 4> methods;
    std::uint32_t count = 0;
    ASSERT_EQ(view_.read_delay_methods(snapshot_.delay_list, methods, count), Status::ok);
    ASSERT_EQ(count, 2u);
    EXPECT_EQ(methods[1], Address(kProbe + 64));
}

TEST_P(ManagerViewTest, a_count_that_contradicts_the_entries_reads_as_pending) {
    scene_.locate_by_probe();
    memory_.queue_holds({0});
    memory_.put(-8, std::uint32_t{0});
    ASSERT_TRUE(view_.read(snapshot_));
    EXPECT_FALSE(snapshot_.is_consistent);
    EXPECT_EQ(snapshot_.queued_count, 1u) << "never 0 while something is there";
    memory_.queue_holds({});
    memory_.put(-8, std::uint32_t{3});
    ASSERT_TRUE(view_.read(snapshot_));
    EXPECT_FALSE(snapshot_.is_consistent);
    EXPECT_EQ(snapshot_.queued_count, 3u);
    EXPECT_TRUE(view_.is_located()) << "a writer may be between two stores";
}

TEST_P(ManagerViewTest, a_contradiction_that_lasts_disables_the_view_for_good) {
    scene_.locate_by_probe();
    memory_.put(-8, std::uint32_t{3});
    scene_.clock.step = LastingMismatch::kTickNs;
    for (std::uint32_t i = 1; i < LastingMismatch::kTicks; ++i) {
        ASSERT_TRUE(view_.read(snapshot_)) << i;
    }
    EXPECT_FALSE(view_.read(snapshot_));
    EXPECT_NE(std::string(view_.reason()).find("contradicted"), std::string::npos) << view_.reason();
    memory_.put(-8, std::uint32_t{0});
    EXPECT_FALSE(view_.read(snapshot_));
    EXPECT_FALSE(view_.is_located());
    EXPECT_FALSE(view_.wants_samples());
    memory_.delay_holds({kProbe});
    EXPECT_EQ(view_.offer_probe(Address(kProbe)), Status::unsupported);
    EXPECT_EQ(view_.vote(), Status::unsupported);
    EXPECT_FALSE(view_.is_located());
}

TEST_P(ManagerViewTest, a_fitting_look_forgives_all_contradictions_before_it) {
    scene_.locate_by_probe();
    scene_.clock.step = LastingMismatch::kTickNs;
    for (std::uint32_t i = 0; i < 3 * LastingMismatch::kTicks; ++i) {
        memory_.put(-8, std::uint32_t{i % 50 == 49 ? 0u : 3u});
        ASSERT_TRUE(view_.read(snapshot_)) << i;
    }
}

TEST_P(ManagerViewTest, a_flag_that_no_runtime_writes_disables_the_view) {
    for (const std::int64_t flag : {8, 9}) {
        ManagerScene scene(GetParam());
        scene.locate_by_probe();
        scene.memory.put(flag, std::uint8_t{2});
        EXPECT_FALSE(scene.view->read(snapshot_)) << flag;
        EXPECT_NE(std::string(scene.view->reason()).find("flag"), std::string::npos) << scene.view->reason();
    }
}

TEST_P(ManagerViewTest, the_first_entry_is_found_whichever_end_the_runtime_writes_first) {
    scene_.locate_by_probe();
    for (const auto& queue : {std::vector<std::size_t>{}, {0}, {3, 1}, {2, 4, 0, 1}}) {
        memory_.queue_holds(queue);
        Address first(1);
        ASSERT_TRUE(view_.read_first_entry(first));
        EXPECT_EQ(first, memory_.first_node()) << queue.size();
    }
    if (GetParam() != Form::sentinel) {
        memory_.put(-16, std::uint64_t{0});
        Address first;
        EXPECT_FALSE(view_.read_first_entry(first)) << "one end alone";
    }
}

TEST_P(ManagerViewTest, the_queue_is_listed_with_methods_and_tiers_once_they_were_learned) {
    scene_.locate_by_probe();
    // codeversion.h: tier 4 is instrumented tier 0, 1 is tier 1, 5 is instrumented tier 1.
    memory_.versions[0] = {.method = kProbe, .id = 1, .tier = 4};
    memory_.versions[1] = {.method = kProbe + 64, .id = 2, .tier = 1};
    memory_.versions[2] = {.method = kProbe + 128, .id = 1, .tier = 5};
    memory_.queue_holds({0, 1, 2});
    std::array<layout::QueuedVersion, 2> versions;
    std::uint32_t count = 0;
    ASSERT_EQ(view_.list_queue(versions, count), Status::ok);
    EXPECT_EQ(count, 3u);
    EXPECT_TRUE(versions[0].method.is_null()) << "nothing learned, nobody to ask";
    EXPECT_EQ(versions[0].target_tier, Tier::unknown);

    CodeVersionList listed;
    listed.items[0] = {.code = Address(0x7f0000aa0000), .node = {}, .tier = Tier::tier0};
    listed.items[1] = {.code = {}, .node = address_of(memory_.versions[0]), .tier = Tier::tier0_instrumented};
    listed.count = 2;
    view_.version_nodes().learn_from(Address(kProbe), listed);
    ASSERT_EQ(view_.list_queue(versions, count), Status::ok);
    EXPECT_EQ(count, 3u);
    EXPECT_EQ(versions[0].method, Address(kProbe));
    EXPECT_EQ(versions[0].target_tier, Tier::tier0_instrumented);
    EXPECT_EQ(versions[0].version_node, address_of(memory_.versions[0]));
    EXPECT_EQ(versions[1].method, Address(kProbe + 64));
    EXPECT_EQ(versions[1].target_tier, Tier::tier1);
}

INSTANTIATE_TEST_SUITE_P(EachForm, ManagerViewTest, ::testing::ValuesIn(kForms));

TEST(ManagerViewAppDomain, without_a_library_or_a_profiler_it_is_not_found) {
    ManagerScene scene;
    ManagerView view(scene.reader, *scene.data_access, scene.clock);
    EXPECT_EQ(view.find_app_domain(), Status::unsupported);
    EXPECT_EQ(view.offer_probe(Address(kProbe)), Status::unsupported);
    EXPECT_STREQ(view.reason(), "the AppDomain was not found");
    EXPECT_FALSE(view.wants_samples());
}

TEST(ManagerViewAppDomain, it_is_asked_for_once_and_the_first_one_stays) {
    ManagerScene scene;
    auto* script = clr::testing::open_fresh_script(FAKE_DAC);
    ASSERT_NE(script, nullptr);
    script->app_domains[0] = scene.memory.app_domain().value();
    ASSERT_EQ(scene.data_access->load(FAKE_DAC, Address(0x7f1111110000), scene.reader, clr::kMachineAmd64), Status::ok);
    ManagerView view(scene.reader, *scene.data_access, scene.clock);
    ASSERT_EQ(view.find_app_domain(), Status::ok);
    EXPECT_EQ(view.app_domain(), scene.memory.app_domain());
    EXPECT_TRUE(view.wants_samples());
    const std::uint64_t queries = scene.data_access->queries();
    view.set_app_domain(Address(0x1000));
    ASSERT_EQ(view.find_app_domain(), Status::ok);
    EXPECT_EQ(view.app_domain(), scene.memory.app_domain());
    EXPECT_EQ(scene.data_access->queries(), queries);
    view.set_app_domain({});
    EXPECT_EQ(view.app_domain(), scene.memory.app_domain());
}

}  // namespace
