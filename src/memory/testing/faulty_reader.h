// What     A reader for tests: passes reads on, fails the chosen one, counts them all, and can change memory underfoot.
// What not Decides nothing about content; not in the shipped library.
// Threads  One at a time.
// Failure  The status the test chose, for the read it chose. `was_fault_reached` says whether that read ever came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "memory/reader.h"

namespace tierup::memory::testing {

class FaultyReader final : public Reader {
public:
    static constexpr std::uint64_t kNever = 0;

    explicit FaultyReader(const Reader& inner) : inner_(inner) {}

    /// Reads are numbered from 1 since construction or the last reset.
    void fail_read(std::uint64_t number, Status with = Status::faulted) {
        failing_read_ = number;
        failure_ = with;
    }
    /// From that read on every read fails, as after an unload.
    void fail_from(std::uint64_t number, Status with = Status::faulted) {
        fail_read(number, with);
        does_failure_last_ = true;
    }
    /// Runs before each read, with its number; it may change what the inner reader serves.
    void before_read(std::function<void(std::uint64_t number, Address from, std::size_t bytes)> hook) { hook_ = std::move(hook); }

    void reset() {
        read_count_ = 0;
        failing_read_ = kNever;
        does_failure_last_ = false;
        was_fault_reached_ = false;
    }

    [[nodiscard]] std::uint64_t read_count() const { return read_count_; }
    [[nodiscard]] bool was_fault_reached() const { return was_fault_reached_; }

    [[nodiscard]] Status try_read(Address from, void* to, std::size_t bytes) const noexcept override {
        const std::uint64_t number = ++read_count_;
        if (hook_) {
            hook_(number, from, bytes);
        }
        if (failing_read_ != kNever && (number == failing_read_ || (does_failure_last_ && number > failing_read_))) {
            was_fault_reached_ = true;
            return failure_;
        }
        return inner_.try_read(from, to, bytes);
    }

private:
    const Reader& inner_;
    std::function<void(std::uint64_t, Address, std::size_t)> hook_;
    std::uint64_t failing_read_ = kNever;
    Status failure_ = Status::faulted;
    bool does_failure_last_ = false;
    mutable std::uint64_t read_count_ = 0;
    mutable bool was_fault_reached_ = false;
};

}  // namespace tierup::memory::testing
