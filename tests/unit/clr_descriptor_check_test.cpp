// What     What passes for a method descriptor before the DAC is asked.
#include "clr/descriptor_check.h"

#include <memory>

#include <gtest/gtest.h>

#include "clr_fake_method.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::clr;
using clr::testing::FakeMethod;

class DescriptorCheckTest : public ::testing::Test {
protected:
    DescriptorCheckTest() { target_->open(Address(0x1000), reader_, kMachineAmd64); }

    Status check(Address method = FakeMethod::kMethod) {
        target_->begin_query(QueryKind::description);
        return check_descriptor(*target_, method);
    }
    template <typename Value>
    void set(std::uint64_t at, Value value) {
        memory_.add_value<Value>(Address(at), value);
    }

    memory::testing::BufferReader memory_;
    FakeMethod method_{memory_};
    memory::testing::FaultyReader reader_{memory_};
    std::unique_ptr<DataTarget> target_ = std::make_unique<DataTarget>();
};

TEST_F(DescriptorCheckTest, a_descriptor_passes) {
    EXPECT_EQ(check(), Status::ok);
}

TEST_F(DescriptorCheckTest, a_descriptor_of_an_instantiated_type_passes_by_its_canonical_method_table) {
    set<std::uint64_t>(FakeMethod::kMethodTable + 0x28, FakeMethod::kCanonical + 1);
    set<std::uint64_t>(FakeMethod::kCanonical + 0x28, FakeMethod::kClass);
    EXPECT_EQ(check(), Status::absent) << "the class does not lead back to the canonical method table";
    set<std::uint64_t>(FakeMethod::kClass + 16, FakeMethod::kCanonical);
    EXPECT_EQ(check(), Status::ok);
}

TEST_F(DescriptorCheckTest, a_chunk_with_a_successor_passes_if_that_is_of_the_same_type) {
    constexpr std::uint64_t kNext = FakeMethod::kPage + 0x400;
    set<std::uint64_t>(FakeMethod::kChunk + 8, kNext);
    set<std::uint64_t>(kNext, FakeMethod::kCanonical);
    EXPECT_EQ(check(), Status::absent);
    set<std::uint64_t>(kNext, FakeMethod::kMethodTable);
    EXPECT_EQ(check(), Status::ok);
    set<std::uint64_t>(FakeMethod::kChunk + 8, 0xffff'8000'0000'0000);
    EXPECT_EQ(check(), Status::absent);
}

// .NET 8.0.34 and 9.0.23: GetMethodDescData crashes the process on a null method table.
TEST_F(DescriptorCheckTest, a_null_pointer_anywhere_in_the_chain_is_absent) {
    for (const std::uint64_t at : {FakeMethod::kChunk, FakeMethod::kMethodTable + 0x28, FakeMethod::kClass + 16}) {
        memory::testing::BufferReader fresh;
        const FakeMethod method(fresh);
        memory_ = fresh;
        ASSERT_EQ(check(), Status::ok);
        set<std::uint64_t>(at, 0);
        EXPECT_EQ(check(), Status::absent) << std::hex << at;
    }
}

// A managed object begins with its method table pointer too: an empty one was taken for a chunk, and 8.0.34 crashed on it.
TEST_F(DescriptorCheckTest, the_zeros_of_a_managed_object_are_absent) {
    constexpr std::uint64_t kObject = FakeMethod::kPage + 0xE00;
    set<std::uint64_t>(kObject, FakeMethod::kMethodTable);
    EXPECT_EQ(check(Address(kObject + 24)), Status::absent);
}

TEST_F(DescriptorCheckTest, a_chunk_too_small_for_the_descriptor_is_absent) {
    set<std::uint8_t>(FakeMethod::kChunk + 16, FakeMethod::kIndex + 1);
    EXPECT_EQ(check(), Status::ok);
    set<std::uint8_t>(FakeMethod::kChunk + 16, FakeMethod::kIndex);
    set<std::uint8_t>(FakeMethod::kChunk + 17, 0);
    EXPECT_EQ(check(), Status::absent) << "no room for a second unit";
    set<std::uint8_t>(FakeMethod::kChunk + 16, 11);
    set<std::uint8_t>(FakeMethod::kChunk + 17, 6);
    EXPECT_EQ(check(), Status::absent) << "seven descriptors of two units need fourteen";
}

// A DynamicMethod's descriptor outlives it, with a null handle in its resolver: 9.0.23 crashed on it.
TEST_F(DescriptorCheckTest, the_descriptor_of_a_dynamic_method_passes_only_while_that_lives) {
    constexpr std::uint64_t kResolver = FakeMethod::kPage + 0x600;
    for (const std::uint64_t offset : {0x20u, 0x28u}) {
        memory::testing::BufferReader fresh;
        const FakeMethod method(fresh);
        memory_ = fresh;
        set<std::uint16_t>(FakeMethod::kMethod.value() + 6, 0x00af);
        EXPECT_EQ(check(), Status::absent) << "no resolver";
        set<std::uint64_t>(FakeMethod::kMethod.value() + offset, kResolver);
        EXPECT_EQ(check(), Status::absent) << "a resolver of something else";
        set<std::uint64_t>(kResolver + 8, FakeMethod::kMethod.value());
        EXPECT_EQ(check(), Status::absent) << "collected";
        set<std::uint64_t>(kResolver + 16, 0x7f00000f0000);
        EXPECT_EQ(check(), Status::ok);
    }
}

TEST_F(DescriptorCheckTest, bytes_in_the_padding_are_absent) {
    set<std::uint32_t>(FakeMethod::kChunk + 20, 1);
    EXPECT_EQ(check(), Status::absent);
}

TEST_F(DescriptorCheckTest, numbers_that_are_no_addresses_are_absent_and_nothing_is_read) {
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{4088}, ~std::uint64_t{0}, ~std::uint64_t{7},
                                       std::uint64_t{1} << 56, std::uint64_t{0xffff'8000'0000'0000}, FakeMethod::kMethod.value() + 4}) {
        EXPECT_EQ(check(Address(number)), Status::absent) << std::hex << number;
    }
    EXPECT_EQ(reader_.read_count(), 0u);
}

TEST_F(DescriptorCheckTest, unreadable_memory_anywhere_in_the_chain_is_absent) {
    // Chunk, method table and class on a page each.
    constexpr std::uint64_t kFar = FakeMethod::kPage + 0x10000;
    constexpr std::uint64_t kClass = kFar + 0x10000;
    clr::testing::add_zero_page(memory_, kFar);
    clr::testing::add_zero_page(memory_, kClass);
    set<std::uint64_t>(FakeMethod::kChunk, kFar);
    set<std::uint64_t>(kFar + 0x28, kClass);
    set<std::uint64_t>(kClass + 16, kFar);
    ASSERT_EQ(check(), Status::ok);
    ASSERT_EQ(reader_.read_count(), 3u);
    for (std::uint64_t number = 1; number <= 3; ++number) {
        reader_.reset();
        reader_.fail_from(number);
        EXPECT_EQ(check(), Status::absent) << number;
        EXPECT_TRUE(reader_.was_fault_reached());
    }
}

}  // namespace
