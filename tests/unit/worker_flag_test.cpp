// What     WorkerFlag over a block of this process's memory that stands for the runtime's variables, with a scripted witness.
// Source   The flags' behaviour: dotnet/runtime src/coreclr/vm/tieredcompilation.cpp.
#include "runtime/worker_flag.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "memory/kernel_reader.h"
#include "memory/testing/buffer_reader.h"
#include "os/clock.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::memory::KernelReader;
using tierup::runtime::SampleSize;
using tierup::runtime::WorkerFlag;
using tierup::runtime::WorkerReading;
using tierup::runtime::WorkKnowledge;
using tierup::runtime::WorkKnown;
using tierup::runtime::WorkWitness;

class Witness final : public WorkWitness {
public:
    WorkKnowledge look() const noexcept override {
        ++looks;
        if (before_look) {
            before_look(looks);
        }
        return knowledge;
    }
    WorkKnowledge knowledge;
    mutable int looks = 0;
    std::function<void(int)> before_look;
};

constexpr std::uint64_t kNoLimit = UINT64_MAX / 64;
constexpr std::uint32_t kRunning = 5000;
constexpr std::uint32_t kProcessing = 5001;

class WorkerFlagTest : public testing::Test {
protected:
    WorkerFlagTest() : data_(16384, 0), flag_(std::make_unique<WorkerFlag>()) {
        data_[7] = data_[8] = data_[9000] = 1;
        EXPECT_EQ(reader_.open(), Status::ok);
    }
    Address at(std::uint32_t offset) const { return Address(reinterpret_cast<std::uint64_t>(data_.data())).plus(offset); }
    /// Without a limit of time: a test's thread may be interrupted at will.
    void open() { ASSERT_EQ(flag_->open(reader_, at(0), at(16384), kNoLimit), Status::ok); }
    void set(std::uint8_t running, std::uint8_t processing) {
        __atomic_store_n(&data_[kRunning], running, __ATOMIC_RELAXED);
        __atomic_store_n(&data_[kProcessing], processing, __ATOMIC_RELAXED);
    }
    void know(WorkKnown known, std::uint64_t token) {
        witness_.knowledge = {known, token};
        witness_.before_look = nullptr;
    }
    Status work(std::uint64_t token) {
        set(1, 1);
        know(WorkKnown::at_work, token);
        return flag_->sample(witness_);
    }
    Status rest() {
        set(1, 0);
        know(WorkKnown::at_rest, 0);
        return flag_->sample(witness_);
    }
    void locate() {
        open();
        for (std::uint64_t token = 1; token <= 3; ++token) {
            ASSERT_EQ(work(token), Status::ok);
            ASSERT_EQ(rest(), Status::ok);
        }
        ASSERT_TRUE(flag_->is_located());
    }
    Status contradict(std::uint64_t token) {
        set(1, 0);
        know(WorkKnown::at_work, token);
        return flag_->sample(witness_);
    }

    std::vector<std::uint8_t> data_;
    KernelReader reader_;
    std::unique_ptr<WorkerFlag> flag_;
    Witness witness_;
    std::uint64_t look_began_ns_ = 0;
};

TEST_F(WorkerFlagTest, is_not_known_before_it_is_opened_and_before_it_is_located) {
    EXPECT_EQ(flag_->sample(witness_), Status::unsupported);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
    open();
    EXPECT_EQ(work(1), Status::ok);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
    EXPECT_STRNE(flag_->figures().reason, "");
    EXPECT_TRUE(flag_->figures().flag.is_null());
}

TEST_F(WorkerFlagTest, reads_at_rest_only_while_the_flag_is_0) {
    locate();
    EXPECT_EQ(flag_->figures().flag, at(kProcessing));
    EXPECT_STREQ(flag_->figures().reason, "");
    EXPECT_EQ(flag_->read(), WorkerReading::at_rest);
    set(1, 1);
    EXPECT_EQ(flag_->read(), WorkerReading::at_work);
    set(0, 0);
    EXPECT_EQ(flag_->read(), WorkerReading::at_rest);
    set(1, 2);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
}

TEST_F(WorkerFlagTest, where_the_two_always_moved_together_both_must_be_0) {
    open();
    for (std::uint64_t token = 1; token <= 7; ++token) {
        EXPECT_FALSE(flag_->is_located());
        (void)work(token);
        set(0, 0);
        know(WorkKnown::at_rest, 0);
        (void)flag_->sample(witness_);
    }
    ASSERT_TRUE(flag_->is_located());
    EXPECT_EQ(flag_->read(), WorkerReading::at_rest);
    set(1, 0);
    EXPECT_EQ(flag_->read(), WorkerReading::at_work);
    set(0, 1);
    EXPECT_EQ(flag_->read(), WorkerReading::at_work);
}

TEST_F(WorkerFlagTest, a_sample_during_which_work_ended_does_not_count) {
    open();
    ASSERT_EQ(work(1), Status::ok);
    const std::uint32_t candidates = flag_->figures().candidates;
    set(1, 0);
    for (const WorkKnowledge& after : {WorkKnowledge{WorkKnown::at_rest, 0}, WorkKnowledge{WorkKnown::at_work, 2}}) {
        know(WorkKnown::at_work, 1);
        const int first = witness_.looks + 1;
        witness_.before_look = [this, first, after](int look) {
            if (look > first) {
                witness_.knowledge = after;
            }
        };
        EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    }
    (void)rest();
    (void)work(3);
    EXPECT_EQ(flag_->figures().candidates, candidates) << "no byte was struck";
}

TEST_F(WorkerFlagTest, a_first_sample_during_which_work_ended_is_taken_again) {
    open();
    know(WorkKnown::at_work, 1);
    witness_.before_look = [this](int look) {
        if (look == 2) {
            witness_.knowledge.known = WorkKnown::at_rest;
        }
    };
    EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    EXPECT_EQ(flag_->figures().candidates, 0u);
    EXPECT_EQ(work(2), Status::ok);
    EXPECT_EQ(flag_->figures().candidates, 5u);
}

TEST_F(WorkerFlagTest, what_a_witness_does_not_know_teaches_nothing) {
    open();
    know(WorkKnown::nothing, 0);
    EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    know(WorkKnown::at_rest, 0);
    EXPECT_EQ(flag_->sample(witness_), Status::unknown) << "the first sample is one at work";
    EXPECT_EQ(flag_->figures().samples, 0u);
    ASSERT_EQ(work(1), Status::ok);
    know(WorkKnown::nothing, 0);
    EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    EXPECT_EQ(flag_->figures().samples, 1u);
}

TEST_F(WorkerFlagTest, a_sample_that_took_too_long_does_not_count) {
    ASSERT_EQ(flag_->open(reader_, at(0), at(16384), 0), Status::ok);
    EXPECT_EQ(work(1), Status::unknown);
    EXPECT_EQ(rest(), Status::unknown);
    EXPECT_EQ(flag_->figures().candidates, 0u);
}

TEST_F(WorkerFlagTest, a_small_sample_is_never_the_first) {
    open();
    set(1, 1);
    know(WorkKnown::at_work, 1);
    EXPECT_EQ(flag_->sample(witness_, SampleSize::small), Status::not_started);
    EXPECT_EQ(flag_->sample(witness_, SampleSize::any), Status::ok);
    EXPECT_EQ(flag_->sample(witness_, SampleSize::small), Status::ok);
}

TEST_F(WorkerFlagTest, a_later_sample_that_took_too_long_does_not_count_either) {
    constexpr std::uint64_t kLimitNs = 20'000'000;  // the first sample, which is given more, takes some microseconds here
    ASSERT_EQ(flag_->open(reader_, at(0), at(16384), kLimitNs), Status::ok);
    ASSERT_EQ(work(1), Status::ok);
    know(WorkKnown::at_work, 1);
    const int first = witness_.looks + 1;
    witness_.before_look = [first, &look_began_ns = look_began_ns_](int look) {
        if (look == first) {
            look_began_ns = tierup::os::monotonic_now_ns();
            return;
        }
        while (tierup::os::monotonic_now_ns() - look_began_ns < 2 * kLimitNs) {
        }
    };
    EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    EXPECT_EQ(flag_->figures().samples, 1u);
}

TEST_F(WorkerFlagTest, one_contradiction_is_doubt_and_two_disable) {
    locate();
    EXPECT_EQ(contradict(10), Status::ok);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
    EXPECT_EQ(contradict(10), Status::ok);
    EXPECT_EQ(flag_->figures().contradictions, 1u) << "the same moment";
    EXPECT_EQ(work(11), Status::ok);
    EXPECT_EQ(rest(), Status::ok);
    EXPECT_EQ(flag_->read(), WorkerReading::at_rest);
    EXPECT_EQ(contradict(12), Status::ok);
    EXPECT_EQ(flag_->figures().contradictions, 2u);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
    EXPECT_EQ(work(13), Status::unsupported);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
    EXPECT_NE(std::string(flag_->figures().reason).find("twice"), std::string::npos);
}

TEST_F(WorkerFlagTest, a_flag_that_is_set_a_moment_after_the_work_is_seen_is_no_contradiction) {
    locate();
    set(1, 0);
    know(WorkKnown::at_work, 10);
    const int first = witness_.looks + 1;
    witness_.before_look = [this, first](int look) {
        if (look == first + 2) {
            set(1, 1);
        }
    };
    EXPECT_EQ(flag_->sample(witness_), Status::ok);
    EXPECT_EQ(flag_->figures().contradictions, 0u);
    EXPECT_EQ(flag_->read(), WorkerReading::at_work);
}

TEST_F(WorkerFlagTest, work_that_ended_while_it_was_checked_is_no_contradiction) {
    locate();
    set(1, 0);
    know(WorkKnown::at_work, 10);
    const int first = witness_.looks + 1;
    witness_.before_look = [this, first](int look) {
        if (look == first + 1) {
            witness_.knowledge = {WorkKnown::at_rest, 0};
        }
    };
    EXPECT_EQ(flag_->sample(witness_), Status::unknown);
    EXPECT_EQ(flag_->figures().contradictions, 0u);
    EXPECT_EQ(flag_->read(), WorkerReading::at_rest);
}

TEST_F(WorkerFlagTest, data_that_can_never_be_read_disables_after_a_bounded_number_of_attempts) {
    const tierup::memory::testing::BufferReader nothing;
    ASSERT_EQ(flag_->open(nothing, at(0), at(16384), kNoLimit), Status::ok);
    Status status = Status::faulted;
    int attempts = 0;
    for (; status == Status::faulted && attempts < 100; ++attempts) {
        status = work(1);
    }
    EXPECT_EQ(status, Status::unsupported);
    EXPECT_EQ(attempts, 17);
    EXPECT_EQ(flag_->read(), WorkerReading::not_known);
}

TEST_F(WorkerFlagTest, a_range_that_is_no_data_is_refused) {
    EXPECT_EQ(flag_->open(reader_, Address(), at(1)), Status::invalid_argument);
    EXPECT_EQ(flag_->open(reader_, at(1), at(1)), Status::invalid_argument);
    EXPECT_EQ(flag_->open(reader_, at(0), at(0).plus(0x1000'0000)), Status::invalid_argument);
    open();
    EXPECT_EQ(flag_->open(reader_, at(0), at(16384)), Status::invalid_argument) << "once";
}

TEST_F(WorkerFlagTest, threads_that_sample_and_read_at_once_never_see_rest_at_work) {
    locate();
    set(1, 1);
    know(WorkKnown::at_work, 99);
    std::array<std::thread, 4> threads;
    std::array<int, 4> rests{};
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread([this, &rests, i] {
            Witness witness;
            witness.knowledge = {WorkKnown::at_work, 99};
            for (int k = 0; k < 2000; ++k) {
                (void)flag_->sample(witness, SampleSize::small);
                rests[i] += flag_->read() == WorkerReading::at_rest ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(rests, (std::array<int, 4>{}));
    EXPECT_EQ(flag_->figures().contradictions, 0u);
}

}  // namespace
