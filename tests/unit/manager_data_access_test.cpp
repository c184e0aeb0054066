// What     DataAccess's two questions for the tiering manager: the AppDomain, and a method's name.
#include <memory>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "clr/data_access.h"
#include "clr/utf8_text.h"
#include "clr_fake_method.h"
#include "fake_dac/open_script.h"

namespace {

using namespace tierup;
using namespace tierup::clr;
using clr::testing::FakeDacScript;
using clr::testing::FakeMethod;

class ManagerDataAccessTest : public ::testing::Test {
protected:
    void SetUp() override {
        script_ = tierup::clr::testing::open_fresh_script(FAKE_DAC);
        ASSERT_NE(script_, nullptr);
        script_->description.method_desc = FakeMethod::kMethod.value();
        script_->description.method_table = FakeMethod::kMethodTable;
        script_->description.module = 0x7f0000cc0000;
        ASSERT_EQ(access_->load(FAKE_DAC, Address(0x7f1111110000), memory_, kMachineAmd64), Status::ok);
    }

    FakeDacScript* script_ = nullptr;
    memory::testing::BufferReader memory_;
    FakeMethod method_{memory_};
    std::unique_ptr<DataAccess> access_ = std::make_unique<DataAccess>();
    Address app_domain_;
    char name_[64] = "unset";
    std::size_t needed_ = 99;
};

TEST_F(ManagerDataAccessTest, the_one_app_domain_is_found) {
    ASSERT_EQ(access_->find_app_domain(app_domain_), Status::ok);
    EXPECT_EQ(app_domain_, Address(0x7f0000990000));
    EXPECT_EQ(script_->flushes, 1) << "memory is seen anew";
}

TEST_F(ManagerDataAccessTest, the_loader_allocator_is_found) {
    Address found;
    ASSERT_EQ(access_->find_loader_allocator(Address(0x7f0000990000), found), Status::ok);
    EXPECT_EQ(found, Address(0x7f0000aa0000));
}

TEST_F(ManagerDataAccessTest, a_library_without_that_question_or_without_an_answer_says_so) {
    Address found;
    script_->loader_allocator = 1;
    EXPECT_EQ(access_->find_loader_allocator(Address(0x7f0000990000), found), Status::unknown);
    script_->loader_allocator_result = kFail;
    EXPECT_NE(access_->find_loader_allocator(Address(0x7f0000990000), found), Status::ok);
    script_->has_sos13 = false;
    EXPECT_EQ(access_->find_loader_allocator(Address(0x7f0000990000), found), Status::unsupported);
    EXPECT_TRUE(found.is_null());
}

TEST_F(ManagerDataAccessTest, none_or_several_app_domains_are_unknown) {
    const auto expect_unknown = [&](const char* what) {
        EXPECT_EQ(access_->find_app_domain(app_domain_), Status::unknown) << what;
        EXPECT_TRUE(app_domain_.is_null()) << what;
    };
    script_->app_domain_count = 0;
    expect_unknown("none");
    script_->app_domain_count = 2;
    expect_unknown("two");
    script_->app_domain_count = 1;
    script_->app_domain_store.domain_count = 2;
    expect_unknown("the store says two");
    script_->app_domain_store.domain_count = 1;
    script_->app_domains[0] = 0xffff'8000'0000'0000;
    expect_unknown("outside user space");
}

TEST_F(ManagerDataAccessTest, a_library_that_fails_to_tell_app_domains_is_told) {
    script_->app_domain_store_result = kInvalidArgument;
    EXPECT_NE(access_->find_app_domain(app_domain_), Status::ok);
    script_->app_domain_store_result = kOk;
    script_->app_domain_list_result = kFail;
    EXPECT_NE(access_->find_app_domain(app_domain_), Status::ok);
    EXPECT_TRUE(app_domain_.is_null());
}

TEST_F(ManagerDataAccessTest, a_methods_name_comes_as_utf8_with_its_zero) {
    script_->name = u"Größe.Ω😀(Int32)";
    ASSERT_EQ(access_->name_method(FakeMethod::kMethod, name_, sizeof name_, needed_), Status::ok);
    EXPECT_STREQ(name_, "Größe.Ω😀(Int32)");
    EXPECT_EQ(needed_, std::string("Größe.Ω😀(Int32)").size() + 1);
}

TEST_F(ManagerDataAccessTest, a_small_buffer_gets_what_fits_and_needed_says_the_rest) {
    script_->name = u"Program.Main()";
    ASSERT_EQ(access_->name_method(FakeMethod::kMethod, name_, 8, needed_), Status::ok);
    EXPECT_STREQ(name_, "Program");
    EXPECT_EQ(needed_, 15u);
    ASSERT_EQ(access_->name_method(FakeMethod::kMethod, nullptr, 0, needed_), Status::ok);
    EXPECT_EQ(needed_, 15u);
}

TEST_F(ManagerDataAccessTest, a_name_longer_than_any_is_cut) {
    static const std::u16string long_name(10'000, u'x');
    script_->name = long_name;
    std::string buffer(20'000, '#');
    ASSERT_EQ(access_->name_method(FakeMethod::kMethod, buffer.data(), buffer.size(), needed_), Status::ok);
    EXPECT_EQ(needed_, DataAccess::kMaxNameUnits + 1);
    EXPECT_EQ(std::string(buffer.c_str()), std::string(DataAccess::kMaxNameUnits, 'x'));
}

TEST_F(ManagerDataAccessTest, what_is_no_method_is_never_given_to_the_library) {
    EXPECT_EQ(access_->name_method(Address(0x7f0000020000), name_, sizeof name_, needed_), Status::absent);
    EXPECT_STREQ(name_, "");
    EXPECT_EQ(needed_, 0u);
    EXPECT_EQ(script_->names, 0);
    script_->validate_result = kInvalidArgument;
    EXPECT_EQ(access_->name_method(FakeMethod::kMethod, name_, sizeof name_, needed_), Status::absent);
    EXPECT_EQ(script_->names, 0) << "its own check comes first";
}

TEST_F(ManagerDataAccessTest, a_torn_name_is_told) {
    script_->name = u"";
    EXPECT_EQ(access_->name_method(FakeMethod::kMethod, name_, sizeof name_, needed_), Status::unknown);
    script_->name_result = kFail;
    EXPECT_NE(access_->name_method(FakeMethod::kMethod, name_, sizeof name_, needed_), Status::ok);
    EXPECT_STREQ(name_, "");
}

TEST(ManagerDataAccess, without_a_library_both_are_unsupported) {
    const auto access = std::make_unique<DataAccess>();
    Address app_domain(1);
    char name[4] = "abc";
    std::size_t needed = 9;
    EXPECT_EQ(access->find_app_domain(app_domain), Status::unsupported);
    EXPECT_TRUE(app_domain.is_null());
    EXPECT_EQ(access->name_method(FakeMethod::kMethod, name, sizeof name, needed), Status::unsupported);
    EXPECT_STREQ(name, "");
}

// RFC 3629's own examples (section 7) and the ends of each length.
TEST(Utf8Text, characters_of_each_length_are_written) {
    const auto utf8 = [](std::u16string_view text) {
        char buffer[64];
        const std::size_t needed = write_utf8(text.data(), text.size(), buffer, sizeof buffer);
        EXPECT_EQ(needed, std::string(buffer).size() + 1);
        return std::string(buffer);
    };
    EXPECT_EQ(utf8(u"A\u2262\u0391."), "A\xE2\x89\xA2\xCE\x91.");
    EXPECT_EQ(utf8(u"\u65E5\u672C\u8A9E"), "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
    EXPECT_EQ(utf8(u"\U000233B4"), "\xF0\xA3\x8E\xB4");
    EXPECT_EQ(utf8(u"\u007F\u0080\u07FF\u0800\uFFFF\U00010000\U0010FFFF"),
              "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

TEST(Utf8Text, a_lone_surrogate_becomes_the_replacement_character) {
    char buffer[64];
    const char16_t high[] = {0xD800, u'x'};
    (void)write_utf8(high, 2, buffer, sizeof buffer);
    EXPECT_STREQ(buffer, "\xEF\xBF\xBDx");
    const char16_t low[] = {0xDC00};
    (void)write_utf8(low, 1, buffer, sizeof buffer);
    EXPECT_STREQ(buffer, "\xEF\xBF\xBD");
    const char16_t high_at_the_end[] = {u'x', 0xD83D};
    (void)write_utf8(high_at_the_end, 2, buffer, sizeof buffer);
    EXPECT_STREQ(buffer, "x\xEF\xBF\xBD");
}

TEST(Utf8Text, a_text_is_cut_at_a_whole_character_and_not_continued_behind_it) {
    char buffer[5] = "####";
    EXPECT_EQ(write_utf8(u"ab\u2262c", 4, buffer, sizeof buffer), 7u);
    EXPECT_STREQ(buffer, "ab");
}

}  // namespace
