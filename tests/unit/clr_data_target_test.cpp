// What     Our ICLRDataTarget, called through its table as the DAC calls it.
#include "clr/data_target.h"

#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "clr_fake_method.h"
#include "memory/testing/faulty_reader.h"

namespace {

using namespace tierup;
using namespace tierup::clr;

constexpr std::uint64_t kPage = 0x20000;
constexpr std::uint64_t kBase = 0x7f1234560000;

class DataTargetTest : public ::testing::Test {
protected:
    DataTargetTest() {
        for (int i = 0; i < 2; ++i) {
            clr::testing::add_zero_page(memory_, kPage + static_cast<std::uint64_t>(i) * kPageBytes);
        }
        memory_.add(Address(kPage + 4094), {1, 2, 3, 4});
        target_->open(Address(kBase), reader_, kMachineAmd64);
        self_ = target_->as_interface();
        slots_ = *static_cast<const ClrDataTargetSlots* const*>(self_);
    }

    Hresult read(std::uint64_t at, std::uint32_t bytes, std::uint32_t& done) {
        done = 0xdead;
        return slots_->read_virtual(self_, at, buffer_.data(), bytes, &done);
    }

    memory::testing::BufferReader memory_;
    memory::testing::FaultyReader reader_{memory_};
    std::unique_ptr<DataTarget> target_ = std::make_unique<DataTarget>();
    void* self_ = nullptr;
    const ClrDataTargetSlots* slots_ = nullptr;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(64 * 1024);
};

TEST_F(DataTargetTest, answers_for_its_own_interface_and_iunknown_only) {
    void* out = nullptr;
    EXPECT_EQ(slots_->unknown.query_interface(self_, &kIidClrDataTarget, &out), kOk);
    EXPECT_EQ(out, self_);
    EXPECT_EQ(slots_->unknown.query_interface(self_, &kIidUnknown, &out), kOk);
    EXPECT_EQ(out, self_);
    EXPECT_EQ(slots_->unknown.query_interface(self_, &kIidSosDac, &out), kNoInterface);
    EXPECT_EQ(out, nullptr);
    EXPECT_EQ(slots_->unknown.query_interface(self_, nullptr, &out), kPointer);
    EXPECT_GT(slots_->unknown.add_ref(self_), 0u);
    EXPECT_GT(slots_->unknown.release(self_), 0u);
}

TEST_F(DataTargetTest, says_machine_and_pointer_size) {
    std::uint32_t value = 0;
    EXPECT_EQ(slots_->get_machine_type(self_, &value), kOk);
    EXPECT_EQ(value, 0x8664u);
    EXPECT_EQ(slots_->get_pointer_size(self_, &value), kOk);
    EXPECT_EQ(value, sizeof(void*));
    EXPECT_EQ(slots_->get_machine_type(self_, nullptr), kPointer);
}

TEST_F(DataTargetTest, gives_the_base_of_the_runtime_and_of_no_other_module) {
    ClrDataAddress base = 1;
    EXPECT_EQ(slots_->get_image_base(self_, u"libcoreclr.so", &base), kOk);
    EXPECT_EQ(base, kBase);
    EXPECT_EQ(slots_->get_image_base(self_, u"/some/where/libcoreclr.so", &base), kOk);
    EXPECT_EQ(base, kBase);
    for (const char16_t* other : {u"libclrjit.so", u"", u"libcoreclr.so.1", u"xlibcoreclr.so", u"libcoreclr.s", u"libcoreclr.so/x"}) {
        EXPECT_EQ(slots_->get_image_base(self_, other, &base), kFail);
        EXPECT_EQ(base, 0u);
    }
    EXPECT_EQ(slots_->get_image_base(self_, nullptr, &base), kPointer);
}

TEST_F(DataTargetTest, reads_across_a_page_boundary) {
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage + 4094, 4, done), kOk);
    EXPECT_EQ(done, 4u);
    EXPECT_EQ(std::vector<std::uint8_t>(buffer_.begin(), buffer_.begin() + 4), (std::vector<std::uint8_t>{1, 2, 3, 4}));
}

TEST_F(DataTargetTest, a_read_into_unreadable_memory_gives_the_bytes_before_it) {
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage + 2 * kPageBytes - 8, 64, done), kOk);
    EXPECT_EQ(done, 8u);
}

TEST_F(DataTargetTest, a_read_of_nothing_readable_fails) {
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage + 2 * kPageBytes, 8, done), kFail);
    EXPECT_EQ(done, 0u);
    EXPECT_EQ(read(0, 8, done), kFail);
    EXPECT_EQ(read(~std::uint64_t{0} - 3, 8, done), kFail);
    EXPECT_EQ(slots_->read_virtual(self_, kPage, nullptr, 8, &done), kPointer);
}

TEST_F(DataTargetTest, a_read_of_no_bytes_succeeds) {
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage, 0, done), kOk);
    EXPECT_EQ(done, 0u);
}

TEST_F(DataTargetTest, the_end_of_the_address_space_ends_a_read) {
    clr::testing::add_zero_page(memory_, ~std::uint64_t{0} - 4095);
    clr::testing::add_zero_page(memory_, 0);
    std::uint32_t done = 0;
    EXPECT_EQ(read(~std::uint64_t{0} - 7, 16, done), kOk);
    EXPECT_EQ(done, 8u);
}

TEST_F(DataTargetTest, a_big_read_is_one_copy) {
    for (std::uint64_t i = 0; i < 8; ++i) {
        clr::testing::add_zero_page(memory_, kPage + i * kPageBytes);
    }
    memory_.add_value<std::uint8_t>(Address(kPage + 30000), 9);
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage + 16, 32000, done), kOk);
    EXPECT_EQ(done, 32000u);
    EXPECT_EQ(buffer_[30000 - 16], 9);
    EXPECT_EQ(reader_.read_count(), 1u);
}

TEST_F(DataTargetTest, a_big_read_that_faults_is_made_page_by_page) {
    std::uint32_t done = 0;
    EXPECT_EQ(read(kPage + 100, 40000, done), kOk);
    EXPECT_EQ(done, 2 * kPageBytes - 100);
}

TEST_F(DataTargetTest, everything_else_is_not_implemented) {
    std::uint32_t word = 0;
    std::uint64_t address = 0;
    std::array<std::uint8_t, 8> bytes{};
    EXPECT_EQ(slots_->write_virtual(self_, kPage, bytes.data(), 8, &word), kNotImplemented);
    EXPECT_EQ(slots_->get_tls_value(self_, 1, 1, &address), kNotImplemented);
    EXPECT_EQ(slots_->set_tls_value(self_, 1, 1, 0), kNotImplemented);
    EXPECT_EQ(slots_->get_current_thread_id(self_, &word), kNotImplemented);
    EXPECT_EQ(slots_->get_thread_context(self_, 1, 0, 8, bytes.data()), kNotImplemented);
    EXPECT_EQ(slots_->set_thread_context(self_, 1, 8, bytes.data()), kNotImplemented);
    EXPECT_EQ(slots_->request(self_, 0, 0, bytes.data(), 0, bytes.data()), kNotImplemented);
}

}  // namespace
