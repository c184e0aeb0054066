// What     A copy of the part of the AppDomain that is searched.
// What not No interpretation.
// Threads  A value; copying is safe from any thread.
// Failure  What lies behind the object may be unmapped: the copy ends at the first page that can't be read, and says where.
// Source   kAppDomainBytes: manager_layout.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/address.h"
#include "base/status.h"
#include "layout/manager_layout.h"
#include "memory/reader.h"

namespace tierup::layout {

struct AppDomainImage {
    std::array<std::uint8_t, kAppDomainBytes> bytes{};
    std::uint32_t readable_bytes = 0;
    Address app_domain;

    [[nodiscard]] std::span<const std::uint8_t> readable() const noexcept { return {bytes.data(), readable_bytes}; }

    /// faulted: not even the first bytes can be read.
    [[nodiscard]] Status copy(const memory::Reader& reader, Address from) noexcept;
};

}  // namespace tierup::layout
