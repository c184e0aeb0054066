// What     The two readers that other tests stand on.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "memory/testing/buffer_reader.h"
#include "memory/testing/faulty_reader.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::memory::testing::BufferReader;
using tierup::memory::testing::FaultyReader;

TEST(BufferReader, serves_bytes_within_and_across_ranges_and_faults_outside) {
    BufferReader memory;
    memory.add(Address(0x100), {1, 2, 3, 4});
    memory.add(Address(0x104), {5, 6, 7, 8});
    std::uint64_t value = 0;
    EXPECT_EQ(memory.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_EQ(value, 0x0807'0605'0403'0201u);
    EXPECT_EQ(memory.try_read_value(Address(0x101), value), Status::faulted);
    EXPECT_EQ(memory.try_read_value(Address(0xFF), value), Status::faulted);
    EXPECT_EQ(memory.try_read_value(Address(), value), Status::faulted);
}

TEST(BufferReader, a_read_that_wraps_around_the_address_space_faults) {
    BufferReader memory;
    memory.add(Address(UINT64_MAX), {1});
    memory.add(Address(0), {2});
    std::uint16_t value = 0;
    EXPECT_EQ(memory.try_read_value(Address(UINT64_MAX), value), Status::faulted);
}

TEST(BufferReader, removed_and_replaced_bytes_are_seen_at_once) {
    BufferReader memory;
    memory.add_value(Address(0x100), std::uint32_t{7});
    memory.add_value(Address(0x100), std::uint32_t{9});
    std::uint32_t value = 0;
    EXPECT_EQ(memory.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_EQ(value, 9u);
    memory.remove(Address(0x103), 1);
    EXPECT_EQ(memory.try_read_value(Address(0x100), value), Status::faulted);
}

TEST(FaultyReader, fails_the_chosen_read_with_the_chosen_status_and_counts_all) {
    BufferReader memory;
    memory.add_value(Address(0x100), std::uint32_t{7});
    FaultyReader reader(memory);
    reader.fail_read(2, Status::unsupported);
    std::uint32_t value = 0;
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_FALSE(reader.was_fault_reached());
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::unsupported);
    EXPECT_TRUE(reader.was_fault_reached());
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_EQ(reader.read_count(), 3u);
}

TEST(FaultyReader, a_lasting_fault_lasts_until_reset) {
    BufferReader memory;
    memory.add_value(Address(0x100), std::uint32_t{7});
    FaultyReader reader(memory);
    reader.fail_from(1);
    std::uint32_t value = 0;
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::faulted);
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::faulted);
    reader.reset();
    EXPECT_EQ(reader.read_count(), 0u);
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::ok);
}

TEST(FaultyReader, a_hook_changes_memory_just_before_the_read_that_it_names) {
    BufferReader memory;
    memory.add_value(Address(0x100), std::uint32_t{7});
    FaultyReader reader(memory);
    reader.before_read([&](std::uint64_t number, Address from, std::size_t bytes) {
        EXPECT_EQ(from, Address(0x100));
        EXPECT_EQ(bytes, 4u);
        if (number == 2) {
            memory.add_value(Address(0x100), std::uint32_t{8});
        }
    });
    std::uint32_t value = 0;
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_EQ(value, 7u);
    EXPECT_EQ(reader.try_read_value(Address(0x100), value), Status::ok);
    EXPECT_EQ(value, 8u);
}

}  // namespace
