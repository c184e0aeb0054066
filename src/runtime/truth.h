// What     Yes, no, or not known: a fact that may be missing.
// What not No default: whoever asks handles all three.
// Threads  Values only.
#pragma once

#include <cstdint>

namespace tierup::runtime {

enum class Truth : std::uint8_t { no, yes, not_known };

}  // namespace tierup::runtime
