// What     The table of registered methods: finds what was put in, also while it grows and while others look.
#include "runtime/method_table.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tierup::runtime {
namespace {

/// As in the product, a table lives as long as the process, and so do its records: a leak checker must see them from here.
MethodTable& lasting_table() {
    static auto* const tables = new std::vector<std::unique_ptr<MethodTable>>;  // never destroyed, as the product's
    return *tables->emplace_back(std::make_unique<MethodTable>());
}

constexpr std::uint64_t key_of(std::uint64_t i) {
    return 0x7f00'0000'0000u + i * 24;
}

TEST(MethodTable, an_empty_table_finds_nothing) {
    const MethodTable& table = lasting_table();
    EXPECT_EQ(table.find(key_of(1)), nullptr);
}

TEST(MethodTable, a_stub_and_the_method_behind_it_share_one_record) {
    MethodTable& table = lasting_table();
    ASSERT_EQ(table.insert(key_of(1),
                           {.real_method = Address(key_of(2)), .start = {.entry_point = Address(0x10)}, .native_code_slot = Address(0x20)}),
              Status::ok);
    EXPECT_EQ(table.find(key_of(1)), table.find(key_of(2)));
    EXPECT_EQ(table.find(key_of(1))->start.entry_point, Address(0x10));
    EXPECT_EQ(table.find(key_of(1))->native_code_slot, Address(0x20));
    EXPECT_EQ(table.find(key_of(3)), nullptr);
}

TEST(MethodTable, registering_again_changes_nothing) {
    MethodTable& table = lasting_table();
    ASSERT_EQ(table.insert(key_of(1), {.real_method = Address(key_of(1)), .start = {.entry_point = Address(0x10)}}), Status::ok);
    MethodRecord* const first = table.find(key_of(1));
    ASSERT_EQ(table.insert(key_of(1), {.real_method = Address(key_of(1)), .start = {.entry_point = Address(0x99)}, .kinds = 7}),
              Status::ok);
    EXPECT_EQ(table.find(key_of(1)), first);
    EXPECT_EQ(first->start.entry_point, Address(0x10));
    EXPECT_EQ(table.size(), 1u);
}

TEST(MethodTable, readers_find_every_published_method_while_the_table_grows) {
    constexpr std::uint64_t kMethods = 20'000;
    MethodTable& table = lasting_table();
    std::atomic<std::uint64_t> published = 0;
    std::atomic<bool> was_one_missing = false;
    std::thread reader([&] {
        while (published.load(std::memory_order_acquire) < kMethods) {
            const std::uint64_t known = published.load(std::memory_order_acquire);
            for (std::uint64_t i = known > 50 ? known - 50 : 0; i < known; ++i) {
                const MethodRecord* record = table.find(key_of(i));
                if (record == nullptr || record->start.entry_point != Address(i + 1)) {
                    was_one_missing = true;
                }
            }
        }
    });
    for (std::uint64_t i = 0; i < kMethods; ++i) {
        ASSERT_EQ(table.insert(key_of(i), {.real_method = Address(key_of(i)), .start = {.entry_point = Address(i + 1)}}), Status::ok);
        published.store(i + 1, std::memory_order_release);
    }
    reader.join();
    EXPECT_FALSE(was_one_missing);
    EXPECT_EQ(table.size(), kMethods);
}

}  // namespace
}  // namespace tierup::runtime
