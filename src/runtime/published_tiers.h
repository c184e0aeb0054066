// What     The tier of each method's last published code, as load events told it, and from it the tier that its next promotion is made for.
// What not No history: one tier a method, and of two methods that share a place the later one.
// Threads  Any, several at once, inside event callbacks: one load or store.
// Failure  Tier::unknown where the method's last load was not seen, or its place was taken.
// Source   dotnet/runtime src/coreclr/vm/tieredcompilation.cpp, AsyncPromoteToTier1: how the next tier follows from the present one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/tier.h"
#include "runtime/method_record.h"
#include "runtime/settings.h"

namespace tierup::runtime {

class PublishedTiers {
public:
    constexpr PublishedTiers() noexcept = default;
    PublishedTiers(const PublishedTiers&) = delete;
    PublishedTiers& operator=(const PublishedTiers&) = delete;

    void see(Address method, Tier tier) noexcept {
        place_of(method).store(pack(LoadedCode{.code = method, .tier = tier}), std::memory_order_relaxed);  // one word, nothing behind it
    }

    [[nodiscard]] Tier last(Address method) const noexcept {
        const LoadedCode seen = unpack_loaded(place_of(method).load(std::memory_order_relaxed));
        return seen.code == method ? seen.tier : Tier::unknown;
    }

    /// What a promotion of this method is compiled for now. Ready-to-run code is not told by load events: unknown.
    [[nodiscard]] Tier next(Address method, const Settings& settings) const noexcept {
        switch (last(method)) {
            case Tier::tier0_instrumented:
            case Tier::tier1_instrumented: return Tier::tier1;
            case Tier::tier0: return settings.tiered_pgo && settings.instrument_only_hot_code ? Tier::tier0_instrumented : Tier::tier1;
            default: return Tier::unknown;
        }
    }

private:
    static constexpr std::size_t kPlaces = 4096;

    [[nodiscard]] static std::size_t index_of(Address method) noexcept {
        return static_cast<std::size_t>(method.value() * 0x9E3779B97F4A7C15ull >> 52);  // 2^64 divided by the golden ratio; 12 bits
    }
    [[nodiscard]] std::atomic<std::uint64_t>& place_of(Address method) noexcept { return places_[index_of(method)]; }
    [[nodiscard]] const std::atomic<std::uint64_t>& place_of(Address method) const noexcept { return places_[index_of(method)]; }

    std::array<std::atomic<std::uint64_t>, kPlaces> places_{};
};

}  // namespace tierup::runtime
