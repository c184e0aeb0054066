// What     The client socket against listeners that behave badly in every way.
#include "os/local_socket.h"

#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agent_fake_ipc_server.h"
#include "os/clock.h"
#include "temporary_folder.h"

namespace {

using namespace tierup;
using os::LocalSocket;
using tierup::testing::FakeIpcServer;
using tierup::testing::TemporaryFolder;

constexpr std::uint64_t kLong_ns = 60'000'000'000;  // a bound, never reached
constexpr std::uint64_t kShort_ns = 20'000'000;

std::uint64_t in(std::uint64_t time_ns) {
    return os::monotonic_now_ns() + time_ns;
}

TEST(LocalSocket, sends_all_and_receives_exactly_what_was_asked_for) {
    const TemporaryFolder folder;
    std::vector<std::uint8_t> sent(1 << 20);  // more than a socket's buffer takes at once
    for (std::size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<std::uint8_t>(i * 7);
    }
    FakeIpcServer server(folder.path() + "/s", [&](int connection) {
        std::vector<std::uint8_t> got(sent.size());
        EXPECT_EQ(recv(connection, got.data(), got.size(), MSG_WAITALL), static_cast<ssize_t>(got.size()));
        FakeIpcServer::send(connection, got);
    });
    LocalSocket socket;
    ASSERT_EQ(socket.connect(server.path(), in(kLong_ns)), Status::ok);
    ASSERT_EQ(socket.send_all(sent, in(kLong_ns)), Status::ok);
    std::vector<std::uint8_t> back(sent.size());
    ASSERT_EQ(socket.receive_exactly(std::span(back).first(3), in(kLong_ns)), Status::ok);
    ASSERT_EQ(socket.receive_exactly(std::span(back).subspan(3), in(kLong_ns)), Status::ok);
    EXPECT_EQ(back, sent);
    EXPECT_EQ(socket.receive_exactly(std::span(back).first(1), in(kLong_ns)), Status::cancelled) << "the peer has closed";
}

TEST(LocalSocket, each_way_not_to_connect_has_its_status) {
    const TemporaryFolder folder;
    const auto connect = [](const std::string& path) { return LocalSocket().connect(path.c_str(), in(kLong_ns)); };
    EXPECT_EQ(connect(folder.path() + "/none"), Status::absent);
    EXPECT_EQ(connect(folder.path() + "/none/none"), Status::absent);
    const int bound = FakeIpcServer::bind_to(folder.path() + "/silent");
    EXPECT_EQ(connect(folder.path() + "/silent"), Status::not_started) << "bound, but nobody listens";
    (void)close(bound);
    EXPECT_EQ(connect(folder.path() + "/silent"), Status::not_started) << "a file left behind";
    EXPECT_EQ(connect(folder.write("file", "x")), Status::not_started) << "no socket at all: connect(2) says ECONNREFUSED";
    EXPECT_EQ(connect(""), Status::invalid_argument);
    EXPECT_EQ(connect("/" + std::string(200, 'x')), Status::invalid_argument);
    EXPECT_EQ(LocalSocket().connect(nullptr, in(kLong_ns)), Status::invalid_argument);
}

TEST(LocalSocket, a_file_without_permission_is_unsupported) {
    if (geteuid() == 0) {
        GTEST_SKIP() << "root may connect to everything";
    }
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", [](int) {});
    ASSERT_EQ(chmod(server.path(), 0), 0);
    EXPECT_EQ(LocalSocket().connect(server.path(), in(kLong_ns)), Status::unsupported);
}

TEST(LocalSocket, a_full_listener_times_out) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s";
    const int listener = FakeIpcServer::bind_to(path);
    ASSERT_EQ(listen(listener, 0), 0);
    std::array<LocalSocket, 16> sockets;
    Status status = Status::ok;
    for (LocalSocket& socket : sockets) {
        status = socket.connect(path.c_str(), in(kShort_ns));
        if (status != Status::ok) {
            break;
        }
    }
    EXPECT_EQ(status, Status::timed_out);
    (void)close(listener);
}

TEST(LocalSocket, silence_times_out_at_the_deadline_and_not_before) {
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", FakeIpcServer::wait_for_end);
    LocalSocket socket;
    ASSERT_EQ(socket.connect(server.path(), in(kLong_ns)), Status::ok);
    std::array<std::uint8_t, 4> buffer{};
    const std::uint64_t deadline_ns = in(kShort_ns);
    EXPECT_EQ(socket.receive_exactly(buffer, deadline_ns), Status::timed_out);
    EXPECT_GE(os::monotonic_now_ns() + 1'000'000, deadline_ns) << "the kernel counts such times in ticks";
    EXPECT_EQ(socket.receive_exactly(buffer, 0), Status::timed_out) << "a deadline that has passed";
    EXPECT_EQ(socket.send_all(buffer, 0), Status::timed_out);
}

TEST(LocalSocket, a_reader_that_does_not_read_times_out_the_sender) {
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", [](int connection) {
        std::array<std::uint8_t, 1> first{};
        (void)recv(connection, first.data(), first.size(), 0);
        FakeIpcServer::wait_for_end(connection);
    });
    const int listener = FakeIpcServer::bind_to(folder.path() + "/lazy");
    ASSERT_EQ(listen(listener, 4), 0);  // never accepted: the backlog's connection takes a buffer full
    LocalSocket socket;
    ASSERT_EQ(socket.connect((folder.path() + "/lazy").c_str(), in(kLong_ns)), Status::ok);
    const std::vector<std::uint8_t> much(16 << 20);
    EXPECT_EQ(socket.send_all(much, in(kShort_ns)), Status::timed_out);
    (void)close(listener);
}

TEST(LocalSocket, a_peer_that_closes_in_the_middle_is_cancelled_on_both_sides) {
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", [](int connection) { FakeIpcServer::send(connection, {1, 2}); });
    LocalSocket socket;
    ASSERT_EQ(socket.connect(server.path(), in(kLong_ns)), Status::ok);
    std::array<std::uint8_t, 3> buffer{};
    EXPECT_EQ(socket.receive_exactly(buffer, in(kLong_ns)), Status::cancelled) << "two of three bytes came";
    Status status = Status::ok;
    const std::vector<std::uint8_t> much(1 << 20);
    for (int i = 0; i < 64 && status == Status::ok; ++i) {
        status = socket.send_all(much, in(kLong_ns));  // no signal ends the process
    }
    EXPECT_EQ(status, Status::cancelled);
}

TEST(LocalSocket, the_peer_is_the_process_that_listens) {
    const TemporaryFolder folder;
    FakeIpcServer server(folder.path() + "/s", FakeIpcServer::wait_for_end);
    LocalSocket socket;
    std::uint32_t peer = 0;
    EXPECT_NE(socket.find_peer_process(peer), Status::ok) << "not connected";
    ASSERT_EQ(socket.connect(server.path(), in(kLong_ns)), Status::ok);
    ASSERT_EQ(socket.find_peer_process(peer), Status::ok);
    EXPECT_EQ(peer, static_cast<std::uint32_t>(getpid()));
    EXPECT_EQ(socket.connect(server.path(), in(kLong_ns)), Status::invalid_argument) << "once per object";
}

}  // namespace
