// What     identify_method over buffers and a scripted data access library: what is no method, and what can't be told.
#include "runtime/method_identity.h"

#include "unit/fake_method_world.h"

namespace {

using namespace tierup;
using namespace tierup::runtime;
using namespace tierup::runtime::testing;

class MethodIdentityTest : public MethodWorld {
protected:
    Status identify() { return identify_method(memory_, *data_access_, kMethod, false, identity_); }
    /// Each time that the library is asked, a word that it stands on has changed.
    void keep_changing() {
        script_->during_validation = [this] { memory_.add_value(kMethod.plus(-8), ++changes_); };
    }

    std::uint64_t changes_ = 0;
    MethodIdentity identity_;
};

TEST_F(MethodIdentityTest, a_method_is_itself) {
    ASSERT_EQ(identify(), Status::ok);
    EXPECT_EQ(identity_.real_method, kMethod);
    EXPECT_TRUE(identity_.is_eligible);
}

TEST_F(MethodIdentityTest, what_the_library_refuses_in_still_memory_is_absent) {
    script_->validate_result = clr::kInvalidArgument;
    EXPECT_EQ(identify(), Status::absent);
}

TEST_F(MethodIdentityTest, what_the_library_refuses_in_changing_memory_is_not_told) {
    script_->validate_result = clr::kInvalidArgument;
    keep_changing();
    EXPECT_EQ(identify(), Status::faulted);
}

TEST_F(MethodIdentityTest, a_yes_stands_whatever_changes) {
    keep_changing();
    EXPECT_EQ(identify(), Status::ok);
}

}  // namespace
