// What     One of the runtime's tiering events, read out of its payload.
// What not No copy of the texts: they point into the payload and are gone when the callback returns.
// Threads  Values only.
// Failure  A payload that is too short or not zero-terminated is no event (read_runtime_event says unsupported).
// Source   RUNTIME_FACTS.md, "Events"; dotnet/runtime src/coreclr/vm/ClrEtwAll.man.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "base/tier.h"

namespace tierup::clr {

enum class RuntimeEventKind : std::uint8_t { method_loaded, jit_started, delay_began, delay_ended, batch_began, batch_ended };

/// UTF-16, zero-terminated where it stands; `units` does not count the zero.
struct Utf16Text {
    const char16_t* text = nullptr;
    std::uint32_t units = 0;
};

struct RuntimeEvent {
    RuntimeEventKind kind{};
    Tier tier = Tier::unknown;  ///< method_loaded
    Address method;             ///< method_loaded, jit_started: the method descriptor
    Address module;
    Address code;
    std::uint64_t rejit_id = 0;
    std::uint32_t code_bytes = 0;
    std::uint32_t token = 0;
    std::uint32_t il_bytes = 0;      ///< jit_started
    std::uint32_t method_count = 0;  ///< delay_ended: new methods; batch events: pending ones
    std::uint32_t jitted_count = 0;  ///< batch_ended
    bool is_dynamic = false;         ///< method_loaded, from the event's flags
    Utf16Text method_namespace;      ///< The three texts: method_loaded and jit_started, as the runtime sends them.
    Utf16Text method_name;
    Utf16Text method_signature;
};

/// The provider, keywords and levels of these events.
inline constexpr std::uint64_t kJitKeyword = 0x10;
inline constexpr std::uint64_t kCompilationKeyword = 0x10'0000'0000;
inline constexpr std::uint32_t kCriticalLevel = 1;
inline constexpr std::uint32_t kInformationalLevel =
    4;                                             ///< Loads (143), but only while another session is verbose: see notification_agent.cpp.
inline constexpr std::uint32_t kVerboseLevel = 5;  ///< With the JIT starts (145), and 146, which is of no use here.

/// Pure. unsupported: not one of these events, or its payload does not fit.
[[nodiscard]] Status read_runtime_event(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload,
                                        std::size_t payload_bytes, RuntimeEvent& event) noexcept;

}  // namespace tierup::clr
