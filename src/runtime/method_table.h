// What     Finds a method's record by its handle's value: lock-free reads, locked inserts, no removal.
// What not Does not own a policy about who may be registered.
// Threads  find: any thread, any mode, never blocks. insert: any preemptive thread.
// Failure  insert: exhausted without memory; the table is then as before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/address.h"
#include "base/status.h"
#include "os/mutex.h"
#include "runtime/method_record.h"

namespace tierup::runtime {

class MethodTable {
public:
    constexpr MethodTable() noexcept = default;
    MethodTable(const MethodTable&) = delete;
    MethodTable& operator=(const MethodTable&) = delete;

    /// Null where the method is not registered.
    [[nodiscard]] MethodRecord* find(std::uint64_t method) const noexcept {
        const Slots* slots = slots_.load(std::memory_order_acquire);  // partner: the release store in grow_locked
        if (slots == nullptr) {
            return nullptr;
        }
        for (std::size_t i = hash_of(method);; ++i) {
            const Slot& slot = slots->items[i & slots->mask];
            const std::uint64_t key = slot.method.load(std::memory_order_acquire);  // partner: the release store in put_locked
            if (key == method) {
                return slot.record;
            }
            if (key == 0) {
                return nullptr;
            }
        }
    }

    /// The fixed facts of a record, MethodRecord's own fields.
    struct Facts {
        Address real_method{};
        WalkStart start{};
        Address native_code_slot{};
        std::uint32_t kinds = 0;
    };

    /// Makes `method` and facts.real_method known, as one method. If `method` was known already, nothing changes.
    [[nodiscard]] Status insert(std::uint64_t method, const Facts& facts) noexcept;

    [[nodiscard]] std::uint64_t size() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
    struct Slot {
        std::atomic<std::uint64_t> method;
        MethodRecord* record;
    };
    struct Slots {
        std::size_t mask;
        Slots* previous;  ///< Outgrown tables stay: a reader may still be in one. Together they are smaller than the newest.
        Slot items[1];
    };

    [[nodiscard]] static std::size_t hash_of(std::uint64_t method) noexcept {
        return static_cast<std::size_t>(method * 0x9E3779B97F4A7C15ull >> 32);  // 2^64 divided by the golden ratio
    }

    [[nodiscard]] bool grow_locked() noexcept;
    [[nodiscard]] bool put_locked(std::uint64_t method, MethodRecord* record) noexcept;

    std::atomic<Slots*> slots_ = nullptr;
    std::atomic<std::uint64_t> count_ = 0;
    os::Mutex mutex_;
};

}  // namespace tierup::runtime
