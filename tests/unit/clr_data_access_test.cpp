// What     DataAccess over scripted data access libraries: how it loads, what it makes of torn answers, when it asks.
#include "clr/data_access.h"

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "clr/dac_abi.h"
#include "clr_fake_method.h"
#include "fake_dac/open_script.h"

namespace {

using namespace tierup;
using namespace tierup::clr;
using clr::testing::FakeDacScript;
using clr::testing::FakeMethod;

constexpr Address kBase{0x7f1111110000};
constexpr Address kMethod = FakeMethod::kMethod;

// The shipped library has no global constructors and runs none of ours at exit.
static_assert(std::is_trivially_destructible_v<DataAccess>);
constinit DataAccess constant_initialised;

TEST(DataAccessLoad, an_object_needs_no_constructor_at_run_time) {
    EXPECT_FALSE(constant_initialised.is_available());
}

TEST(DataAccessLoad, a_missing_file_is_absent_and_named) {
    const memory::testing::BufferReader memory;
    const auto access = std::make_unique<DataAccess>();
    EXPECT_FALSE(access->is_available());
    EXPECT_EQ(access->load("/no/such/folder/libmscordaccore.so", kBase, memory, kMachineAmd64), Status::absent);
    EXPECT_FALSE(access->is_available());
    EXPECT_NE(std::string(access->reason()).find("/no/such/folder/libmscordaccore.so"), std::string::npos) << access->reason();
}

TEST(DataAccessLoad, a_file_that_is_no_library_is_named_with_the_loaders_words) {
    const memory::testing::BufferReader memory;
    const auto access = std::make_unique<DataAccess>();
    EXPECT_NE(access->load(NO_LIBRARY, kBase, memory, kMachineAmd64), Status::ok);
    EXPECT_NE(std::string(access->reason()).find("invalid ELF header"), std::string::npos) << access->reason();
}

TEST(DataAccessLoad, a_library_without_the_exports_is_unsupported) {
    const memory::testing::BufferReader memory;
    const auto access = std::make_unique<DataAccess>();
    EXPECT_EQ(access->load(NO_EXPORTS_DAC, kBase, memory, kMachineAmd64), Status::unsupported);
    EXPECT_NE(std::string(access->reason()).find("CLRDataCreateInstance"), std::string::npos) << access->reason();
}

TEST(DataAccessLoad, a_library_that_refuses_this_runtime_is_unsupported) {
    const memory::testing::BufferReader memory;
    const auto access = std::make_unique<DataAccess>();
    EXPECT_EQ(access->load(REFUSING_DAC, kBase, memory, kMachineAmd64), Status::unsupported);
    EXPECT_NE(std::string(access->reason()), "");
    EXPECT_EQ(access->load(FAKE_DAC, kBase, memory, kMachineAmd64), Status::unsupported) << "an object loads once";
}

TEST(DataAccessLoad, no_path_or_no_runtime_is_absent) {
    const memory::testing::BufferReader memory;
    for (const char* path : {static_cast<const char*>(nullptr), ""}) {
        const auto access = std::make_unique<DataAccess>();
        EXPECT_EQ(access->load(path, kBase, memory, kMachineAmd64), Status::absent);
    }
    const auto access = std::make_unique<DataAccess>();
    EXPECT_EQ(access->load(FAKE_DAC, Address(), memory, kMachineAmd64), Status::absent);
}

TEST(DataAccessLoad, a_long_path_cuts_the_reason_and_nothing_else) {
    const memory::testing::BufferReader memory;
    const auto access = std::make_unique<DataAccess>();
    const std::string path = "/" + std::string(3000, 'x');
    EXPECT_NE(access->load(path.c_str(), kBase, memory, kMachineAmd64), Status::ok);
    EXPECT_GT(std::string(access->reason()).size(), 100u);
    EXPECT_LT(std::string(access->reason()).size(), 3000u);
}

TEST(DataAccessLoad, before_loading_every_question_is_unsupported) {
    const auto access = std::make_unique<DataAccess>();
    MethodDescription description;
    CodeVersionList versions;
    bool is_remembered = true;
    versions.count = 5;
    EXPECT_EQ(access->describe_method(kMethod, description), Status::unsupported);
    EXPECT_EQ(access->list_versions(kMethod, versions), Status::unsupported);
    EXPECT_EQ(versions.count, 0u);
    EXPECT_EQ(access->list_versions_with_code(kMethod, Address(0x1000), versions, is_remembered), Status::unsupported);
}

class DataAccessTest : public ::testing::Test {
protected:
    void SetUp() override {
        script_ = tierup::clr::testing::open_fresh_script(FAKE_DAC);
        ASSERT_NE(script_, nullptr);
        script_->description = {.has_native_code = 1,
                                .is_dynamic = 0,
                                .slot_number = 0,
                                .padding = {},
                                .native_code = 0x7f0000aa0000,
                                .native_code_slot = 0x7f0000bb0008,
                                .method_desc = kMethod.value(),
                                .method_table = FakeMethod::kMethodTable,
                                .module = 0x7f0000cc0000,
                                .token = 0x06000123,
                                .padding2 = 0,
                                .gc_info = 0,
                                .gc_stress_code_copy = 0,
                                .managed_dynamic_method = 0,
                                .requested_ip = 0,
                                .rejit_current = {},
                                .rejit_requested = {},
                                .jitted_rejit_versions = 0,
                                .padding3 = 0};
        set_versions({{0x7f0000aa0000, DacTier::quick_jitted, 0, 0}, {0, DacTier::optimized_tier1, 0, 0x7f0000dd0000}});
        ASSERT_EQ(access_->load(FAKE_DAC, kBase, memory_, kMachineAmd64), Status::ok) << access_->reason();
    }

    void set_versions(const std::vector<DacTieredVersionData>& versions) {
        std::copy(versions.begin(), versions.end(), script_->versions);
        script_->version_count = script_->filled_count = static_cast<std::int32_t>(versions.size());
    }
    void set_many_versions(int count) {
        for (int i = 0; i < count; ++i) {
            script_->versions[i] = {0x7f0000000000u + 0x1000u * static_cast<unsigned>(i), DacTier::quick_jitted, 0, 0};
        }
        script_->filled_count = count;
    }

    FakeDacScript* script_ = nullptr;
    memory::testing::BufferReader memory_;
    FakeMethod method_{memory_};
    std::unique_ptr<DataAccess> access_ = std::make_unique<DataAccess>();
    MethodDescription description_;
    CodeVersionList versions_;
    bool is_remembered_ = false;
};

TEST_F(DataAccessTest, loading_starts_the_library_as_the_loader_of_windows_would) {
    EXPECT_TRUE(access_->is_available());
    EXPECT_STREQ(access_->reason(), "");
    EXPECT_EQ(script_->main_calls, 1);
    EXPECT_EQ(script_->pal_calls, 1);
    EXPECT_EQ(access_->load(FAKE_DAC, kBase, memory_, kMachineAmd64), Status::ok);
    EXPECT_EQ(script_->main_calls, 1);
}

TEST_F(DataAccessTest, a_description_is_passed_on) {
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_EQ(description_.module, Address(0x7f0000cc0000));
    EXPECT_EQ(description_.method_table, Address(FakeMethod::kMethodTable));
    EXPECT_EQ(description_.native_code_slot, Address(0x7f0000bb0008));
    EXPECT_EQ(description_.token, 0x06000123u);
    EXPECT_TRUE(description_.has_native_code);
    EXPECT_FALSE(description_.is_dynamic);
    EXPECT_FALSE(description_.is_collectible);
    EXPECT_EQ(script_->flushes, 1);
}

TEST_F(DataAccessTest, without_native_code_in_any_version_there_is_none) {
    set_versions({{0, DacTier::quick_jitted, 0, 0}});
    script_->description.has_native_code = 0;
    script_->description.native_code = ~std::uint64_t{0};
    script_->description.native_code_slot = 0;
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_FALSE(description_.has_native_code);
    EXPECT_TRUE(description_.native_code_slot.is_null());
}

TEST_F(DataAccessTest, collectible_and_dynamic_are_told) {
    script_->collectible.is_collectible = 1;
    script_->description.is_dynamic = 1;
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_TRUE(description_.is_collectible);
    EXPECT_TRUE(description_.is_dynamic);
}

TEST_F(DataAccessTest, what_the_library_does_not_take_for_a_descriptor_is_absent) {
    for (const Hresult refusal : {kInvalidArgument, kReadVirtualFailure}) {
        script_->validate_result = refusal;
        EXPECT_EQ(access_->describe_method(kMethod, description_), Status::absent);
        EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::absent);
        EXPECT_EQ(script_->version_queries, 0) << "GetTieredVersions follows any number";
        EXPECT_EQ(script_->describes, 0);
        script_->validate_result = kOk;
        script_->describe_result = refusal;
        EXPECT_EQ(access_->describe_method(kMethod, description_), Status::absent);
        EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::absent);
        script_->describe_result = kOk;
        script_->version_queries = script_->describes = 0;
    }
}

/// The library refuses the method while a word that the query has read is changed behind it.
class ChangingMemoryTest : public DataAccessTest {
protected:
    static constexpr std::uint64_t kRead = kMethod.value() - 8;           // in a line of which something is read
    static constexpr std::uint64_t kNotRead = FakeMethod::kPage + 0xFC0;  // in the same page, in no line that is read

    void SetUp() override {
        DataAccessTest::SetUp();
        script_->validate_result = kInvalidArgument;
    }
    void change(std::uint64_t at) { memory_.add_value<std::uint64_t>(Address(at), ++changes_); }

    std::uint64_t changes_ = 0;
};

// 8.0.34: one of several hundred first looks at a precompiled method that was in use said "not a live method".
TEST_F(ChangingMemoryTest, a_no_of_changing_memory_is_asked_again) {
    script_->during_validation = [&] {
        script_->validate_result = changes_ < 2 ? kInvalidArgument : kOk;
        change(kRead);
    };
    EXPECT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_EQ(script_->validations, 3);
    changes_ = 0;
    EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    changes_ = 0;
    std::array<char, 64> name{};
    std::size_t needed = 0;
    EXPECT_EQ(access_->name_method(kMethod, name.data(), name.size(), needed), Status::ok);
}

TEST_F(ChangingMemoryTest, where_memory_never_stands_still_nothing_is_told) {
    script_->during_validation = [&] { change(kRead); };
    EXPECT_EQ(access_->describe_method(kMethod, description_), Status::faulted);
    EXPECT_GT(script_->validations, 1);
    EXPECT_LT(script_->validations, 100);
}

TEST_F(ChangingMemoryTest, a_no_of_still_memory_stands) {
    EXPECT_EQ(access_->describe_method(kMethod, description_), Status::absent);
    EXPECT_EQ(script_->validations, 1);
    script_->during_validation = [&] { change(kNotRead); };
    EXPECT_EQ(access_->describe_method(kMethod, description_), Status::absent) << "what nobody read may change";
    EXPECT_EQ(script_->validations, 2);
}

class ActiveVersionTest : public DataAccessTest {
protected:
    static constexpr std::uint64_t kNode = FakeMethod::kPage + 0xE00;
    static constexpr std::uint64_t kOlderNode = FakeMethod::kPage + 0xE80;

    ActiveVersionTest() { memory_.add(Address(kNode), std::vector<std::uint8_t>(512, 0)); }
    void SetUp() override {
        DataAccessTest::SetUp();
        set_versions({{0x7f0000aa0000, DacTier::quick_jitted, 0, 0},
                      {0, DacTier::optimized_tier1, 0, kNode},
                      {0, DacTier::quick_jitted, 0, kOlderNode}});
    }
    void activate(std::uint64_t node) { memory_.add_value<std::uint32_t>(Address(node + 52), 1); }
};

// 9.0.23: the process ended by SIGSEGV in GetMethodDescData while names of methods in the queue were asked for.
TEST_F(ActiveVersionTest, a_method_between_two_active_versions_is_described_by_one_of_them) {
    script_->is_first_version_active = false;
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_EQ(script_->crashes, 0);
    EXPECT_TRUE(description_.has_native_code) << "the first version has some";
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->crashes, 0);
}

TEST_F(ActiveVersionTest, an_active_version_is_left_as_it_is) {
    script_->is_first_version_active = false;
    for (const std::uint64_t node : {kOlderNode, kNode}) {
        activate(node);
        ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
        EXPECT_EQ(script_->active_node_seen, node);
    }
    script_->is_first_version_active = true;
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    EXPECT_EQ(script_->active_node_seen, 0u);
}

TEST_F(ActiveVersionTest, what_one_query_was_shown_the_next_does_not_see) {
    script_->is_first_version_active = false;
    ASSERT_EQ(access_->describe_method(kMethod, description_), Status::ok);
    script_->address_to_read = kOlderNode + 48;
    access_->vouch_for(kMethod);
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->words_read[0], 0u);
    std::uint32_t flags = 0;
    ASSERT_EQ(memory_.try_read_value(Address(kOlderNode + 52), flags), Status::ok);
    EXPECT_EQ(flags, 0u) << "memory is never written";
}

TEST_F(ActiveVersionTest, a_name_asks_for_no_version) {
    script_->is_first_version_active = false;
    std::array<char, 64> name{};
    std::size_t needed = 0;
    ASSERT_EQ(access_->name_method(kMethod, name.data(), name.size(), needed), Status::ok);
    EXPECT_EQ(script_->validations, 1);
    EXPECT_EQ(script_->describes, 0);
    EXPECT_EQ(script_->version_queries, 0);
}

TEST_F(DataAccessTest, a_number_that_can_be_no_descriptor_never_reaches_the_library) {
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{0x7fff12345678}, kMethod.value() + 8, ~std::uint64_t{0}}) {
        EXPECT_EQ(access_->describe_method(Address(number), description_), Status::absent);
        EXPECT_EQ(access_->list_versions(Address(number), versions_), Status::absent);
        EXPECT_EQ(access_->list_versions_with_code(Address(number), Address(0x1000), versions_, is_remembered_), Status::absent);
    }
    EXPECT_EQ(script_->describes, 0);
    EXPECT_EQ(script_->flushes, 0);
    EXPECT_EQ(access_->queries(), 0u);
}

TEST_F(DataAccessTest, a_torn_description_is_unknown) {
    const DacMethodDescData whole = script_->description;
    const auto expect_unknown = [&](const char* what) {
        EXPECT_EQ(access_->describe_method(kMethod, description_), Status::unknown) << what;
        EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::unknown) << what;
        script_->description = whole;
    };
    script_->description.method_desc += 8;
    expect_unknown("another descriptor");
    script_->description.module = 0;
    expect_unknown("no module");
    script_->description.method_table = 0;
    expect_unknown("no method table");
    script_->description.native_code = 0;
    expect_unknown("native code at null");
    script_->description.native_code = 0xffff'8000'0000'1000;
    expect_unknown("native code outside user space");
    script_->describe_result = kFalse;
    expect_unknown("S_FALSE");
    script_->describe_result = kOk;
    script_->collectible_result = kFail;
    expect_unknown("no word on collectibility");
}

TEST_F(DataAccessTest, versions_are_passed_on_in_order_with_our_tiers) {
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    ASSERT_EQ(versions_.count, 2u);
    EXPECT_FALSE(versions_.is_truncated);
    EXPECT_EQ(versions_.items[0].code, Address(0x7f0000aa0000));
    EXPECT_EQ(versions_.items[0].tier, Tier::tier0);
    EXPECT_TRUE(versions_.items[0].node.is_null());
    EXPECT_TRUE(versions_.items[1].code.is_null());
    EXPECT_EQ(versions_.items[1].tier, Tier::tier1);
    EXPECT_EQ(versions_.items[1].node, Address(0x7f0000dd0000));
    EXPECT_EQ(access_->queries(), 1u);
    EXPECT_EQ(script_->flushes, 1);
}

TEST_F(DataAccessTest, a_torn_version_list_is_unknown_and_not_remembered) {
    const auto expect_unknown = [&](const char* what) {
        EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::unknown) << what;
        EXPECT_EQ(versions_.count, 0u) << what;
        EXPECT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::unknown) << what;
        EXPECT_EQ(access_->cache_hits(), 0u);
    };
    script_->version_count = -1;
    expect_unknown("a negative count");
    script_->version_count = 1000;
    expect_unknown("more than there was room for");
    script_->version_count = 2;
    script_->versions_result = kFalse;
    expect_unknown("S_FALSE with room left");
    script_->versions_result = kFail;
    expect_unknown("E_FAIL");
    script_->versions_result = kOk;
    script_->versions[1].native_code = 0xffff'8000'0000'0000;
    expect_unknown("a code address outside user space");
    script_->versions[1].native_code = 8;
    expect_unknown("a code address in the null page");
    script_->versions[1] = {0x7f0000ee0000, DacTier::optimized_tier1, 0, ~std::uint64_t{0}};
    expect_unknown("a node outside user space");
}

TEST_F(DataAccessTest, a_tier_without_a_name_is_unknown_and_the_list_stands) {
    set_versions({{0x7f0000aa0000, static_cast<DacTier>(77), 0, 0}});
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(versions_.items[0].tier, Tier::unknown);
}

TEST_F(DataAccessTest, a_method_with_just_as_many_versions_as_we_keep_is_complete) {
    set_many_versions(kMaxCodeVersions);
    script_->version_count = kMaxCodeVersions;
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(versions_.count, kMaxCodeVersions);
    EXPECT_FALSE(versions_.is_truncated);
}

// request.cpp: the list that fills the array ends with S_FALSE, whether or not there was more.
TEST_F(DataAccessTest, a_full_array_with_s_false_is_truncated_and_not_remembered) {
    set_many_versions(100);
    script_->versions_result = kFalse;
    script_->version_count = kMaxCodeVersions + 1;
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->capacity_seen, static_cast<std::int32_t>(kMaxCodeVersions + 1));
    EXPECT_EQ(versions_.count, kMaxCodeVersions);
    EXPECT_TRUE(versions_.is_truncated);
    ASSERT_EQ(access_->list_versions_with_code(kMethod, versions_.items[0].code, versions_, is_remembered_), Status::ok);
    EXPECT_EQ(script_->version_queries, 2);
    script_->versions_result = kOk;
    EXPECT_EQ(access_->list_versions(kMethod, versions_), Status::unknown) << "a full array without S_FALSE fits no known library";
}

TEST_F(DataAccessTest, a_known_code_address_is_answered_from_the_cache) {
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    EXPECT_EQ(access_->cache_hits(), 0u);
    versions_ = {};
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    EXPECT_EQ(versions_.count, 2u);
    EXPECT_EQ(access_->cache_hits(), 1u);
    EXPECT_EQ(access_->queries(), 1u);
    EXPECT_EQ(script_->version_queries, 1);
    EXPECT_EQ(script_->flushes, 1);
}

TEST_F(DataAccessTest, a_new_code_address_is_asked_about) {
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    set_versions({{0x7f0000aa0000, DacTier::quick_jitted, 0, 0}, {0x7f0000ee0000, DacTier::optimized_tier1, 0, 0x7f0000dd0000}});
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000ee0000), versions_, is_remembered_), Status::ok);
    EXPECT_EQ(versions_.items[1].code, Address(0x7f0000ee0000));
    EXPECT_EQ(access_->cache_hits(), 0u);
    EXPECT_EQ(access_->queries(), 2u);
}

TEST_F(DataAccessTest, a_method_that_was_vouched_for_is_listed_without_another_check) {
    access_->vouch_for(kMethod);
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    EXPECT_FALSE(is_remembered_);
    EXPECT_EQ(versions_.count, 2u);
    EXPECT_EQ(script_->describes, 0);
    EXPECT_EQ(script_->validations, 0);
    EXPECT_EQ(script_->version_queries, 1);
}

TEST_F(DataAccessTest, list_versions_always_asks) {
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(access_->queries(), 3u);
    EXPECT_EQ(script_->flushes, 3);
    EXPECT_EQ(script_->describes, 1) << "a method that was vouched for is validated once";
}

TEST_F(DataAccessTest, a_method_that_nobody_vouched_for_is_validated_each_time_and_not_kept) {
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->describes, 2);
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    EXPECT_EQ(access_->cache_hits(), 0u);
}

TEST_F(DataAccessTest, a_fresh_list_replaces_the_one_that_was_kept) {
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    set_versions({{0x7f0000aa0000, DacTier::quick_jitted, 0, 0}, {0x7f0000ee0000, DacTier::optimized_tier1, 0, 0x7f0000dd0000}});
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000ee0000), versions_, is_remembered_), Status::ok);
    EXPECT_EQ(access_->cache_hits(), 1u);
}

TEST_F(DataAccessTest, collectible_and_dynamic_methods_are_validated_and_asked_each_time) {
    for (const bool is_dynamic : {false, true}) {
        script_->collectible.is_collectible = is_dynamic ? 0 : 1;
        script_->description.is_dynamic = is_dynamic ? 1 : 0;
        script_->describes = script_->version_queries = 0;
        for (int i = 0; i < 2; ++i) {
            ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
        }
        EXPECT_EQ(script_->describes, 2);
        EXPECT_EQ(script_->version_queries, 2);
    }
    EXPECT_EQ(access_->cache_hits(), 0u);
}

TEST_F(DataAccessTest, a_query_sees_memory_that_changed_before_it_and_keeps_what_it_saw) {
    static memory::testing::BufferReader* memory = nullptr;
    memory = &memory_;
    constexpr std::uint64_t kWord = FakeMethod::kPage + 0xF00;
    script_->address_to_read = kWord;
    memory_.add_value<std::uint64_t>(Address(kWord), 1);
    script_->between_reads = [] { memory->add_value<std::uint64_t>(Address(kWord), 2); };
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->words_read[0], 1u);
    EXPECT_EQ(script_->words_read[1], 1u) << "within a query a page is copied once";
    ASSERT_EQ(access_->list_versions(kMethod, versions_), Status::ok);
    EXPECT_EQ(script_->words_read[0], 2u) << "the next query copies it anew";
    EXPECT_GT(access_->target_reads(), 0u);
}

TEST_F(DataAccessTest, questions_from_many_threads_reach_the_library_one_at_a_time) {
    ASSERT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions_, is_remembered_), Status::ok);
    script_->is_slow = true;
    constexpr int kThreads = 4;
    constexpr int kQuestions = 50;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([this] {
            MethodDescription description;
            CodeVersionList versions;
            bool is_remembered = false;
            for (int question = 0; question < kQuestions; ++question) {
                EXPECT_EQ(access_->describe_method(kMethod, description), Status::ok);
                EXPECT_EQ(access_->list_versions(kMethod, versions), Status::ok);
                EXPECT_EQ(access_->list_versions_with_code(kMethod, Address(0x7f0000aa0000), versions, is_remembered), Status::ok);
                EXPECT_EQ(versions.count, 2u);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(script_->most_inside, 1);
    EXPECT_EQ(access_->queries(), 1u + 2u * kThreads * kQuestions);
    EXPECT_EQ(access_->cache_hits(), 1u * kThreads * kQuestions);
}

}  // namespace
