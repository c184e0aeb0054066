// What     Bytes of live stubs, recorded on each runtime, against the rows: shape and slots as the recording says.
// What not The recording is not made by our decoder: see recorder/README.md.
// Failure  A row without a recording on one of its architecture's runtimes fails.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "decode/match.h"

namespace {

using nlohmann::json;
using tierup::Address;
using tierup::decode::Architecture;
using tierup::decode::kRowsArm64;
using tierup::decode::kRowsX64;
using tierup::decode::kWindowBytes;
using tierup::decode::Match;
using tierup::decode::match_stub;
using tierup::decode::Row;
using tierup::decode::Shape;

struct Recording {
    std::string runtime;
    std::string architecture_name;
    Architecture architecture;
    std::vector<json> stubs;
};

std::vector<Recording> read_recordings() {
    std::vector<Recording> recordings;
    for (const auto& entry : std::filesystem::directory_iterator(TIERUP_RECORDED_STUBS)) {
        const json file = json::parse(std::ifstream(entry.path()));
        const std::string name = file.at("architecture");
        recordings.push_back({file.at("runtime"), name, name == "x64" ? Architecture::x64 : Architecture::arm64, file.at("stubs")});
    }
    return recordings;
}

std::uint64_t number_of(const std::string& text) {
    return std::stoull(text, nullptr, 16);
}

std::array<std::uint8_t, kWindowBytes> bytes_of(const std::string& text) {
    std::array<std::uint8_t, kWindowBytes> bytes{};
    EXPECT_EQ(text.size(), kWindowBytes * 2);
    for (std::size_t i = 0; i < bytes.size() && i * 2 + 1 < text.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(std::stoul(text.substr(i * 2, 2), nullptr, 16));
    }
    return bytes;
}

Match match_of(const Recording& recording, const json& stub) {
    return match_stub(recording.architecture, Address(number_of(stub.at("at"))), bytes_of(stub.at("bytes")));
}

std::string name_of(Shape shape) {
    switch (shape) {
        case Shape::fixup_precode: return "fixup_precode";
        case Shape::stub_precode: return "stub_precode";
        case Shape::call_counting_stub: return "call_counting_stub";
        case Shape::unknown: break;
    }
    return "unknown";
}

TEST(RecordedStubs, each_recorded_stub_has_the_shape_that_the_recorder_saw) {
    for (const Recording& recording : read_recordings()) {
        for (const json& stub : recording.stubs) {
            EXPECT_EQ(name_of(match_of(recording, stub).shape), stub.at("shape").get<std::string>())
                << recording.architecture_name << " " << recording.runtime << " " << stub.at("name");
        }
    }
}

TEST(RecordedStubs, each_slot_is_where_the_recorder_found_its_content) {
    for (const Recording& recording : read_recordings()) {
        for (const json& stub : recording.stubs) {
            const Match match = match_of(recording, stub);
            const std::map<std::string, Address> slots = {
                {"target", match.target_slot},
                {"method", match.method_slot},
                {"cell", match.cell_slot},
                {"threshold", match.threshold_slot},
                {"unprepared_target", match.unprepared_target},
            };
            const json& expected = stub.at("slots");
            for (const auto& [slot, at] : expected.items()) {
                EXPECT_EQ(slots.at(slot).value(), number_of(at)) << recording.runtime << " " << stub.at("name") << " " << slot;
            }
            for (const auto& [slot, at] : slots) {
                if (slot != "unprepared_target") {  // recorded in one of the two states only
                    EXPECT_EQ(at.is_null(), !expected.contains(slot)) << recording.runtime << " " << stub.at("name") << " " << slot;
                }
            }
        }
    }
}

TEST(RecordedStubs, a_method_that_begins_with_a_tail_call_was_recorded_everywhere_on_x64_and_is_unknown) {
    for (const Recording& recording : read_recordings()) {
        if (recording.architecture != Architecture::x64) {
            continue;
        }
        std::size_t tail_calls = 0;
        for (const json& stub : recording.stubs) {
            if (stub.at("name") == "explicit_tail_call") {
                ASSERT_EQ(stub.at("bytes").get<std::string>().substr(0, 4), "ff25") << recording.runtime;
                EXPECT_EQ(match_of(recording, stub).shape, Shape::unknown) << recording.runtime;
                ++tail_calls;
            }
        }
        EXPECT_EQ(tail_calls, 1u) << recording.runtime;
    }
}

TEST(RecordedStubs, all_supported_runtimes_are_here) {
    std::map<std::string, std::set<std::string>> runtimes;
    for (const Recording& recording : read_recordings()) {
        runtimes[recording.architecture_name].insert(recording.runtime.substr(0, recording.runtime.find('.')));
    }
    EXPECT_EQ(runtimes["x64"], (std::set<std::string>{"8", "9", "10", "11"}));
    EXPECT_EQ(runtimes["arm64"], (std::set<std::string>{"9", "10", "11"}));  // no runtime pack of 8 for arm64 was to be had
}

template <typename Rows>
void expect_fixture_of_each(const Rows& rows) {
    const std::vector<Recording> recordings = read_recordings();
    for (const Row& row : rows) {
        bool is_found = false;
        for (const Recording& recording : recordings) {
            for (const json& stub : recording.stubs) {
                is_found = is_found || (stub.at("name") == row.fixture && recording.architecture == row.architecture &&
                                        match_of(recording, stub).row == &row);
            }
        }
        EXPECT_TRUE(is_found) << row.name << " names the fixture " << row.fixture;
    }
}

TEST(RecordedStubs, each_row_matches_the_fixture_that_it_names) {
    expect_fixture_of_each(kRowsX64);
    expect_fixture_of_each(kRowsArm64);
}

TEST(RecordedStubs, each_shape_was_recorded_on_each_runtime) {
    for (const Recording& recording : read_recordings()) {
        std::set<std::string> shapes;
        for (const json& stub : recording.stubs) {
            shapes.insert(name_of(match_of(recording, stub).shape));
        }
        for (const char* shape : {"fixup_precode", "stub_precode", "call_counting_stub"}) {
            EXPECT_TRUE(shapes.contains(shape)) << recording.architecture_name << " " << recording.runtime << " " << shape;
        }
    }
}

}  // namespace
