// What     A question to the DAC while its reads of this process fail, one after the other.
// What not The DAC's own behaviour: the scripted one reads a word and answers whatever it got.
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "clr/data_access.h"
#include "clr_fake_method.h"
#include "each_read.h"
#include "fake_dac/open_script.h"

namespace {

using namespace tierup;
using namespace tierup::clr;
using clr::testing::FakeDacScript;
using clr::testing::FakeMethod;

/// On pages of their own, so that each costs a read.
constexpr std::uint64_t kMethodTable = FakeMethod::kPage + 0x10000;
constexpr std::uint64_t kClass = FakeMethod::kPage + 0x20000;
constexpr std::uint64_t kWord = FakeMethod::kPage + 0x30000;

class QueryFaultTest : public ::testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        for (const std::uint64_t page : {kMethodTable, kClass, kWord}) {
            clr::testing::add_zero_page(memory_, page);
        }
        memory_.add_value<std::uint64_t>(Address(FakeMethod::kChunk), kMethodTable);
        memory_.add_value<std::uint64_t>(Address(kMethodTable + 0x28), kClass);
        memory_.add_value<std::uint64_t>(Address(kClass + 16), kMethodTable);
        memory_.add_value<std::uint64_t>(Address(kWord), 42);
        script_ = tierup::clr::testing::open_fresh_script(FAKE_DAC);
        ASSERT_NE(script_, nullptr);
        script_->description.method_desc = FakeMethod::kMethod.value();
        script_->description.method_table = kMethodTable;
        script_->description.module = kMethodTable;
        script_->version_count = script_->filled_count = 1;
        script_->versions[0] = {0x7f0000aa0000, DacTier::quick_jitted, 0, 0};
        script_->address_to_read = kWord;
    }

    memory::testing::BufferReader memory_;
    FakeMethod method_{memory_};
    FakeDacScript* script_ = nullptr;
};

TEST_P(QueryFaultTest, a_query_answers_or_says_absent_whichever_read_fails) {
    const std::uint64_t faults = fault::fail_each_read(
        memory_,
        [](const memory::Reader& reader) {
            const auto access = std::make_unique<DataAccess>();
            EXPECT_EQ(access->load(FAKE_DAC, Address(0x7f1111110000), reader, kMachineAmd64), Status::ok);
            CodeVersionList versions;
            const Status status = access->list_versions(FakeMethod::kMethod, versions);
            return std::pair(status, versions.count);
        },
        [this](const std::pair<Status, std::uint32_t>& result, std::uint64_t failed_read) {
            // Reads 1 to 3 are the descriptor's chain; the fourth is the library's own, which it asks for twice.
            const bool is_chain = failed_read >= 1 && failed_read <= 3;
            EXPECT_EQ(result.first, is_chain ? Status::absent : Status::ok);
            EXPECT_EQ(result.second, is_chain ? 0u : 1u);
            if (!is_chain) {
                EXPECT_EQ(script_->words_read[1], failed_read == 4 && GetParam() ? 0u : 42u);
            }
        },
        GetParam());
    EXPECT_GE(faults, 4u);
}

INSTANTIATE_TEST_SUITE_P(OnceAndForEver, QueryFaultTest, ::testing::Bool());

}  // namespace
