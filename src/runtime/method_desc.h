// What     The few fields of the runtime's MethodDesc that we read, and what their bits mean.
// What not Nothing behind the first eight bytes but the pointers that unwrap.h follows.
// Threads  Values only. The bits are set when the method is created; only the eligibility bit can be cleared later (by a profiler).
// Source   dotnet/runtime src/coreclr/vm/method.hpp: m_wFlags3AndTokenRemainder at +0, m_wFlags at +6, enum MethodClassification;
//          measured on 8.0.34, 9.0.23, 10.0.15, 11.0.0 (tests/recorded, the matrix's "Method kinds").
#pragma once

#include <cstdint>

namespace tierup::runtime {

enum class MethodClass : std::uint8_t {
    il = 0,
    fcall = 1,
    pinvoke = 2,
    ee_impl = 3,
    array = 4,
    instantiated = 5,
    com_interop = 6,
    dynamic = 7
};

struct MethodDescHead {
    std::uint16_t flags3_and_token = 0;
    std::uint16_t chunk_and_index = 0;
    std::uint16_t slot = 0;
    std::uint16_t flags = 0;

    [[nodiscard]] constexpr bool is_eligible_for_tiering() const noexcept { return (flags3_and_token & 0x8000) != 0; }
    [[nodiscard]] constexpr bool is_unboxing_stub() const noexcept { return (flags3_and_token & 0x4000) != 0; }
    [[nodiscard]] constexpr MethodClass method_class() const noexcept { return static_cast<MethodClass>(flags & 7); }
    /// Never jitted from IL of its own.
    [[nodiscard]] constexpr bool is_not_il() const noexcept {
        const MethodClass kind = method_class();
        return kind == MethodClass::fcall || kind == MethodClass::pinvoke || kind == MethodClass::ee_impl || kind == MethodClass::array ||
               kind == MethodClass::com_interop;
    }
};
static_assert(sizeof(MethodDescHead) == 8);

}  // namespace tierup::runtime
