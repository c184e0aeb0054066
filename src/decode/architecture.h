// What     The instruction sets whose stubs are known.
// What not No operating system, no runtime version: the bytes are the same on all of them.
// Threads  Values only.
#pragma once

#include <cstdint>

namespace tierup::decode {

enum class Architecture : std::uint8_t { x64, arm64 };

#if defined(__aarch64__) || defined(_M_ARM64)
inline constexpr Architecture kHostArchitecture = Architecture::arm64;
#elif defined(__x86_64__) || defined(_M_X64)
inline constexpr Architecture kHostArchitecture = Architecture::x64;
#else
#error "No stub rows for this architecture: add decode/rows_<architecture>.h"
#endif

}  // namespace tierup::decode
