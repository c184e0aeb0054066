// What     The exchange with a server that answers well, badly, half or not at all.
#include "agent/self_attach.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agent/class_id.h"
#include "agent_fake_ipc_server.h"
#include "clr/diagnostics_message.h"
#include "clr/profiler_abi.h"
#include "os/own_process.h"
#include "temporary_folder.h"

namespace {

using namespace tierup;
using namespace tierup::agent;
using tierup::testing::FakeIpcServer;
using tierup::testing::TemporaryFolder;

constexpr std::uint64_t kLong_ns = 60'000'000'000;  // a bound, never reached
constexpr std::uint64_t kShort_ns = 20'000'000;

AttachOutcome attach_to(FakeIpcServer::Behaviour behaviour, std::uint64_t timeout_ns = kLong_ns) {
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", std::move(behaviour));
    return request_attach({.socket_path = server.path(), .library_path = "/lib/x.so", .timeout_ns = timeout_ns});
}

void expect(const AttachOutcome& outcome, AttachStep step, Status status) {
    EXPECT_EQ(static_cast<int>(outcome.step), static_cast<int>(step));
    EXPECT_EQ(outcome.status, status);
}

TEST(SelfAttach, a_runtime_that_agrees_was_sent_the_request_and_the_attach_is_done) {
    std::vector<std::uint8_t> request;
    const AttachOutcome outcome = attach_to([&](int connection) {
        request = FakeIpcServer::read_request(connection);
        FakeIpcServer::send(connection, FakeIpcServer::answer(0x00, 0));
    });
    expect(outcome, AttachStep::done, Status::ok);
    std::vector<std::uint8_t> expected(1000);
    std::size_t bytes = 0;
    ASSERT_EQ(clr::write_attach_request({.class_id = kClassId, .library_path = "/lib/x.so", .timeout_ms = 5000}, expected, bytes),
              Status::ok);
    expected.resize(bytes);
    EXPECT_EQ(request, expected);
}

TEST(SelfAttach, an_answer_without_a_payload_counts_by_its_header) {
    for (const std::uint8_t command : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
        const AttachOutcome outcome = attach_to([&](int connection) {
            (void)FakeIpcServer::read_request(connection);
            std::vector<std::uint8_t> bytes = FakeIpcServer::answer(command, 0);
            bytes.resize(20);
            bytes[14] = 20;
            FakeIpcServer::send(connection, bytes);
        });
        if (command == 0x00) {
            expect(outcome, AttachStep::done, Status::ok);
        } else {
            expect(outcome, AttachStep::load, Status::unknown);
            EXPECT_EQ(outcome.hresult, clr::kFail);
        }
    }
}

TEST(SelfAttach, a_refusal_keeps_the_runtimes_hresult) {
    const AttachOutcome outcome = attach_to([](int connection) {
        (void)FakeIpcServer::read_request(connection);
        FakeIpcServer::send(connection, FakeIpcServer::answer(0xFF, 0x8013136A));
    });
    expect(outcome, AttachStep::load, Status::unknown);
    EXPECT_EQ(outcome.hresult, clr::kProfilerAlreadyActive);
}

TEST(SelfAttach, an_answer_cut_anywhere_is_a_closed_connection) {
    for (std::size_t bytes = 0; bytes < 24; ++bytes) {
        const AttachOutcome outcome = attach_to([&](int connection) {
            (void)FakeIpcServer::read_request(connection);
            std::vector<std::uint8_t> answer = FakeIpcServer::answer(0x00, 0);
            answer.resize(bytes);
            FakeIpcServer::send(connection, answer);
        });
        expect(outcome, AttachStep::receive, Status::cancelled);
    }
}

TEST(SelfAttach, an_answer_of_another_protocol_is_said_to_be_one) {
    const AttachOutcome outcome = attach_to([](int connection) {
        (void)FakeIpcServer::read_request(connection);
        FakeIpcServer::send(connection, std::vector<std::uint8_t>(24, 'x'));
    });
    expect(outcome, AttachStep::read_answer, Status::unsupported);
}

TEST(SelfAttach, a_silent_runtime_times_out) {
    expect(attach_to([](int connection) { FakeIpcServer::wait_for_end(connection); }, kShort_ns), AttachStep::receive, Status::timed_out);
}

TEST(SelfAttach, a_server_that_hangs_up_at_once_is_a_closed_connection) {
    const AttachOutcome outcome = attach_to([](int) {});
    EXPECT_EQ(outcome.status, Status::cancelled);
    EXPECT_TRUE(outcome.step == AttachStep::send || outcome.step == AttachStep::receive);
}

TEST(SelfAttach, no_socket_and_a_refusing_one_are_told_apart) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s";
    expect(request_attach({.socket_path = path.c_str(), .library_path = "/x", .timeout_ns = kLong_ns}), AttachStep::connect,
           Status::absent);
    (void)close(FakeIpcServer::bind_to(path));
    expect(request_attach({.socket_path = path.c_str(), .library_path = "/x", .timeout_ns = kLong_ns}), AttachStep::connect,
           Status::not_started);
}

TEST(SelfAttach, a_path_that_can_not_be_told_is_not_sent) {
    expect(request_attach({.socket_path = "/none", .library_path = "/\xFF", .timeout_ns = kLong_ns}), AttachStep::write_request,
           Status::invalid_argument);
    const std::string long_path(20'000, 'x');
    expect(request_attach({.socket_path = "/none", .library_path = long_path.c_str(), .timeout_ns = kLong_ns}), AttachStep::write_request,
           Status::exhausted);
}

/// The listener is made by another process, which goes on to live; the connection ends up in its backlog.
TEST(SelfAttach, a_socket_of_another_process_gets_no_request) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s";
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const int listener = FakeIpcServer::bind_to(path);
        (void)listen(listener, 4);
        (void)write(ready[1], "x", 1);
        char byte = 0;
        const int connection = accept(listener, nullptr, nullptr);
        _exit(recv(connection, &byte, 1, 0) == 0 ? 0 : 1);  // 0: the other side closed without a byte
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    expect(request_attach({.socket_path = path.c_str(), .library_path = "/x", .timeout_ns = kLong_ns}), AttachStep::check_peer,
           Status::unsupported);
    int exit_status = -1;
    ASSERT_EQ(waitpid(child, &exit_status, 0), child);
    EXPECT_EQ(WEXITSTATUS(exit_status), 0);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

std::string own_socket_name() {
    std::uint64_t start_time = 0;
    EXPECT_EQ(os::try_read_start_time(start_time), Status::ok);
    return "dotnet-diagnostic-" + std::to_string(os::own_process_id()) + "-" + std::to_string(start_time) + "-socket";
}

TEST(SelfAttach, the_own_socket_is_found_in_the_folder_that_was_named) {
    const TemporaryFolder folder;
    for (const char* slash : {"", "/"}) {
        FakeIpcServer server(folder.path() + "/" + own_socket_name(), [](int connection) {
            (void)FakeIpcServer::read_request(connection);
            FakeIpcServer::send(connection, FakeIpcServer::answer(0x00, 0));
        });
        expect(attach_to_own_process((folder.path() + slash).c_str()), AttachStep::done, Status::ok);
        (void)unlink(server.path());
    }
}

TEST(SelfAttach, the_own_socket_is_found_in_tmp_where_the_named_folder_has_none) {
    const std::string path = "/tmp/" + own_socket_name();
    const TemporaryFolder empty;
    const std::string empty_path = empty.path();
    const std::string too_long = "/" + std::string(200, 'x');
    for (const char* folder : {static_cast<const char*>(nullptr), "", "/no/such/folder", empty_path.c_str(), too_long.c_str()}) {
        FakeIpcServer server(path, [](int connection) {
            (void)FakeIpcServer::read_request(connection);
            FakeIpcServer::send(connection, FakeIpcServer::answer(0x00, 0));
        });
        expect(attach_to_own_process(folder), AttachStep::done, Status::ok);
        (void)unlink(server.path());
    }
    expect(attach_to_own_process(nullptr), AttachStep::connect, Status::absent);
}

}  // namespace
