// What     The bytes of an attach request, byte for byte as the protocol's document has them, and answers of every kind.
#include "clr/diagnostics_message.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace tierup;
using namespace tierup::clr;

constexpr Guid kClass{0x01020304, 0x0506, 0x0708, {9, 10, 11, 12, 13, 14, 15, 16}};

std::vector<std::uint8_t> request_for(const char* path, Status expected = Status::ok, std::size_t capacity = kAttachRequestCapacity) {
    std::vector<std::uint8_t> buffer(capacity);
    std::size_t bytes = 0;
    EXPECT_EQ(write_attach_request({.class_id = kClass, .library_path = path, .timeout_ms = 5000}, buffer, bytes), expected);
    buffer.resize(bytes);
    return buffer;
}

std::u16string path_in(const std::vector<std::uint8_t>& request) {
    std::uint32_t units = 0;
    std::memcpy(&units, request.data() + 40, sizeof units);
    std::u16string path(units, u'\0');
    std::memcpy(path.data(), request.data() + 44, units * sizeof(char16_t));
    EXPECT_EQ(path.back(), u'\0') << "the count includes the zero";
    path.pop_back();
    return path;
}

// ipc-protocol.md, "AttachProfiler": header (magic, size, 0x03, 0x01, 0), uint attachTimeout, CLSID, string profilerPath, array clientData.
TEST(AttachRequest, has_the_bytes_of_the_protocol) {
    const std::vector<std::uint8_t> expected = {
        'D',  'O',  'T', 'N', 'E', 'T', '_', 'I', 'P', 'C', '_', 'V', '1', 0,           // magic
        54,   0,    3,   1,   0,   0,                                                   // size, command set, command, reserved
        0x88, 0x13, 0,   0,                                                             // 5000 ms
        4,    3,    2,   1,   6,   5,   8,   7,   9,   10,  11,  12,  13,  14, 15, 16,  // the class id as it stands in memory
        3,    0,    0,   0,   '/', 0,   'a', 0,   0,   0,                               // the path: units with the zero, then they
        0,    0,    0,   0,                                                             // no client data
    };
    EXPECT_EQ(request_for("/a"), expected);
}

TEST(AttachRequest, paths_are_translated_from_utf_8) {
    EXPECT_EQ(path_in(request_for("/\xC3\xA9/\xE2\x82\xAC/\xF0\x9F\x98\x80")), u"/\u00E9/\u20AC/\U0001F600");
}

TEST(AttachRequest, a_path_that_is_no_utf_8_is_refused) {
    for (const char* path : {"/\x80", "/\xC3", "/\xC3/", "/\xC0\xAF", "/\xE0\x80\xAF", "/\xE2\x82", "/\xED\xA0\x80", "/\xF4\x90\x80\x80",
                             "/\xF0\x82\x82\xAC", "/\xFF", "/\xF5\x80\x80\x80"}) {
        EXPECT_TRUE(request_for(path, Status::invalid_argument).empty()) << path;
    }
}

TEST(AttachRequest, a_buffer_that_is_too_small_is_exhausted_and_not_overrun) {
    const std::size_t needed = request_for("/some/path").size();
    for (std::size_t capacity = 0; capacity < needed; ++capacity) {
        (void)request_for("/some/path", Status::exhausted, capacity);
    }
    EXPECT_EQ(request_for("/some/path", Status::ok, needed).size(), needed);
}

TEST(AttachRequest, the_longest_path_of_the_system_fits_and_one_beyond_the_size_field_does_not) {
    EXPECT_EQ(request_for(std::string(4095, 'x').c_str()).size(), 44 + 4096 * 2 + 4u);
    (void)request_for(std::string(40'000, 'x').c_str(), Status::exhausted, 200'000);
}

std::array<std::uint8_t, kDiagnosticsHeaderBytes> header(std::uint16_t size, std::uint8_t set, std::uint8_t command) {
    std::array<std::uint8_t, kDiagnosticsHeaderBytes> bytes{};
    std::memcpy(bytes.data(), "DOTNET_IPC_V1", 14);
    std::memcpy(bytes.data() + 14, &size, sizeof size);
    bytes[16] = set;
    bytes[17] = command;
    return bytes;
}

TEST(DiagnosticsAnswer, the_header_says_success_or_error_and_how_much_follows) {
    DiagnosticsAnswer answer;
    ASSERT_EQ(read_answer_header(header(24, 0xFF, 0x00), answer), Status::ok);
    EXPECT_FALSE(answer.is_error);
    EXPECT_EQ(answer.payload_bytes, 4u);
    ASSERT_EQ(read_answer_header(header(20, 0xFF, 0xFF), answer), Status::ok);
    EXPECT_TRUE(answer.is_error);
    EXPECT_EQ(answer.payload_bytes, 0u);
}

TEST(DiagnosticsAnswer, what_is_not_of_the_protocol_is_unsupported) {
    DiagnosticsAnswer answer;
    EXPECT_EQ(read_answer_header(header(19, 0xFF, 0), answer), Status::unsupported) << "shorter than its header";
    EXPECT_EQ(read_answer_header(header(24, 3, 1), answer), Status::unsupported) << "a request";
    auto wrong = header(24, 0xFF, 0);
    wrong[12] = '2';
    EXPECT_EQ(read_answer_header(wrong, answer), Status::unsupported);
}

TEST(DiagnosticsAnswer, an_error_is_never_read_as_success) {
    const std::array<std::uint8_t, 4> ok{};
    const std::array<std::uint8_t, 4> full = {0x6A, 0x13, 0x13, 0x80};
    EXPECT_EQ(read_answer_result({.is_error = false, .payload_bytes = 4}, ok), kOk);
    EXPECT_EQ(read_answer_result({.is_error = false, .payload_bytes = 0}, {}), kOk);
    EXPECT_EQ(read_answer_result({.is_error = true, .payload_bytes = 4}, full), static_cast<Hresult>(0x8013136Au));
    EXPECT_EQ(read_answer_result({.is_error = true, .payload_bytes = 4}, ok), kFail);
    EXPECT_EQ(read_answer_result({.is_error = true, .payload_bytes = 0}, {}), kFail);
    EXPECT_EQ(read_answer_result({.is_error = false, .payload_bytes = 4}, full), static_cast<Hresult>(0x8013136Au));
}

std::string socket_path(const char* folder, std::size_t capacity, Status expected = Status::ok) {
    std::vector<char> buffer(capacity, 'x');
    EXPECT_EQ(write_socket_path(folder, 1234, 18446744073709551615u, buffer), expected);
    return expected == Status::ok ? std::string(buffer.data()) : "";
}

TEST(SocketPath, has_the_runtimes_form_with_one_slash) {
    EXPECT_EQ(socket_path("/tmp", 108), "/tmp/dotnet-diagnostic-1234-18446744073709551615-socket");
    EXPECT_EQ(socket_path("/tmp/", 108), "/tmp/dotnet-diagnostic-1234-18446744073709551615-socket");
    std::array<char, 108> buffer{};
    ASSERT_EQ(write_socket_path("/t", 0, 0, buffer), Status::ok);
    EXPECT_STREQ(buffer.data(), "/t/dotnet-diagnostic-0-0-socket");
}

TEST(SocketPath, one_that_does_not_fit_is_exhausted) {
    const std::size_t needed = socket_path("/tmp", 108).size() + 1;
    for (std::size_t capacity = 0; capacity < needed; ++capacity) {
        (void)socket_path("/tmp", capacity, Status::exhausted);
    }
    EXPECT_EQ(socket_path("/tmp", needed).size(), needed - 1);
}

}  // namespace
