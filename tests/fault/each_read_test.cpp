// What     The fault harness itself: it fails each read once, ends with a clean pass, and complains where a fault is never reached.
#include "each_read.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "memory/testing/buffer_reader.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::fault::fail_each_read;
using tierup::memory::Reader;
using tierup::memory::testing::BufferReader;

BufferReader chain_of_three() {
    BufferReader memory;
    memory.add_value(Address(0x1000), std::uint64_t{0x2000});
    memory.add_value(Address(0x2000), std::uint64_t{0x3000});
    memory.add_value(Address(0x3000), std::uint64_t{42});
    return memory;
}

/// Follows the chain; 0 where it can't.
std::uint64_t follow(const Reader& reader) {
    std::uint64_t value = 0x1000;
    for (int i = 0; i < 3; ++i) {
        if (reader.try_read_value(Address(value), value) != Status::ok) {
            return 0;
        }
    }
    return value;
}

TEST(EachRead, fails_each_read_once_and_ends_with_a_clean_pass) {
    const BufferReader memory = chain_of_three();
    std::vector<std::uint64_t> failed;
    const std::uint64_t faults = fail_each_read(memory, follow, [&](std::uint64_t result, std::uint64_t number) {
        failed.push_back(number);
        EXPECT_EQ(result, number == 0 ? 42u : 0u);
    });
    EXPECT_EQ(faults, 3u);
    EXPECT_EQ(failed, (std::vector<std::uint64_t>{1, 2, 3, 0}));
}

TEST(EachRead, a_lasting_fault_also_fails_what_a_scenario_tries_again) {
    const BufferReader memory = chain_of_three();
    const auto persistent = [](const Reader& reader) {
        std::uint64_t value = follow(reader);
        return value != 0 ? value : follow(reader);
    };
    fail_each_read(memory, persistent, [](std::uint64_t result, std::uint64_t) { EXPECT_EQ(result, 42u); });
    fail_each_read(
        memory, persistent, [](std::uint64_t result, std::uint64_t number) { EXPECT_EQ(result, number == 0 ? 42u : 0u); }, true);
}

TEST(EachRead, complains_where_the_fault_is_never_reached) {
    EXPECT_NONFATAL_FAILURE(
        {
            const BufferReader memory;
            (void)fail_each_read(
                memory, [](const Reader&) { return 0; }, [](int, std::uint64_t) {});
        },
        "its fault was never reached");
}

TEST(EachRead, complains_where_no_clean_pass_comes) {
    EXPECT_NONFATAL_FAILURE(
        {
            const BufferReader memory = chain_of_three();
            (void)fail_each_read(
                memory,
                [](const Reader& reader) {
                    std::uint64_t value = 0;
                    for (std::uint64_t i = 0; i <= 50 && reader.try_read_value(Address(0x1000), value) == Status::ok;) {
                        ++i;
                    }
                    return value;
                },
                [](std::uint64_t, std::uint64_t) {}, false, 50);
        },
        "no clean pass");
}

}  // namespace
