// What     A tiering manager in memory of this process, for the parts that read by plain loads.
// What not As manager_image.h, which serves memory through a reader: the forms are explained there.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "clr/data_access.h"
#include "layout/manager_layout.h"
#include "layout/queue_walk.h"
#include "manager_image.h"
#include "memory/kernel_reader.h"
#include "runtime/manager_view.h"
#include "watch/clock.h"

namespace tierup::runtime::testing {

using layout::testing::Form;
using layout::testing::kForms;

/// NativeCodeVersionNode as it was learned on 8.0.34, 9.0.23, 10.0.15 and 11.0.0: the method at +8, the id at +32, the tier at +36.
struct VersionNode {
    std::uint64_t code = 0;
    std::uint64_t method = 0;
    std::uint64_t parent = 0;
    std::uint64_t sibling = 0;
    std::uint32_t id = 0;
    std::uint32_t tier = 0;
    std::uint64_t more[2] = {};
};

template <typename Object>
Address address_of(const Object& object) {
    return Address(reinterpret_cast<std::uint64_t>(&object));
}

struct TestClock final : watch::Clock {
    std::uint64_t now_ns() noexcept override { return now += step; }
    std::uint64_t now = 1'000'000'000;
    std::uint64_t step = 0;
};

class ManagerMemory {
public:
    explicit ManagerMemory(Form form = Form::sentinel, std::uint32_t list_offset = 0x758) : form_(form), list_offset_(list_offset) {
        queue_holds({});
    }
    /// From now on the members below act on another place in the AppDomain.
    void move_to(std::uint32_t list_offset) {
        list_offset_ = list_offset;
        queue_holds({});
    }

    [[nodiscard]] Address app_domain() const { return address_of(app_domain_); }
    [[nodiscard]] Address list_at() const { return app_domain().plus(list_offset_); }

    template <typename Value>
    void put(std::int64_t behind_list, Value value) {
        __atomic_store_n(reinterpret_cast<Value*>(list_at().plus(behind_list).value()), value, __ATOMIC_RELEASE);
    }

    /// Version nodes by their places in `versions`.
    void queue_holds(const std::vector<std::size_t>& numbers) {
        nodes_.clear();
        for (const std::size_t number : numbers) {
            nodes_.push_back({.next = 0, .storage_kind = 1, .padding = 0, .version_node = address_of(versions[number]).value()});
        }
        for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
            nodes_[i].next = address_of(nodes_[i + 1]).value();
        }
        const std::uint64_t first = nodes_.empty() ? 0 : address_of(nodes_.front()).value();
        const std::uint64_t last = nodes_.empty() ? 0 : address_of(nodes_.back()).value();
        const std::uint64_t sentinel = list_at().plus(-32).value();
        if (form_ == Form::sentinel) {
            put(-32, first);
            put(-24, sentinel);
            put(-16, last == 0 ? sentinel : last);
        } else {
            put(-24, form_ == Form::last_then_first ? last : first);
            put(-16, form_ == Form::last_then_first ? first : last);
        }
        put(-8, static_cast<std::uint32_t>(numbers.size()));
    }
    [[nodiscard]] Address first_node() const { return nodes_.empty() ? Address() : address_of(nodes_.front()); }

    void delay_holds(const std::vector<std::uint64_t>& methods) {
        list_buffer_ = methods;
        list_buffer_.reserve(64);
        list_ = {.size_bytes = static_cast<std::uint32_t>(8 * methods.size()),
                 .allocated_bytes = 512,
                 .flags = 8,
                 .padding = 0,
                 .buffer = reinterpret_cast<std::uint64_t>(list_buffer_.data())};
        put(0, address_of(list_).value());
    }
    void delay_ends() { put(0, std::uint64_t{0}); }
    /// As an allocator leaves a freed block: a mangled pointer and a key.
    void list_becomes_garbage() {
        list_ = {.size_bytes = 0x5c1d07f3, .allocated_bytes = 0x7, .flags = 0x9e3779b9, .padding = 0x7f4a7c15, .buffer = list_.buffer};
    }

    std::array<VersionNode, 64> versions{};

private:
    struct List {
        std::uint32_t size_bytes, allocated_bytes, flags, padding;
        std::uint64_t buffer;
    };
    Form form_;
    std::uint32_t list_offset_;
    alignas(64) std::array<std::uint8_t, layout::kAppDomainBytes> app_domain_{};
    std::deque<layout::QueueNode> nodes_;
    std::vector<std::uint64_t> list_buffer_;
    List list_{};
};

inline constexpr std::uint64_t kProbe = 0x7f0000600040;

/// A view of such memory, through the real door.
class ManagerScene {
public:
    explicit ManagerScene(Form form = Form::sentinel) : memory(form) {
        (void)reader.open();
        view->set_app_domain(memory.app_domain());
    }
    void locate_by_probe() {
        memory.delay_holds({kProbe});
        (void)view->offer_probe(Address(kProbe));
        memory.delay_ends();
    }

    ManagerMemory memory;
    memory::KernelReader reader;
    std::unique_ptr<clr::DataAccess> data_access = std::make_unique<clr::DataAccess>();  // not loaded: no library
    TestClock clock;
    std::unique_ptr<ManagerView> view = std::make_unique<ManagerView>(reader, *data_access, clock);
};

}  // namespace tierup::runtime::testing
