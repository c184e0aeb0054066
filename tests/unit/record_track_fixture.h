// What     A background track with a list of what it tells, a fake of the runtime's queue and one worker to speak for.
// What not No real events.
// Threads  One.
// Failure  A node that was taken out and is read nevertheless fails the test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/background_track.h"

namespace tierup::record {

inline constexpr std::uint32_t kWorker = 900;

class ListSink final : public TieringEventSink {
public:
    bool is_heard = true;
    std::vector<TieringEvent> events;

    bool is_listening() const noexcept override { return is_heard; }
    bool write(const TieringEvent& event, const EventNames*) noexcept override {
        events.push_back(event);
        return true;
    }
};

/// The runtime's queue: a singly linked list whose memory is used again after a removal, as malloc does.
class FakeQueue final : public QueueReader {
public:
    bool is_readable = true;
    std::uint64_t reads = 0;
    std::function<void()> on_read;  ///< Runs after each read of a node, as another thread would.

    void append(std::uint64_t method, Tier tier) {
        std::uint64_t node = fresh_;
        if (freed_.empty()) {
            fresh_ += 0x20;
        } else {
            node = freed_.back();
            freed_.pop_back();
        }
        if (!order_.empty()) {
            nodes_[order_.back()].next = Address(node);
        }
        nodes_[node] = {Address(), Address(next_version_++), Address(method), tier};
        order_.push_back(node);
    }
    void remove_first() {
        nodes_.erase(order_.front());
        freed_.push_back(order_.front());
        order_.pop_front();
    }
    bool read_head(Address& head) noexcept override {
        head = order_.empty() ? Address() : Address(order_.front());
        return is_readable;
    }
    bool read_node(Address node, QueueNode& to) noexcept override {
        ++reads;
        const auto found = nodes_.find(node.value());
        EXPECT_TRUE(found != nodes_.end()) << "a node was read that is not in the queue any longer";
        if (found == nodes_.end()) {
            return false;
        }
        to = found->second;
        if (on_read) {
            on_read();
        }
        return is_readable;
    }

private:
    std::map<std::uint64_t, QueueNode> nodes_;
    std::deque<std::uint64_t> order_;
    std::vector<std::uint64_t> freed_;
    std::uint64_t fresh_ = 0x1000;
    std::uint64_t next_version_ = 50'000;
};

class BackgroundTrackTest : public ::testing::Test {
protected:
    /// "Q1 A2": kinds and methods, in order; told since the last call.
    std::string told() {
        std::string text;
        for (const TieringEvent& event : sink_.events) {
            const char* kind = event.kind == TieringEventKind::queued      ? "Q"
                               : event.kind == TieringEventKind::activated ? "A"
                               : event.kind == TieringEventKind::discarded ? "D"
                                                                           : "?";
            text += (text.empty() ? "" : " ") + std::string(kind) + std::to_string(event.method);
        }
        sink_.events.clear();
        return text;
    }
    Promotion step(StepKind kind, std::uint64_t method = 0, Tier tier = Tier::unknown, std::uint32_t thread = kWorker) {
        BackgroundStep made;
        made.kind = kind;
        made.tier = tier;
        made.thread = thread;
        made.time_ns = ++time_ns_;
        made.method = Address(method);
        made.code = Address(kind == StepKind::method_loaded ? 0xC0DE : 0);
        return track_->on_step(made);
    }
    Promotion begin(std::uint32_t thread = kWorker) { return step(StepKind::batch_began, 0, Tier::unknown, thread); }
    Promotion end() { return step(StepKind::batch_ended); }
    Promotion start(std::uint64_t method) { return step(StepKind::jit_started, method); }
    Promotion load(std::uint64_t method, Tier tier = Tier::tier1) { return step(StepKind::method_loaded, method, tier); }

    std::uint64_t time_ns_ = 0;
    ListSink sink_;
    FakeQueue queue_;
    std::unique_ptr<BackgroundTrack> track_ = std::make_unique<BackgroundTrack>(sink_);
};

}  // namespace tierup::record
