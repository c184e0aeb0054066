// What     The walk by both of memory's doors, the poll, and a waiter's evaluation of a counting method (the dispatcher's each round).
// What not No DAC, no sleep: the method is counting, so memory alone answers.
#include <benchmark/benchmark.h>

#include "clr/data_access.h"
#include "memory/kernel_reader.h"
#include "runtime/entry_walk.h"
#include "runtime/loads.h"
#include "runtime/method_probe.h"
#include "runtime/method_record.h"
#include "runtime/method_table.h"
#include "runtime/method_view.h"
#include "stub_scene.h"
#include "watch/clock.h"

namespace {

using tierup::Address;
using tierup::Status;
using tierup::bench::StubScene;
namespace rt = tierup::runtime;

constexpr rt::WalkPlace kPlace{.architecture = tierup::decode::Architecture::x64, .runtime_image = {}};

void walk_counting_by_plain_loads(benchmark::State& state) {
    const StubScene scene;
    for (auto turn : state) {
        (void)turn;
        const rt::EntryState entry = rt::walk_entry(rt::PlainLoads{}, kPlace, {.entry_point = scene.entry_point()}, Address());
        if (entry.remaining_calls != StubScene::kRemaining) {
            state.SkipWithError("the walk did not reach the cell");
            return;
        }
    }
}

void walk_code_by_plain_loads(benchmark::State& state) {
    StubScene scene;
    scene.run_directly();
    for (auto turn : state) {
        (void)turn;
        benchmark::DoNotOptimize(rt::walk_entry(rt::PlainLoads{}, kPlace, {.entry_point = scene.entry_point()}, scene.code()));
    }
}

void walk_counting_by_checked_copies(benchmark::State& state) {
    const StubScene scene;
    tierup::memory::KernelReader reader;
    if (reader.open() != Status::ok) {
        state.SkipWithError("no door opens here");
        return;
    }
    for (auto turn : state) {
        (void)turn;
        benchmark::DoNotOptimize(rt::walk_entry(rt::CheckedLoads{reader}, kPlace, {.entry_point = scene.entry_point()}, Address()));
    }
    reader.close();
}

/// A method view over the scene, with a real reader and no DAC.
struct View {
    tierup::memory::KernelReader reader;
    tierup::clr::DataAccess data_access;
    rt::Settings settings;
    tierup::watch::SystemClock clock;
    rt::WorkerThreadWatch worker;
    rt::CountedCell counted_cell;
    rt::MethodView view{reader, data_access, settings, kPlace, {worker, counted_cell}};
    rt::MethodProbe probe{view, clock};
};

void poll_counting(benchmark::State& state) {
    const StubScene scene;
    View view;
    rt::MethodTable methods;
    const std::uint64_t method = scene.method().value();
    if (methods.insert(method, {.real_method = scene.method(), .start = {.entry_point = scene.entry_point()}}) != Status::ok) {
        state.SkipWithError("the method could not be registered");
        return;
    }
    for (auto turn : state) {
        (void)turn;
        const rt::Answer answer = rt::unpack(view.view.poll(*methods.find(method)));
        if (answer.remaining_calls != StubScene::kRemaining) {
            state.SkipWithError("the poll did not see the count");
            return;
        }
    }
}

void evaluate_counting(benchmark::State& state) {
    const StubScene scene;
    View view;
    rt::MethodRecord record;
    record.real_method = scene.method();
    record.start = {.entry_point = scene.entry_point()};
    if (view.reader.open() != Status::ok) {
        state.SkipWithError("no door opens here");
        return;
    }
    const auto subject = reinterpret_cast<std::uint64_t>(&record);
    for (auto turn : state) {
        (void)turn;
        const auto evaluation = view.probe.evaluate(subject, static_cast<std::uint32_t>(rt::Condition::final_or_counting));
        if (evaluation.verdict != tierup::watch::Verdict::satisfied) {
            state.SkipWithError("a counting method is ready");
            return;
        }
    }
    view.reader.close();
}

BENCHMARK(walk_counting_by_plain_loads);
BENCHMARK(walk_code_by_plain_loads);
BENCHMARK(walk_counting_by_checked_copies);
BENCHMARK(poll_counting);
BENCHMARK(evaluate_counting);

}  // namespace
