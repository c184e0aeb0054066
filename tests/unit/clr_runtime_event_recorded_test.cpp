// What     Payloads that real runtimes delivered, against what the recorded program is known to have done.
// What not How they were recorded: tests/recorded/events/README.md, with the program.
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "clr/runtime_event.h"

namespace {

using namespace tierup;
using namespace tierup::clr;

struct Line {
    std::uint32_t id = 0;
    std::uint32_t version = 0;
    std::vector<std::uint8_t> payload;
};

struct Recording {
    std::string runtime;
    std::vector<Line> lines;
};

std::vector<Recording> read_recordings() {
    std::vector<Recording> recordings;
    for (const char* runtime : {"8.0.34", "9.0.23", "10.0.15", "11.0.0"}) {
        std::ifstream file(std::string(TIERUP_RECORDED_EVENTS) + "/x64-" + runtime + ".txt");
        EXPECT_TRUE(file.is_open()) << runtime;
        Recording recording{runtime, {}};
        for (std::string text; std::getline(file, text);) {
            if (text.starts_with("#")) {
                continue;
            }
            Line line;
            std::string hex;
            std::istringstream(text) >> line.id >> line.version >> hex;
            for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
                line.payload.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
            }
            recording.lines.push_back(line);
        }
        recordings.push_back(recording);
    }
    return recordings;
}

std::string narrow(const Utf16Text& text) {
    return {text.text, text.text + text.units};
}

struct Seen {
    RuntimeEvent event;
    std::string name_space;
    std::string name;
};

std::vector<Seen> events_of(const Recording& recording) {
    std::vector<Seen> seen;
    for (const Line& line : recording.lines) {
        Seen one;
        const Status status = read_runtime_event(line.id, line.version, line.payload.data(), line.payload.size(), one.event);
        EXPECT_EQ(status, line.id == 146 ? Status::unsupported : Status::ok) << recording.runtime << " " << line.id;
        if (status == Status::ok) {
            one.name_space = narrow(one.event.method_namespace);
            one.name = narrow(one.event.method_name);
            seen.push_back(one);
        }
    }
    return seen;
}

std::vector<Seen> loads_of(const std::vector<Seen>& events, const std::string& name) {
    std::vector<Seen> loads;
    std::copy_if(events.begin(), events.end(), std::back_inserter(loads),
                 [&](const Seen& seen) { return seen.event.kind == RuntimeEventKind::method_loaded && seen.name == name; });
    return loads;
}

/// What the program's source says (README.md): attributes fix the tier, the order of declaration fixes the token.
struct Expected {
    const char* name;
    std::uint32_t token;
    std::vector<Tier> tiers;
    const char* name_space = "P";
    bool is_dynamic = false;
};

TEST(RecordedEvents, each_method_was_loaded_with_the_tiers_that_its_source_asks_for) {
    const std::vector<Expected> expected = {
        {"Tiering", 0x06000001, {Tier::tier0, Tier::tier0_instrumented, Tier::tier1}},
        {"Aggressive", 0x06000002, {Tier::optimized}},
        {"NotOptimized", 0x06000003, {Tier::min_opt}},
        {"Generic", 0x06000004, {Tier::tier0, Tier::tier0}},
        {"Osr", 0x06000005, {Tier::tier0, Tier::tier1_osr}},
        {"Make", 0x06000006, {Tier::tier0}},
        {"Dynamic", 0, {Tier::optimized}, "dynamicClass", true},
    };
    for (const Recording& recording : read_recordings()) {
        const std::vector<Seen> events = events_of(recording);
        for (const Expected& method : expected) {
            const std::vector<Seen> loads = loads_of(events, method.name);
            ASSERT_EQ(loads.size(), method.tiers.size()) << recording.runtime << " " << method.name;
            for (std::size_t i = 0; i < loads.size(); ++i) {
                // 8.0 says tier-1 of it, in the events as in the data access library (docs/RUNTIME.md).
                const bool is_told_tier1 = recording.runtime == "8.0.34" && std::string(method.name) == "Aggressive";
                EXPECT_EQ(loads[i].event.tier, is_told_tier1 ? Tier::tier1 : method.tiers[i])
                    << recording.runtime << " " << method.name << " " << i;
                EXPECT_EQ(loads[i].event.token, method.token) << recording.runtime << " " << method.name;
                EXPECT_EQ(loads[i].event.is_dynamic, method.is_dynamic) << recording.runtime << " " << method.name;
                EXPECT_EQ(loads[i].name_space, method.name_space) << recording.runtime;
            }
        }
    }
}

TEST(RecordedEvents, the_versions_of_one_method_share_its_descriptor_and_differ_in_code_and_number) {
    for (const Recording& recording : read_recordings()) {
        const std::vector<Seen> loads = loads_of(events_of(recording), "Tiering");
        ASSERT_EQ(loads.size(), 3u);
        std::set<Address> codes;
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(loads[i].event.method, loads[0].event.method);
            EXPECT_EQ(loads[i].event.module, loads[0].event.module);
            EXPECT_EQ(loads[i].event.rejit_id, i) << "native code versions are numbered from 0";
            codes.insert(loads[i].event.code);
        }
        EXPECT_EQ(codes.size(), 3u);
    }
}

// Event 146, which the runtime fires between the two, tells the size of the code a second time: MethodID, ModuleID, JitHotCodeRequestSize, each u64.
TEST(RecordedEvents, each_jit_start_is_followed_by_its_load_with_the_size_that_the_runtime_allocated) {
    for (const Recording& recording : read_recordings()) {
        RuntimeEvent started;
        std::uint64_t allocated = 0;
        std::uint32_t loads = 0;
        for (const Line& line : recording.lines) {
            RuntimeEvent event;
            (void)read_runtime_event(line.id, line.version, line.payload.data(), line.payload.size(), event);
            if (line.id == 145) {
                started = event;
            } else if (line.id == 146) {
                std::memcpy(&allocated, line.payload.data() + 16, sizeof allocated);
            } else if (line.id == 143) {
                ++loads;
                EXPECT_EQ(event.method, started.method);
                EXPECT_EQ(event.token, started.token);
                EXPECT_EQ(event.code_bytes, allocated);
            }
        }
        EXPECT_EQ(loads, 11u) << recording.runtime;
    }
}

TEST(RecordedEvents, each_promotion_stands_in_a_batch_of_one) {
    for (const Recording& recording : read_recordings()) {
        const std::vector<Seen> events = events_of(recording);
        std::uint32_t promotions = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events[i].event.kind != RuntimeEventKind::batch_began) {
                continue;
            }
            ++promotions;
            ASSERT_LT(i + 3, events.size());
            EXPECT_EQ(events[i].event.method_count, 1u);
            EXPECT_EQ(events[i + 1].event.kind, RuntimeEventKind::jit_started);
            EXPECT_EQ(events[i + 1].event.il_bytes, 22u) << "Tiering's IL";
            EXPECT_EQ(events[i + 2].event.kind, RuntimeEventKind::method_loaded);
            EXPECT_EQ(events[i + 3].event.kind, RuntimeEventKind::batch_ended);
            EXPECT_EQ(events[i + 3].event.method_count, 0u);
            EXPECT_EQ(events[i + 3].event.jitted_count, 1u);
        }
        EXPECT_EQ(promotions, 2u) << recording.runtime;
    }
}

TEST(RecordedEvents, delays_begin_and_end_with_a_count_of_new_methods) {
    bool has_beginning = false;
    for (const Recording& recording : read_recordings()) {
        std::uint32_t endings = 0;
        for (const Seen& seen : events_of(recording)) {
            has_beginning = has_beginning || seen.event.kind == RuntimeEventKind::delay_began;
            if (seen.event.kind == RuntimeEventKind::delay_ended) {
                ++endings;
                // The program calls six methods of its own for the first time and start-up some hundred; the second delay on 11 saw two.
                EXPECT_GE(seen.event.method_count, 1u);
                EXPECT_LE(seen.event.method_count, 2000u);
            }
        }
        EXPECT_GE(endings, 1u) << recording.runtime;
    }
    EXPECT_TRUE(has_beginning);
}

}  // namespace
