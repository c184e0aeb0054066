// What     One event of a stream: the layout of tierup_event in the C header (capi checks that), and what kinds there are.
// What not No texts: they follow the struct where `name_units` is not 0 (record/event_names.h).
// Threads  Values only.
// Failure  A field that is not known is 0; `tier` is Tier::unknown then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/tier.h"

namespace tierup {

enum class TieringEventKind : std::uint8_t {
    queued = 1,
    jit_started = 2,
    published = 3,
    activated = 4,
    discarded = 5,
    delay_began = 6,
    delay_ended = 7,
    batch_began = 8,
    batch_ended = 9,
    gap = 10,
};

/// Bits of TieringEvent::flags.
inline constexpr std::uint32_t kEventNamesCut = 1;        ///< A text was longer than record::kMaxTextUnits.
inline constexpr std::uint32_t kEventCountIsAtLeast = 2;  ///< A gap so long that its counter was full (record::kMaxLost).

struct TieringEvent {
    std::uint32_t size = 0;  ///< With the texts; a multiple of 8.
    TieringEventKind kind{};
    Tier tier = Tier::unknown;
    std::uint16_t name_units = 0;  ///< UTF-16 units of the three texts with their zeros.
    std::uint64_t sequence = 0;    ///< Given by the queue's reader: 1, 2, 3… in each stream.
    std::uint64_t time_ns = 0;
    std::uint64_t method = 0;
    std::uint64_t module = 0;
    std::uint64_t code = 0;
    std::uint64_t node = 0;
    std::uint32_t code_bytes = 0;
    std::uint32_t token = 0;
    std::uint32_t thread = 0;
    std::uint32_t count = 0;
    std::uint32_t jitted = 0;
    std::uint32_t flags = 0;
};

static_assert(sizeof(TieringEvent) == 80 && alignof(TieringEvent) == 8 && offsetof(TieringEvent, sequence) == 8);

}  // namespace tierup
