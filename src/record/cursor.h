// What     Where the next record goes and how many events found no room there, in one word, so that both change in one step.
// What not No memory: chunk_directory.h knows what stands at a position.
// Threads  Values only; the queue keeps the word in an atomic.
// Failure  Positions wrap (128 GiB of records); the count of lost events stops at kMaxLost.
#pragma once

#include <cstdint>

namespace tierup::record {

/// Positions count units of 8 bytes: each record begins and ends at one.
inline constexpr std::uint32_t kUnitBytes = 8;
inline constexpr unsigned kPositionBits = 34;
inline constexpr unsigned kLostBits = 64 - kPositionBits;
inline constexpr std::uint64_t kPositionMask = (std::uint64_t{1} << kPositionBits) - 1;
inline constexpr std::uint32_t kMaxLost = (std::uint32_t{1} << kLostBits) - 1;

struct Cursor {
    std::uint64_t position = 0;  ///< invariant: <= kPositionMask
    std::uint32_t lost = 0;      ///< Events that found no room at `position`; invariant: <= kMaxLost

    [[nodiscard]] static constexpr Cursor of_word(std::uint64_t word) noexcept {
        return {word & kPositionMask, static_cast<std::uint32_t>(word >> kPositionBits)};
    }
    [[nodiscard]] constexpr std::uint64_t word() const noexcept { return position | static_cast<std::uint64_t>(lost) << kPositionBits; }

    [[nodiscard]] constexpr Cursor with_one_more_lost() const noexcept { return {position, lost == kMaxLost ? kMaxLost : lost + 1}; }
};

[[nodiscard]] constexpr std::uint64_t advanced(std::uint64_t position, std::uint64_t units) noexcept {
    return (position + units) & kPositionMask;
}

[[nodiscard]] constexpr std::uint64_t units_between(std::uint64_t from, std::uint64_t to) noexcept {
    return (to - from) & kPositionMask;
}

}  // namespace tierup::record
