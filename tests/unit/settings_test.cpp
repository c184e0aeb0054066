// What     The effective settings for what a user may set, against what the runtime made of the same.
// What not No runtime is started here. Each row was run on 8.0.34, 9.0.23, 10.0.15 and 11.0.0 (linux-x64) and the fields of the runtime's own
//          EEConfig object were read from its memory; all four agreed on every row. Rows on OSR: a hot loop called once, and whether
//          GetTieredVersions then listed an OSR version.
#include "runtime/settings.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tierup::runtime::read_settings;
using tierup::runtime::Settings;
using tierup::runtime::SettingsSource;

using Texts = std::map<std::string, std::string>;

struct Case {
    const char* name;
    Texts environment;
    Texts properties;
    Settings expected;
    std::uint32_t processors = 4;
};

constexpr Settings kDefaults = {};
constexpr Settings kTieringOff = {.call_count_threshold = 1,
                                  .call_counting_delay_ms = 0,
                                  .background_worker_timeout_ms = 0,
                                  .tiered_compilation = false,
                                  .quick_jit = false,
                                  .quick_jit_for_loops = false,
                                  .tiered_pgo = false,
                                  .instrument_only_hot_code = false,
                                  .call_counting = false,
                                  .call_counting_stubs = false,
                                  .osr = false};

template <typename Change>
Settings with(Change change) {
    Settings settings = kDefaults;
    change(settings);
    return settings;
}
Settings threshold(std::uint32_t value) {
    return with([=](Settings& s) { s.call_count_threshold = value; });
}
Settings delay(std::uint32_t value) {
    return with([=](Settings& s) { s.call_counting_delay_ms = value; });
}
const Settings kNoQuickJit = with([](Settings& s) { s.quick_jit = s.quick_jit_for_loops = s.tiered_pgo = s.osr = false; });
const Settings kNoQuickJitForLoops = with([](Settings& s) { s.quick_jit_for_loops = s.osr = false; });
const Settings kNoPgo = with([](Settings& s) { s.tiered_pgo = false; });
const Settings kInstrumentAll = with([](Settings& s) { s.instrument_only_hot_code = false; });
const Settings kNoOsr = with([](Settings& s) { s.osr = false; });
const Settings kAggressive = with([](Settings& s) {
    s.call_count_threshold = 1;
    s.call_counting_delay_ms = 0;
});

const std::string kTiered = "System.Runtime.TieredCompilation";
const std::string kThreshold = kTiered + ".CallCountThreshold";
const std::string kDelay = kTiered + ".CallCountingDelayMs";

std::vector<Case> cases() {
    return {
        {"defaults", {}, {}, kDefaults},
        {"tiered_compilation_0", {{"DOTNET_TieredCompilation", "0"}}, {}, kTieringOff},
        {"tiered_compilation_0_with_pgo_1", {{"DOTNET_TieredCompilation", "0"}, {"DOTNET_TieredPGO", "1"}}, {}, kTieringOff},
        {"quick_jit_0", {{"DOTNET_TC_QuickJit", "0"}}, {}, kNoQuickJit},
        {"quick_jit_0_with_loops_1", {{"DOTNET_TC_QuickJit", "0"}, {"DOTNET_TC_QuickJitForLoops", "1"}}, {}, kNoQuickJit},
        {"quick_jit_for_loops_0", {{"DOTNET_TC_QuickJitForLoops", "0"}}, {}, kNoQuickJitForLoops},
        {"pgo_0", {{"DOTNET_TieredPGO", "0"}}, {}, kNoPgo},
        {"pgo_2", {{"DOTNET_TieredPGO", "2"}}, {}, kDefaults},
        {"instrument_only_hot_code_0", {{"DOTNET_TieredPGO_InstrumentOnlyHotCode", "0"}}, {}, kInstrumentAll},
        {"instrument_only_hot_code_2", {{"DOTNET_TieredPGO_InstrumentOnlyHotCode", "2"}}, {}, kInstrumentAll},
        {"threshold_0", {{"DOTNET_TC_CallCountThreshold", "0"}}, {}, threshold(1)},
        {"threshold_1", {{"DOTNET_TC_CallCountThreshold", "1"}}, {}, threshold(1)},
        {"threshold_2", {{"DOTNET_TC_CallCountThreshold", "2"}}, {}, threshold(2)},
        {"threshold_64_is_hexadecimal", {{"DOTNET_TC_CallCountThreshold", "64"}}, {}, threshold(100)},
        {"threshold_FFFF", {{"DOTNET_TC_CallCountThreshold", "FFFF"}}, {}, threshold(65535)},
        {"threshold_10000_is_clamped", {{"DOTNET_TC_CallCountThreshold", "10000"}}, {}, threshold(65535)},
        {"threshold_minus_1_wraps", {{"DOTNET_TC_CallCountThreshold", "-1"}}, {}, threshold(65535)},
        {"threshold_minus_1_behind_a_space_wraps", {{"DOTNET_TC_CallCountThreshold", " -1"}}, {}, threshold(65535)},
        {"threshold_beyond_32_bits_is_ignored", {{"DOTNET_TC_CallCountThreshold", "100000000"}}, {}, threshold(30)},
        {"threshold_beyond_64_bits_is_ignored", {{"DOTNET_TC_CallCountThreshold", "FFFFFFFFFFFFFFFFF"}}, {}, threshold(30)},
        {"threshold_below_minus_64_bits_is_ignored", {{"DOTNET_TC_CallCountThreshold", "-FFFFFFFFFFFFFFFFF"}}, {}, threshold(30)},
        {"number_ends_at_the_first_other_letter", {{"DOTNET_TC_CallCountThreshold", "5z"}}, {}, threshold(5)},
        {"spaces_and_0x_are_taken", {{"DOTNET_TC_CallCountThreshold", " 0x1Fzz"}}, {}, threshold(31)},
        {"false_is_the_number_FA", {{"DOTNET_TieredCompilation", "false"}}, {}, kDefaults},
        {"garbage_is_the_default", {{"DOTNET_TC_CallCountThreshold", "zz"}}, {}, kDefaults},
        {"complus_alone", {{"COMPlus_TC_CallCountThreshold", "5"}}, {}, threshold(5)},
        {"dotnet_beats_complus", {{"DOTNET_TC_CallCountThreshold", "6"}, {"COMPlus_TC_CallCountThreshold", "5"}}, {}, threshold(6)},
        {"empty_dotnet_gives_way_to_complus",
         {{"DOTNET_TC_CallCountThreshold", ""}, {"COMPlus_TC_CallCountThreshold", "5"}},
         {},
         threshold(5)},
        {"garbage_dotnet_does_not_give_way",
         {{"DOTNET_TC_CallCountThreshold", "zz"}, {"COMPlus_TC_CallCountThreshold", "5"}},
         {},
         threshold(30)},
        {"names_are_case_sensitive", {{"dotnet_TC_CallCountThreshold", "7"}}, {}, kDefaults},
        {"delay_0", {{"DOTNET_TC_CallCountingDelayMs", "0"}}, {}, delay(0)},
        {"delay_1", {{"DOTNET_TC_CallCountingDelayMs", "1"}}, {}, delay(1)},
        {"delay_3E8", {{"DOTNET_TC_CallCountingDelayMs", "3E8"}}, {}, delay(1000)},
        {"call_counting_0", {{"DOTNET_TC_CallCounting", "0"}}, {}, with([](Settings& s) {
             s.call_counting = s.call_counting_stubs = false;
         })},
        {"stubs_0", {{"DOTNET_TC_UseCallCountingStubs", "0"}}, {}, with([](Settings& s) { s.call_counting_stubs = false; })},
        {"worker_timeout_0", {{"DOTNET_TC_BackgroundWorkerTimeoutMs", "0"}}, {}, with([](Settings& s) {
             s.background_worker_timeout_ms = 0;
         })},
        {"aggressive", {{"DOTNET_TC_AggressiveTiering", "1"}}, {}, kAggressive},
        {"aggressive_beats_threshold_and_delay",
         {{"DOTNET_TC_AggressiveTiering", "1"}, {"DOTNET_TC_CallCountThreshold", "7"}, {"DOTNET_TC_CallCountingDelayMs", "7"}},
         {},
         kAggressive},
        {"one_processor", {}, {}, delay(1000), 1},
        {"one_processor_multiplier_1", {{"DOTNET_TC_DelaySingleProcMultiplier", "1"}}, {}, delay(100), 1},
        {"one_processor_overflow_is_not_multiplied", {{"DOTNET_TC_CallCountingDelayMs", "30000000"}}, {}, delay(0x30000000), 1},
        {"one_processor_aggressive", {{"DOTNET_TC_AggressiveTiering", "1"}}, {}, kAggressive, 1},
        {"ready_to_run_0_changes_nothing_here", {{"DOTNET_ReadyToRun", "0"}}, {}, kDefaults},
        {"jit_min_opts_changes_nothing_here", {{"DOTNET_JITMinOpts", "1"}}, {}, kDefaults},
        {"osr_0", {{"DOTNET_TC_OnStackReplacement", "0"}}, {}, kNoOsr},
        {"osr_2", {{"DOTNET_TC_OnStackReplacement", "2"}}, {}, kDefaults},
        {"osr_negative", {{"DOTNET_TC_OnStackReplacement", "FFFFFFFF"}}, {}, kNoOsr},
        // runtimeconfig.json
        {"property_tiering_false", {}, {{kTiered, "false"}}, kTieringOff},
        {"property_tiering_false_with_a_capital", {}, {{kTiered, "False"}}, kTieringOff},
        {"property_tiering_true_with_a_capital_is_not_true", {}, {{kTiered, "True"}}, kTieringOff},
        {"property_tiering_1_is_not_true", {}, {{kTiered, "1"}}, kTieringOff},
        {"property_pgo_false", {}, {{"System.Runtime.TieredPGO", "false"}}, kNoPgo},
        {"property_pgo_1_is_not_true", {}, {{"System.Runtime.TieredPGO", "1"}}, kNoPgo},
        {"property_quick_jit_false", {}, {{kTiered + ".QuickJit", "false"}}, kNoQuickJit},
        {"property_loops_false", {}, {{kTiered + ".QuickJitForLoops", "false"}}, kNoQuickJitForLoops},
        {"property_numbers_are_decimal", {}, {{kThreshold, "40"}, {kDelay, "50"}}, with([](Settings& s) {
             s.call_count_threshold = 40, s.call_counting_delay_ms = 50;
         })},
        {"property_numbers_with_0x_and_0_are_hexadecimal_and_octal", {}, {{kThreshold, "0x40"}, {kDelay, "050"}}, with([](Settings& s) {
             s.call_count_threshold = 64, s.call_counting_delay_ms = 40;
         })},
        {"property_garbage_is_0_and_minus_1_wraps", {}, {{kThreshold, "x"}, {kDelay, "-1"}}, with([](Settings& s) {
             s.call_count_threshold = 1, s.call_counting_delay_ms = 0xffffffff;
         })},
        {"property_out_of_range_is_the_greatest", {}, {{kThreshold, "99999999999"}, {kDelay, "99999999999"}}, with([](Settings& s) {
             s.call_count_threshold = 65535, s.call_counting_delay_ms = 0xffffffff;
         })},
        {"property_worker_timeout_is_not_read", {}, {{kTiered + ".BackgroundWorkerTimeoutMs", "77"}}, kDefaults},
        {"environment_beats_property",
         {{"DOTNET_TC_CallCountThreshold", "7"}, {"DOTNET_TieredPGO", "1"}},
         {{kThreshold, "40"}, {"System.Runtime.TieredPGO", "false"}},
         threshold(7)},
        {"garbage_environment_gives_way_to_the_property",
         {{"DOTNET_TC_CallCountThreshold", "z"}, {"DOTNET_TieredPGO", "z"}},
         {{kThreshold, "40"}, {"System.Runtime.TieredPGO", "false"}},
         with([](Settings& s) { s.call_count_threshold = 40, s.tiered_pgo = false; })},
    };
}

const char* find(const Texts& texts, const char* name) {
    const auto found = texts.find(name);
    return found == texts.end() ? nullptr : found->second.c_str();
}

class SettingsTest : public ::testing::TestWithParam<Case> {};

TEST_P(SettingsTest, reads_as_the_runtime_reads) {
    const Case& row = GetParam();
    const SettingsSource source = {
        .find_environment_value = [](const void* context,
                                     const char* name) noexcept { return find(static_cast<const Case*>(context)->environment, name); },
        .find_property = [](const void* context,
                            const char* name) noexcept { return find(static_cast<const Case*>(context)->properties, name); },
        .context = &row};
    for (const std::uint32_t runtime_major : {8u, 9u, 10u, 11u}) {
        const Settings settings = read_settings(source, row.processors, runtime_major);
        EXPECT_EQ(settings.call_count_threshold, row.expected.call_count_threshold);
        EXPECT_EQ(settings.call_counting_delay_ms, row.expected.call_counting_delay_ms);
        EXPECT_EQ(settings.background_worker_timeout_ms, row.expected.background_worker_timeout_ms);
        EXPECT_EQ(settings.tiered_compilation, row.expected.tiered_compilation);
        EXPECT_EQ(settings.quick_jit, row.expected.quick_jit);
        EXPECT_EQ(settings.quick_jit_for_loops, row.expected.quick_jit_for_loops);
        EXPECT_EQ(settings.tiered_pgo, row.expected.tiered_pgo);
        EXPECT_EQ(settings.instrument_only_hot_code, row.expected.instrument_only_hot_code);
        EXPECT_EQ(settings.call_counting, row.expected.call_counting);
        EXPECT_EQ(settings.call_counting_stubs, row.expected.call_counting_stubs);
        EXPECT_EQ(settings.osr, row.expected.osr);
        EXPECT_TRUE(settings == row.expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, SettingsTest, ::testing::ValuesIn(cases()), [](const auto& row) { return std::string(row.param.name); });

TEST(Settings, a_source_without_functions_gives_the_defaults) {
    EXPECT_TRUE(read_settings({}, 4, 10) == kDefaults);
}

}  // namespace
