// What     The walk from an entry point through stubs, over buffers; and with memory that fails or changes underfoot at every read.
#include "runtime/entry_walk.h"

#include <gtest/gtest.h>

#include "memory/testing/buffer_reader.h"
#include "memory/testing/faulty_reader.h"
#include "runtime/loads.h"
#include "unit/fake_stubs.h"

namespace tierup::runtime {
namespace {

using memory::testing::BufferReader;
using memory::testing::FaultyReader;
using namespace testing;

class EntryWalk : public ::testing::Test {
protected:
    BufferReader memory_;
    WalkPlace place_{.architecture = decode::Architecture::x64,
                     .runtime_image = {.begin = kRuntimeCode, .end = kRuntimeCode.plus(0x10000)}};

    EntryState walk(Address known_code = {}) { return walk_entry(CheckedLoads{memory_}, place_, {.entry_point = kEntry}, known_code); }
};

TEST_F(EntryWalk, unprepared_fixup_precode_is_the_prestub) {
    add_fixup_precode(memory_, kEntry, kEntry.plus(6));
    EXPECT_EQ(walk().kind, EntryKind::prestub);
}

TEST_F(EntryWalk, fixup_precode_leads_to_code) {
    add_fixup_precode(memory_, kEntry, kCode);
    add_code(memory_, kCode);
    const EntryState state = walk();
    EXPECT_EQ(state.kind, EntryKind::code);
    EXPECT_EQ(state.code, kCode);
}

TEST_F(EntryWalk, forwarder_precode_is_followed_to_the_counting_stub) {
    add_fixup_precode(memory_, kEntry, kForwarder);
    add_fixup_precode(memory_, kForwarder, kStub);
    add_counting_stub(memory_, kStub, kCode, 17, 1);
    const EntryState state = walk();
    EXPECT_EQ(state.kind, EntryKind::counting);
    EXPECT_EQ(state.remaining_calls, 17);
    EXPECT_EQ(state.stage, CountingStage::may_be_active);
    EXPECT_EQ(state.code, kCode);
    EXPECT_EQ(state.cell, kCell);
}

TEST_F(EntryWalk, code_that_begins_with_a_tail_call_is_code) {
    add_fixup_precode(memory_, kEntry, kCode);
    std::vector<std::uint8_t> bytes = {0xFF, 0x25, 0x10, 0x00, 0x00, 0x00};
    bytes.resize(decode::kWindowBytes, 0xCC);
    memory_.add(kCode, bytes);
    const EntryState state = walk();
    EXPECT_EQ(state.kind, EntryKind::code);
    EXPECT_EQ(state.code, kCode);
}

TEST_F(EntryWalk, known_code_is_not_taken_for_a_stub_even_with_a_stubs_bytes) {
    add_fixup_precode(memory_, kEntry, kCode);
    add_fixup_precode(memory_, kCode, kOtherCode);
    add_code(memory_, kOtherCode);
    EXPECT_EQ(walk(kCode).code, kCode);
}

TEST_F(EntryWalk, the_runtimes_own_image_is_not_jitted_code) {
    add_fixup_precode(memory_, kEntry, kRuntimeCode.plus(0x123));
    EXPECT_EQ(walk().kind, EntryKind::inside_runtime);
}

TEST_F(EntryWalk, a_loop_of_forwarders_ends_as_unknown) {
    add_fixup_precode(memory_, kEntry, kForwarder);
    add_fixup_precode(memory_, kForwarder, kEntry);
    EXPECT_EQ(walk().kind, EntryKind::unknown);
}

TEST_F(EntryWalk, short_code_at_the_end_of_readable_memory_is_code) {
    const Address last{0x50FF8};  // eight bytes before the end of a page
    add_fixup_precode(memory_, kEntry, last);
    memory_.add(last, std::vector<std::uint8_t>(8, 0x90));
    EXPECT_EQ(walk().code, last);
}

TEST_F(EntryWalk, a_record_that_does_not_point_back_at_its_stub_is_not_believed) {
    add_fixup_precode(memory_, kEntry, kStub);
    add_counting_stub(memory_, kStub, kCode, 17, 1);
    memory_.add_value(kCell.plus(-8), std::uint64_t{0});
    EXPECT_EQ(walk().kind, EntryKind::unreadable);
}

TEST_F(EntryWalk, stub_deleted_underfoot_is_seen_as_a_changed_chain) {
    // The stub goes away, and the entry point back to the prestub, just before each read of the first walk in turn.
    for (std::uint64_t moment = 1;; ++moment) {
        BufferReader memory;
        add_fixup_precode(memory, kEntry, kStub);
        add_counting_stub(memory, kStub, kCode, 17, 1);
        FaultyReader faulty(memory);
        faulty.before_read([&](std::uint64_t number, Address, std::size_t) {
            if (number == moment) {
                memory.add_value(kEntry.plus(kDataPageBytes), kEntry.plus(6).value());
                memory.add_value(kCell.plus(-8), std::uint64_t{0});
                memory.remove(kStub, decode::kWindowBytes);
                memory.remove(kStub.plus(kDataPageBytes), 16);
            }
        });
        const EntryState state = walk_entry(CheckedLoads{faulty}, place_, {.entry_point = kEntry}, {});
        if (faulty.read_count() < moment) {
            EXPECT_EQ(state.kind, EntryKind::counting);
            break;
        }
        EXPECT_EQ(state.kind, EntryKind::prestub) << "deleted before read " << moment;
    }
}

TEST_F(EntryWalk, no_single_failing_read_makes_up_a_state) {
    add_fixup_precode(memory_, kEntry, kForwarder);
    add_fixup_precode(memory_, kForwarder, kStub);
    add_counting_stub(memory_, kStub, kCode, 17, 1);
    const EntryState right = walk();
    bool was_reached = true;
    for (std::uint64_t n = 1; was_reached; ++n) {
        FaultyReader faulty(memory_);
        faulty.fail_read(n);
        EXPECT_EQ(walk_entry(CheckedLoads{faulty}, place_, {.entry_point = kEntry}, {}), right)
            << "the walk is done again after read " << n << " failed";
        was_reached = faulty.was_fault_reached();
    }
    for (std::uint64_t n = 1; n <= 12; ++n) {
        FaultyReader faulty(memory_);
        faulty.fail_from(n);
        const EntryState state = walk_entry(CheckedLoads{faulty}, place_, {.entry_point = kEntry}, {});
        EXPECT_TRUE(state == right || state.kind == EntryKind::unreadable) << "reads fail from " << n << " on";
    }
}

}  // namespace
}  // namespace tierup::runtime
