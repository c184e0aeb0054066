// What     libFuzzer on the matcher: any bytes at any address, both architectures.
// What not No reference decoder: it checks what must hold for every answer.
// Failure  Aborts where an unknown has slots, a slot lies out of reach, or a row was named whose bytes are not there.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "decode/match.h"

namespace {

using tierup::Address;
using tierup::decode::Architecture;
using tierup::decode::kRowsArm64;
using tierup::decode::kRowsX64;
using tierup::decode::kWindowBytes;
using tierup::decode::Match;
using tierup::decode::match_stub;
using tierup::decode::Row;
using tierup::decode::Shape;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

/// The farthest slot: the largest stub page and the data's third word.
constexpr std::uint64_t kReachBytes = 0x10000 + 16;

void check_slot(Address slot, Address at, bool must_exist) {
    require(slot.is_null() != must_exist || (must_exist && slot.value() - at.value() <= kReachBytes));
    if (must_exist) {
        require(slot.value() - at.value() >= 0x4000 && slot.value() - at.value() <= kReachBytes);
    }
}

void check(const Match& match, Address at, const std::array<std::uint8_t, kWindowBytes>& bytes) {
    const bool is_fixup = match.shape == Shape::fixup_precode;
    const bool is_counting = match.shape == Shape::call_counting_stub;
    const bool is_any = match.shape != Shape::unknown;
    require((match.row != nullptr) == is_any);
    check_slot(match.target_slot, at, is_any);
    check_slot(match.method_slot, at, is_any && !is_counting);
    check_slot(match.cell_slot, at, is_counting);
    check_slot(match.threshold_slot, at, is_counting);
    require(is_fixup ? match.unprepared_target.value() - at.value() <= 8 : match.unprepared_target.is_null());
    for (std::size_t i = 0; is_any && i < kWindowBytes; ++i) {
        require((bytes[i] & match.row->mask[i]) == match.row->match[i]);
    }
}

/// Half of the inputs start from a row, so that the fuzzer need not find its bytes first.
template <typename Rows>
void lay_row(const Rows& rows, std::uint8_t choice, std::array<std::uint8_t, kWindowBytes>& bytes) {
    const Row& row = rows[choice % rows.size()];
    for (std::size_t i = 0; i < kWindowBytes; ++i) {
        bytes[i] = static_cast<std::uint8_t>((bytes[i] & ~row.mask[i]) | row.match[i]);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::uint64_t address = 0;
    std::uint8_t choice = 0;
    std::array<std::uint8_t, kWindowBytes> bytes{};
    if (size < sizeof address + sizeof choice) {
        return 0;
    }
    std::memcpy(&address, data, sizeof address);
    choice = data[sizeof address];
    const std::size_t rest = size - sizeof address - sizeof choice;
    std::memcpy(bytes.data(), data + sizeof address + sizeof choice, rest < bytes.size() ? rest : bytes.size());

    const Architecture architecture = (choice & 1) != 0 ? Architecture::arm64 : Architecture::x64;
    if ((choice & 2) != 0) {
        architecture == Architecture::arm64 ? lay_row(kRowsArm64, choice >> 2, bytes) : lay_row(kRowsX64, choice >> 2, bytes);
    }
    const Address at(address);
    check(match_stub(architecture, at, bytes), at, bytes);
    return 0;
}
