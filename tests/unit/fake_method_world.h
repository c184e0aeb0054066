// What     One method in buffers (descriptor, code slot, precode, stubs) beside a scripted data access library, ready to be looked at.
// What not No judgement; each test puts the world into a state and asks.
#pragma once

#include <initializer_list>
#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "clr/data_access.h"
#include "memory/reader.h"
#include "runtime/method_view.h"
#include "unit/clr_fake_method.h"
#include "unit/fake_dac/open_script.h"
#include "unit/fake_stubs.h"

namespace tierup::runtime::testing {

using clr::testing::FakeDacScript;
using clr::testing::FakeMethod;

inline constexpr Address kMethod = FakeMethod::kMethod;
inline constexpr Address kCodeSlot{0x7f0000300008};
inline constexpr Address kTier0Code{0x7f0000400000};
inline constexpr Address kTier1Code{0x7f0000410000};
inline constexpr Address kTier1Node{0x7f0000500000};

inline constexpr clr::DacTieredVersionData kTier0{kTier0Code.value(), clr::DacTier::quick_jitted, 0, 0};
inline constexpr clr::DacTieredVersionData kTier1{kTier1Code.value(), clr::DacTier::optimized_tier1, 0, kTier1Node.value()};
inline constexpr clr::DacTieredVersionData kQueuedTier1{0, clr::DacTier::optimized_tier1, 0, kTier1Node.value()};

class MethodWorld : public ::testing::Test {
public:
    void SetUp() override {
        script_ = clr::testing::open_fresh_script(FAKE_DAC);
        ASSERT_NE(script_, nullptr);
        script_->description.has_native_code = 1;
        script_->description.native_code = kTier0Code.value();
        script_->description.method_desc = kMethod.value();
        script_->description.method_table = FakeMethod::kMethodTable;
        script_->description.module = 0x7f0000cc0000;
        script_->description.token = 0x06000123;
        ASSERT_EQ(data_access_->load(FAKE_DAC, Address(0x7f1111110000), memory_, clr::kMachineAmd64), Status::ok) << data_access_->reason();
        memory_.add_value(kMethod, std::uint16_t{0x8000});  // eligible for tiering
        add_code(memory_, kTier0Code);
        add_code(memory_, kTier1Code);
        record_.real_method = kMethod;
        record_.start = {.entry_point = kEntry};
        record_.native_code_slot = kCodeSlot;
        at_prestub();
        code_slot_holds(kTier0Code);
    }

    void at_prestub() { add_fixup_precode(memory_, kEntry, kEntry.plus(6), kMethod); }
    void at_code(Address code) { add_fixup_precode(memory_, kEntry, code, kMethod); }
    void at_stub(Address code, std::uint16_t remaining, std::uint8_t stage) {
        add_fixup_precode(memory_, kEntry, kStub, kMethod);
        add_counting_stub(memory_, kStub, code, remaining, stage);
        memory_.add_value(kCell.plus(-16), kMethod.value());
    }
    void delete_stub(std::uint8_t stage) {
        memory_.add_value(kCell.plus(-8), std::uint64_t{0});
        memory_.add_value(kCell.plus(2), stage);
    }
    void code_slot_holds(Address code) { memory_.add_value(kCodeSlot, code.value()); }
    void list_versions(std::initializer_list<clr::DacTieredVersionData> versions) {
        std::copy(versions.begin(), versions.end(), script_->versions);
        script_->version_count = script_->filled_count = static_cast<std::int32_t>(versions.size());
    }
    Answer resolve() { return view_.resolve(subject_of(record_), nullptr).answer; }

    FakeDacScript* script_ = nullptr;
    memory::testing::BufferReader memory_;
    FakeMethod method_{memory_};
    std::unique_ptr<clr::DataAccess> data_access_ = std::make_unique<clr::DataAccess>();
    Settings settings_;
    WalkPlace place_{.architecture = decode::Architecture::x64, .runtime_image = {}};
    WorkerThreadWatch worker_;
    CountedCell counted_cell_;
    MethodView view_{memory_, *data_access_, settings_, place_, {worker_, counted_cell_}};
    MethodRecord record_;
};

}  // namespace tierup::runtime::testing
