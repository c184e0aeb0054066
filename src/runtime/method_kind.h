// What     Facts about a method's kind as bits (tierup_kind in the C header; capi checks the numbers).
// What not Nothing that changes while the method lives.
// Threads  Values only.
#pragma once

#include <cstdint>

namespace tierup::runtime {

enum MethodKind : std::uint32_t {
    kind_class_constructor = 1u << 0,
    kind_collectible = 1u << 1,
    kind_dynamic = 1u << 2,
    kind_not_il = 1u << 3,
    kind_runtime_async = 1u << 4,
    kind_instantiating_stub = 1u << 5,
    kind_unboxing_stub = 1u << 6,
    kind_unvalidated = 1u << 7,
};

/// Methods whose memory the runtime may free: never cached, never read by plain loads.
inline constexpr std::uint32_t kKindsThatUnload = kind_collectible | kind_dynamic;

}  // namespace tierup::runtime
