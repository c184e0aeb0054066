// What     What an inspection hands to a registration: once, on one thread, for one method.
#include "runtime/inspected_method.h"

#include <thread>

#include <gtest/gtest.h>

namespace tierup::runtime {
namespace {

constexpr std::uint64_t kMethod = 0x7f0000001000;
const MethodIdentity kIdentity{
    .real_method = Address(kMethod + 24), .module = {}, .native_code_slot = {}, .token = 0x06000001, .kinds = 0, .is_eligible = true};

TEST(InspectedMethod, what_was_inspected_is_taken_once) {
    InspectedMethod inspected;
    MethodIdentity identity;
    EXPECT_FALSE(inspected.try_take(kMethod, 0, identity));
    inspected.keep(kMethod, kIdentity);
    ASSERT_TRUE(inspected.try_take(kMethod, 0, identity));
    EXPECT_EQ(identity.real_method, kIdentity.real_method);
    EXPECT_FALSE(inspected.try_take(kMethod, 0, identity));
}

TEST(InspectedMethod, another_method_takes_nothing) {
    InspectedMethod inspected;
    MethodIdentity identity;
    inspected.keep(kMethod, kIdentity);
    EXPECT_FALSE(inspected.try_take(kMethod + 8, 0, identity));
    EXPECT_FALSE(inspected.try_take(0, 0, identity));
}

TEST(InspectedMethod, a_runtime_async_method_is_inspected_again_knowing_what_it_is) {
    InspectedMethod inspected;
    MethodIdentity identity;
    inspected.keep(kMethod, kIdentity);
    EXPECT_FALSE(inspected.try_take(kMethod, kind_runtime_async, identity));
}

TEST(InspectedMethod, what_one_thread_inspected_another_does_not_take) {
    InspectedMethod inspected;
    inspected.keep(kMethod, kIdentity);
    bool was_taken = true;
    std::thread([&] {
        MethodIdentity identity;
        was_taken = inspected.try_take(kMethod, 0, identity);
    }).join();
    EXPECT_FALSE(was_taken);
}

}  // namespace
}  // namespace tierup::runtime
