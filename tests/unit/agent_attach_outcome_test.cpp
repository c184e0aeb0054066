// What     Each failure has a sentence of its own that fits its buffer.
#include "agent/attach_outcome.h"

#include <array>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "clr/profiler_abi.h"

namespace {

using namespace tierup;
using namespace tierup::agent;

std::string text_of(const AttachOutcome& outcome) {
    std::array<char, kExplanationBytes> text;
    text.fill('x');
    explain(outcome, text);
    return text.data();
}

TEST(AttachOutcome, every_failure_has_its_own_whole_sentence) {
    const AttachOutcome outcomes[] = {
        {AttachStep::find_library, Status::absent},
        {AttachStep::write_request, Status::exhausted},
        {AttachStep::write_request, Status::invalid_argument},
        {AttachStep::find_socket, Status::exhausted},
        {AttachStep::connect, Status::absent},
        {AttachStep::connect, Status::not_started},
        {AttachStep::connect, Status::unsupported},
        {AttachStep::connect, Status::timed_out},
        {AttachStep::connect, Status::exhausted},
        {AttachStep::connect, Status::unknown},
        {AttachStep::check_peer, Status::unsupported},
        {AttachStep::send, Status::cancelled},
        {AttachStep::send, Status::timed_out},
        {AttachStep::send, Status::unknown},
        {AttachStep::receive, Status::cancelled},
        {AttachStep::receive, Status::timed_out},
        {AttachStep::receive, Status::unknown},
        {AttachStep::read_answer, Status::unsupported},
        {AttachStep::load, Status::unknown, clr::kProfilerAlreadyActive},
        {AttachStep::load, Status::unknown, clr::kRuntimeUninitialized},
        {AttachStep::load, Status::unknown, clr::kIpcUnknownCommand},
        {AttachStep::load, Status::unknown, clr::kFail},
        {AttachStep::be_called, Status::unknown},
        {AttachStep::watch_events, Status::unknown, clr::kFail},
        {AttachStep::start_session, Status::unknown, clr::kFail},
    };
    std::set<std::string> texts;
    for (const AttachOutcome& outcome : outcomes) {
        const std::string text = text_of(outcome);
        EXPECT_GT(text.size(), 40u);
        EXPECT_LT(text.size(), kExplanationBytes - 1) << "cut: " << text;
        EXPECT_EQ(text.find('x') == std::string::npos || text.find("xxx") == std::string::npos, true);
        EXPECT_TRUE(texts.insert(text).second) << text;
        EXPECT_TRUE(text.back() == '.' || text.back() == '?' || text.back() == ')') << text;
    }
}

TEST(AttachOutcome, an_hresult_is_named_in_hexadecimal) {
    EXPECT_TRUE(text_of({AttachStep::load, Status::unknown, static_cast<clr::Hresult>(0x8013136Au)}).ends_with(" (HRESULT 0x8013136A)"));
    EXPECT_EQ(text_of({AttachStep::load, Status::unknown, clr::kOk}).find("HRESULT"), std::string::npos);
}

TEST(AttachOutcome, success_says_nothing_and_a_small_buffer_cuts) {
    EXPECT_EQ(text_of({AttachStep::done, Status::ok}), "");
    std::array<char, 5> small{'x', 'x', 'x', 'x', 'x'};
    explain({AttachStep::connect, Status::absent}, small);
    EXPECT_STREQ(small.data(), "The ");
    explain({AttachStep::connect, Status::absent}, std::span<char>());
}

}  // namespace
