// What     The kernel-checked doors on good and on bad addresses: the same answers from both, and never a crash.
#include "memory/kernel_reader.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mapped_pages.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::memory::Door;
using tierup::memory::KernelReader;
using tierup::testing::MappedPages;

class KernelReaderTest : public ::testing::TestWithParam<Door> {
protected:
    void SetUp() override {
        const Status status = reader_.open(GetParam());
        if (status != Status::ok) {
            GTEST_SKIP() << "this machine refuses the door";
        }
    }
    void TearDown() override { reader_.close(); }

    Status read(Address from, std::size_t bytes) {
        bytes_.resize(bytes);
        return reader_.try_read(from, bytes_.data(), bytes);
    }

    KernelReader reader_;
    std::vector<std::uint8_t> bytes_;
};

INSTANTIATE_TEST_SUITE_P(EachDoor, KernelReaderTest, ::testing::Values(Door::process_vm_readv, Door::pipe),
                         [](const auto& door) { return door.param == Door::pipe ? "pipe" : "process_vm_readv"; });

TEST_P(KernelReaderTest, names_its_door) {
    EXPECT_STREQ(reader_.door_name(), GetParam() == Door::pipe ? "pipe" : "process_vm_readv");
}

TEST_P(KernelReaderTest, copies_what_is_there_across_many_pages_from_any_offset) {
    MappedPages pages(20);
    for (std::size_t i = 0; i < 20 * MappedPages::page_bytes(); ++i) {
        pages.page(0)[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
    }
    for (const std::size_t offset : {0u, 1u, 4095u, 4096u, 5000u}) {
        const std::size_t bytes = 15 * MappedPages::page_bytes() + offset % 3;
        ASSERT_EQ(read(pages.address(0).plus(static_cast<std::int64_t>(offset)), bytes), Status::ok);
        EXPECT_EQ(std::memcmp(bytes_.data(), pages.page(0) + offset, bytes), 0) << offset;
    }
}

TEST_P(KernelReaderTest, zero_bytes_are_always_there) {
    EXPECT_EQ(reader_.try_read(Address(), nullptr, 0), Status::ok);
}

TEST_P(KernelReaderTest, addresses_that_no_process_can_read_fault) {
    for (const std::uint64_t at :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7FF}, std::uint64_t{1} << 63, std::uint64_t{0x8000'0000'0000},
          std::uint64_t{0xFFFF'8000'0000'0000}, std::uint64_t{0xFFFF'FFFF'FFFF'FFF8}}) {
        EXPECT_EQ(read(Address(at), 1), Status::faulted) << std::hex << at;
        EXPECT_EQ(read(Address(at), 8), Status::faulted) << std::hex << at;
        EXPECT_EQ(read(Address(at), 40), Status::faulted) << std::hex << at;
    }
}

TEST_P(KernelReaderTest, unmapped_and_forbidden_pages_fault_and_so_does_a_range_that_reaches_into_one) {
    MappedPages pages(5);
    pages.unmap(1);
    pages.forbid(3);
    const auto end = static_cast<std::int64_t>(MappedPages::page_bytes());
    for (const std::size_t good : {0u, 2u}) {
        EXPECT_EQ(read(pages.address(good + 1), 1), Status::faulted);
        EXPECT_EQ(read(pages.address(good).plus(end - 8), 8), Status::ok);
        EXPECT_EQ(read(pages.address(good).plus(end - 8), 9), Status::faulted);
        EXPECT_EQ(read(pages.address(good).plus(end - 1), 8), Status::faulted);
        EXPECT_EQ(read(pages.address(good + 1).plus(end - 1), 2), Status::faulted);
    }
}

TEST_P(KernelReaderTest, a_fault_leaves_nothing_behind_that_a_later_read_would_see) {
    MappedPages pages(2);
    pages.unmap(1);
    std::memset(pages.page(0), 0xAA, MappedPages::page_bytes());
    const std::array<std::uint8_t, 16> good = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(read(pages.address(1).plus(-100), 200), Status::faulted);
        ASSERT_EQ(read(Address(reinterpret_cast<std::uint64_t>(good.data())), good.size()), Status::ok);
        ASSERT_EQ(std::memcmp(bytes_.data(), good.data(), good.size()), 0);
    }
}

TEST_P(KernelReaderTest, sizes_that_no_memory_has_fault_before_a_byte_is_copied) {
    const std::uint8_t source = 1;
    std::uint8_t target = 77;
    const Address at(reinterpret_cast<std::uint64_t>(&source));
    EXPECT_EQ(reader_.try_read(at, &target, SIZE_MAX), Status::faulted);
    EXPECT_EQ(reader_.try_read(at, &target, SIZE_MAX / 2 + 1), Status::faulted);
    EXPECT_EQ(reader_.try_read(Address(UINT64_MAX - 7), &target, 16), Status::faulted);
    EXPECT_EQ(target, 77);
}

TEST_P(KernelReaderTest, concurrent_readers_get_their_own_bytes) {
    constexpr int kThreads = 4;
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            std::vector<std::uint8_t> source(6000, static_cast<std::uint8_t>(t + 1));
            std::vector<std::uint8_t> target(source.size());
            for (int i = 0; i < 300; ++i) {
                const bool is_good = i % 2 == 0;
                const Address at = is_good ? Address(reinterpret_cast<std::uint64_t>(source.data())) : Address(std::uint64_t{1} << 63);
                const Status status = reader_.try_read(at, target.data(), target.size());
                wrong += status != (is_good ? Status::ok : Status::faulted) || (is_good && target != source) ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

TEST(KernelReader, is_closed_until_opened_and_after_close) {
    KernelReader reader;
    const int source = 1;
    int target = 0;
    const Address at(reinterpret_cast<std::uint64_t>(&source));
    EXPECT_EQ(reader.try_read_value(at, target), Status::unsupported);
    EXPECT_STREQ(reader.door_name(), "none");
    ASSERT_EQ(reader.open(), Status::ok);
    EXPECT_EQ(reader.try_read_value(at, target), Status::ok);
    reader.close();
    EXPECT_EQ(reader.try_read_value(at, target), Status::unsupported);
    EXPECT_EQ(reader.open(Door::none), Status::ok);
    EXPECT_EQ(reader.try_read_value(at, target), Status::unsupported);
}

/// From now on this process's calls of `refused` fail with `error`, as under a container's seccomp profile.
bool refuse_system_calls(std::initializer_list<unsigned> refused, unsigned error) {
    std::vector<sock_filter> filter = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const unsigned number : refused) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int kGood = 0;
constexpr int kBad = 1;
constexpr int kNoSeccomp = 2;

/// In a child process, whose filter ends with it.
template <typename Body>
int exit_code_with_refused(std::initializer_list<unsigned> refused, unsigned error, Body body) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(!refuse_system_calls(refused, error) ? kNoSeccomp : body() ? kGood : kBad);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : kBad;
}

TEST(KernelReader, takes_the_pipe_where_the_system_refuses_process_vm_readv) {
    for (const unsigned error : {unsigned{EPERM}, unsigned{ENOSYS}}) {
        const int code = exit_code_with_refused({SYS_process_vm_readv}, error, [] {
            KernelReader reader;
            const int source = 5;
            int target = 0;
            return reader.open(Door::process_vm_readv) == Status::unsupported && reader.open() == Status::ok &&
                   reader.door() == Door::pipe &&
                   reader.try_read_value(Address(reinterpret_cast<std::uint64_t>(&source)), target) == Status::ok && target == 5 &&
                   reader.try_read_value(Address(), target) == Status::faulted;
        });
        if (code == kNoSeccomp) {
            GTEST_SKIP() << "this machine allows no seccomp filter";
        }
        EXPECT_EQ(code, kGood) << error;
    }
}

TEST(KernelReader, has_no_door_where_both_are_refused) {
    const int code = exit_code_with_refused({SYS_process_vm_readv, SYS_pipe2}, EPERM, [] {
        KernelReader reader;
        int target = 0;
        return reader.open() == Status::unsupported && std::strcmp(reader.door_name(), "none") == 0 &&
               reader.try_read_value(Address(reinterpret_cast<std::uint64_t>(&target)), target) == Status::unsupported;
    });
    if (code == kNoSeccomp) {
        GTEST_SKIP() << "this machine allows no seccomp filter";
    }
    EXPECT_EQ(code, kGood);
}

TEST(KernelReader, opens_some_door_by_itself_and_the_first_that_works) {
    KernelReader first;
    KernelReader any;
    ASSERT_EQ(any.open(), Status::ok);
    if (first.open(Door::process_vm_readv) == Status::ok) {
        EXPECT_EQ(any.door(), Door::process_vm_readv);
    } else {
        EXPECT_EQ(any.door(), Door::pipe);
    }
    any.close();
    first.close();
}

}  // namespace
