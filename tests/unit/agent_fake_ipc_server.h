// What     A listener in the place of the runtime's diagnostics server: takes one connection on a thread and behaves as told.
// Threads  One of its own; ends with the object.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tierup::testing {

class FakeIpcServer {
public:
    /// Called on the server's thread with the accepted connection, which is closed afterwards.
    using Behaviour = std::function<void(int connection)>;

    FakeIpcServer(std::string path, Behaviour behaviour) : path_(std::move(path)), listener_(bind_to(path_)) {
        EXPECT_EQ(listen(listener_, 4), 0);
        thread_ = std::thread([this, behaviour = std::move(behaviour)] {
            const int connection = accept(listener_, nullptr, nullptr);
            if (connection >= 0) {
                behaviour(connection);
                (void)close(connection);
            }
        });
    }
    ~FakeIpcServer() {
        (void)shutdown(listener_, SHUT_RDWR);  // ends an accept that nobody answered
        thread_.join();
        (void)close(listener_);
    }
    FakeIpcServer(const FakeIpcServer&) = delete;
    FakeIpcServer& operator=(const FakeIpcServer&) = delete;

    [[nodiscard]] const char* path() const { return path_.c_str(); }

    /// A bound socket; whoever wants to refuse connections does not listen on it.
    static int bind_to(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
        const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << path;
        return listener;
    }

    /// Reads a whole request: the size stands at 14.
    static std::vector<std::uint8_t> read_request(int connection) {
        std::vector<std::uint8_t> request(20);
        if (recv(connection, request.data(), request.size(), MSG_WAITALL) != 20) {
            return {};
        }
        std::uint16_t size = 0;
        std::memcpy(&size, request.data() + 14, sizeof size);
        request.resize(size);
        (void)recv(connection, request.data() + 20, size - 20u, MSG_WAITALL);
        return request;
    }

    static std::vector<std::uint8_t> answer(std::uint8_t command, std::uint32_t hresult) {
        std::vector<std::uint8_t> bytes(24);
        std::memcpy(bytes.data(), "DOTNET_IPC_V1", 14);
        bytes[14] = 24;
        bytes[16] = 0xFF;
        bytes[17] = command;
        std::memcpy(bytes.data() + 20, &hresult, sizeof hresult);
        return bytes;
    }

    static void send(int connection, const std::vector<std::uint8_t>& bytes) {
        (void)::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }

    /// Returns when the other side has closed.
    static void wait_for_end(int connection) {
        char byte = 0;
        while (recv(connection, &byte, 1, 0) > 0) {
        }
    }

private:
    std::string path_;
    int listener_;
    std::thread thread_;
};

}  // namespace tierup::testing
