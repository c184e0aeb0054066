// What     HRESULTs to status, DAC tiers to ours.
#include "clr/hresult.h"

#include <gtest/gtest.h>

#include "clr/tier.h"

namespace {

using namespace tierup;
using namespace tierup::clr;

TEST(Hresult, only_s_ok_is_ok) {
    EXPECT_EQ(to_status(0), Status::ok);
    EXPECT_NE(to_status(1), Status::ok) << "S_FALSE says that not all of it was done";
    EXPECT_EQ(to_status(1), Status::unknown);
}

// Numbers from winerror.h and corerror.h.
TEST(Hresult, failures_have_their_status) {
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80004001u)), Status::unsupported);       // E_NOTIMPL
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80004002u)), Status::unsupported);       // E_NOINTERFACE
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80004003u)), Status::invalid_argument);  // E_POINTER
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80004005u)), Status::unknown);           // E_FAIL
    EXPECT_EQ(to_status(static_cast<Hresult>(0x8000FFFFu)), Status::unknown);           // E_UNEXPECTED
    EXPECT_EQ(to_status(static_cast<Hresult>(0x8007000Eu)), Status::exhausted);         // E_OUTOFMEMORY
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80070057u)), Status::invalid_argument);  // E_INVALIDARG
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80131C30u)), Status::unsupported);       // CORDBG_E_INCOMPATIBLE_PLATFORMS
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80131C49u)), Status::faulted);           // CORDBG_E_READVIRTUAL_FAILURE
    EXPECT_EQ(to_status(static_cast<Hresult>(0x80001234u)), Status::unknown);
}

// Numbers from dacprivate.h, DacpTieredVersionData::OptimizationTier.
TEST(DacTier, each_number_has_its_tier_and_others_are_unknown) {
    constexpr Tier kExpected[] = {Tier::unknown,
                                  Tier::min_opt,
                                  Tier::optimized,
                                  Tier::tier0,
                                  Tier::tier1,
                                  Tier::ready_to_run,
                                  Tier::tier1_osr,
                                  Tier::tier0_instrumented,
                                  Tier::tier1_instrumented};
    for (int number = 0; number < 9; ++number) {
        EXPECT_EQ(to_tier(static_cast<DacTier>(number)), kExpected[number]) << number;
    }
    for (const int number : {-1, 9, 255, 1 << 30}) {
        EXPECT_EQ(to_tier(static_cast<DacTier>(number)), Tier::unknown) << number;
    }
}

}  // namespace
