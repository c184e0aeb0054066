// What     The kernel-checked door: copies of a slot, a window and a page, by process_vm_readv and by the pipe.
// What not Bad addresses are the tests' matter.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "decode/shape.h"
#include "memory/kernel_reader.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::memory::Door;
using tierup::memory::KernelReader;

constexpr std::size_t kPageBytes = 4096;

void copy(benchmark::State& state, Door door) {
    static const std::uint8_t source[kPageBytes] = {1};
    std::uint8_t target[kPageBytes];
    const auto bytes = static_cast<std::size_t>(state.range(0));
    KernelReader reader;
    if (reader.open(door) != Status::ok) {
        state.SkipWithError("this door does not open here");
        return;
    }
    for (auto turn : state) {
        (void)turn;
        benchmark::DoNotOptimize(reader.try_read(Address(reinterpret_cast<std::uint64_t>(source)), target, bytes));
    }
    reader.close();
}

void copy_by_process_vm_readv(benchmark::State& state) {
    copy(state, Door::process_vm_readv);
}
void copy_by_pipe(benchmark::State& state) {
    copy(state, Door::pipe);
}

BENCHMARK(copy_by_process_vm_readv)->Arg(sizeof(std::uint64_t))->Arg(tierup::decode::kWindowBytes)->Arg(kPageBytes);
BENCHMARK(copy_by_pipe)->Arg(sizeof(std::uint64_t))->Arg(tierup::decode::kWindowBytes)->Arg(kPageBytes);

}  // namespace
