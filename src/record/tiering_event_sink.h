// What     Where finished events go: the streams, or a test's list.
// What not No order between two writers.
// Threads  Any, several at once, inside runtime callbacks: no waiting, no allocation.
// Failure  None here: what finds no room is counted behind it.
#pragma once

#include "base/tiering_event.h"
#include "record/event_names.h"

namespace tierup::record {

class TieringEventSink {
public:
    /// Whether anybody wants events at all.
    [[nodiscard]] virtual bool is_listening() const noexcept { return false; }
    /// `names` null: the event has none. True: some stream has something new to read.
    virtual bool write(const TieringEvent& event, const EventNames* names) noexcept {
        (void)event, (void)names;
        return false;
    }

protected:
    constexpr TieringEventSink() noexcept = default;
    TieringEventSink(const TieringEventSink&) noexcept = default;
    TieringEventSink& operator=(const TieringEventSink&) noexcept = default;
    ~TieringEventSink() = default;
};

}  // namespace tierup::record
