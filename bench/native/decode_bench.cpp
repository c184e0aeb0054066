// What     The matcher over each shape, and over code that no row knows.
// What not Copies nothing: the window is in the cache.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "decode/match.h"
#include "stub_scene.h"

namespace {

using tierup::Address;
namespace decode = tierup::decode;

void match(benchmark::State& state, Address at, decode::Shape expected) {
    std::uint8_t window[decode::kWindowBytes];
    std::memcpy(window, reinterpret_cast<const void*>(at.value()), sizeof window);
    if (decode::match_stub(decode::Architecture::x64, at, window).shape != expected) {
        state.SkipWithError("the window is not what the bench's name says");
        return;
    }
    for (auto turn : state) {
        (void)turn;
        benchmark::DoNotOptimize(window);
        benchmark::DoNotOptimize(decode::match_stub(decode::Architecture::x64, at, window));
    }
}

void match_fixup_precode(benchmark::State& state) {
    const tierup::bench::StubScene scene;
    match(state, scene.entry_point(), decode::Shape::fixup_precode);
}

void match_call_counting_stub(benchmark::State& state) {
    const tierup::bench::StubScene scene;
    match(state, scene.stub(), decode::Shape::call_counting_stub);
}

void match_unknown_code(benchmark::State& state) {
    const tierup::bench::StubScene scene;
    match(state, scene.code(), decode::Shape::unknown);
}

BENCHMARK(match_fixup_precode);
BENCHMARK(match_call_counting_stub);
BENCHMARK(match_unknown_code);

}  // namespace
