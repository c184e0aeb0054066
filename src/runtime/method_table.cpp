#include "runtime/method_table.h"

#include <cstdlib>
#include <new>

namespace tierup::runtime {

namespace {
constexpr std::size_t kFirstCapacity = 256;  // a power of two, as every capacity
}

bool MethodTable::grow_locked() noexcept {
    Slots* old = slots_.load(std::memory_order_relaxed);
    const std::size_t capacity = old == nullptr ? kFirstCapacity : 2 * (old->mask + 1);
    auto* grown = static_cast<Slots*>(std::calloc(1, sizeof(Slots) + (capacity - 1) * sizeof(Slot)));
    if (grown == nullptr) {
        return false;
    }
    grown->mask = capacity - 1;
    grown->previous = old;
    for (std::size_t i = 0; old != nullptr && i <= old->mask; ++i) {
        const Slot& slot = old->items[i];
        const std::uint64_t method = slot.method.load(std::memory_order_relaxed);
        if (method == 0) {
            continue;
        }
        std::size_t at = hash_of(method);
        while (grown->items[at & grown->mask].method.load(std::memory_order_relaxed) != 0) {
            ++at;
        }
        grown->items[at & grown->mask].record = slot.record;
        grown->items[at & grown->mask].method.store(method, std::memory_order_relaxed);
    }
    slots_.store(grown, std::memory_order_release);  // partner: the acquire load in find
    return true;
}

bool MethodTable::put_locked(std::uint64_t method, MethodRecord* record) noexcept {
    Slots* slots = slots_.load(std::memory_order_relaxed);
    const std::uint64_t count = count_.load(std::memory_order_relaxed);
    if (slots == nullptr || (count + 1) * 2 > slots->mask + 1) {  // at most half full: a probe is short and always ends
        if (!grow_locked()) {
            return false;
        }
        slots = slots_.load(std::memory_order_relaxed);
    }
    std::size_t at = hash_of(method);
    while (slots->items[at & slots->mask].method.load(std::memory_order_relaxed) != 0) {
        ++at;
    }
    Slot& slot = slots->items[at & slots->mask];
    slot.record = record;
    slot.method.store(method, std::memory_order_release);  // partner: the acquire load in find
    count_.store(count + 1, std::memory_order_relaxed);
    return true;
}

Status MethodTable::insert(std::uint64_t method, const Facts& facts) noexcept {
    os::LockGuard guard(mutex_);
    if (find(method) != nullptr) {
        return Status::ok;
    }
    MethodRecord* record = find(facts.real_method.value());
    if (record == nullptr) {
        void* memory = std::malloc(sizeof(MethodRecord));
        if (memory == nullptr) {
            return Status::exhausted;
        }
        record = new (memory) MethodRecord;
        record->real_method = facts.real_method;
        record->start = facts.start;
        record->native_code_slot = facts.native_code_slot;
        record->kinds = facts.kinds;
        if (!put_locked(facts.real_method.value(), record)) {
            std::free(memory);
            return Status::exhausted;
        }
    }
    if (facts.real_method.value() != method && !put_locked(method, record)) {
        return Status::exhausted;
    }
    return Status::ok;
}

}  // namespace tierup::runtime
