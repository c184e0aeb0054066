// What     Copies the AppDomain page by page in one call of the reader.
// What not See app_domain_image.h.
#include "layout/app_domain_image.h"

#include <algorithm>

namespace tierup::layout {

namespace {

constexpr std::uint64_t kSmallestPageBytes = 4096;  // of the supported systems: memory is mapped in multiples of it
constexpr std::size_t kMaxPieces = kAppDomainBytes / kSmallestPageBytes + 1;

}  // namespace

Status AppDomainImage::copy(const memory::Reader& reader, Address from) noexcept {
    app_domain = from;
    std::array<Copy, kMaxPieces> pieces{};
    std::size_t count = 0;
    for (std::uint32_t at = 0; at < kAppDomainBytes && count < kMaxPieces; ++count) {
        const Address piece_at = from.plus(at);
        const std::uint64_t left = kSmallestPageBytes - piece_at.value() % kSmallestPageBytes;
        const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kAppDomainBytes - at));
        pieces[count] = {.from = piece_at, .to = bytes.data() + at, .bytes = piece};
        at += piece;
    }
    const std::size_t done = reader.try_read_each(pieces.data(), count);
    readable_bytes = 0;
    for (std::size_t i = 0; i < done; ++i) {
        readable_bytes += static_cast<std::uint32_t>(pieces[i].bytes);
    }
    return readable_bytes > 0 ? Status::ok : Status::faulted;
}

}  // namespace tierup::layout
