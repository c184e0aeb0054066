// What     Runs a scenario again and again, failing its 1st, 2nd, 3rd… read, until it passes without reaching the fault.
// What not Judges no result: the check that the caller gives does.
// Threads  One.
// Failure  Fails the test where a fault was planned and never reached before the clean pass, and where no clean pass comes.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include "memory/testing/faulty_reader.h"

namespace tierup::fault {

/// No scenario makes more reads than this; a scenario that retries for ever is found by it.
inline constexpr std::uint64_t kMaxReads = 10'000;

/// `scenario(reader)` gives a result; `check(result, failed_read)` judges it, failed_read 0 being the clean pass.
/// `fails_lastingly`: the chosen read and all after it fail, as after an unload; else only the chosen one does.
/// Returns the number of reads that were failed, one a pass.
template <typename Scenario, typename Check>
std::uint64_t fail_each_read(const memory::Reader& memory, Scenario scenario, Check check, bool fails_lastingly = false,
                             std::uint64_t max_reads = kMaxReads) {
    for (std::uint64_t number = 1; number <= max_reads; ++number) {
        memory::testing::FaultyReader reader(memory);
        if (fails_lastingly) {
            reader.fail_from(number);
        } else {
            reader.fail_read(number);
        }
        const auto result = scenario(static_cast<const memory::Reader&>(reader));
        if (!reader.was_fault_reached()) {
            EXPECT_GT(number, 1u) << "the scenario made no read: its fault was never reached";
            EXPECT_LT(reader.read_count(), number) << "a pass that reached no fault made more reads than the fault's number";
            check(result, std::uint64_t{0});
            return number - 1;
        }
        SCOPED_TRACE(::testing::Message() << "read " << number << " failed");
        check(result, number);
    }
    ADD_FAILURE() << "no clean pass within " << max_reads << " reads";
    return max_reads;
}

}  // namespace tierup::fault
