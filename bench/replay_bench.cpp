// Replays of runs of 10^4 to 10^6 kernels, beside a copy of as many bytes as their graph has: building it, replaying
// it, its critical path, and a change. Times of all but the copy should grow as the rows do.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include "algo/replay/change.hpp"
#include "algo/replay/path.hpp"
#include "assay/testing/report_builder.hpp"
#include "done.hpp"

namespace {

using namespace assay;

/// Iterations of 1,000 launches on two streams and a wait.
struct ReplayInput {
  explicit ReplayInput(std::int64_t kernels) {
    std::int64_t host = 0, device[2] = {0, 0};
    for (std::int64_t k = 0; k < kernels; ++k) {
      if (k % 1000 == 0) builder.iteration(k / 1000, host, host + 1);
      const Row call = builder.call(CallKind::kKernelLaunch, host + 1'000, host + 3'000);
      host += 3'000;
      std::int64_t& stream = device[k % 2];
      stream = std::max(stream + 1'000, host + 4'000);
      builder.kernel("k" + std::to_string(k % 40), stream, stream + 4'000 + k % 7 * 500,
                     {.stream = 7 + static_cast<std::int32_t>(k % 2), .call = call});
      stream += 4'000 + k % 7 * 500;
      if (k % 1000 != 999) continue;
      const std::int64_t end = std::max(device[0], device[1]) + 1'000;
      const Row wait = builder.call(CallKind::kDeviceSync, host + 500, std::max(end, host + 2'500));
      builder.sync(4, host + 500, std::max(end, host + 2'500), {.stream = kNone, .call = wait});
      host = std::max(end, host + 2'500);
    }
    report = &builder.build();
    graph = replay::build(*report);
    base = replay::run(graph);
  }
  testing::ReportBuilder builder;
  const Report* report = nullptr;
  replay::Graph graph;
  replay::ReplayTimes base;
};

const ReplayInput& made(const benchmark::State& state) {
  static std::map<std::int64_t, std::unique_ptr<ReplayInput>> known;
  std::unique_ptr<ReplayInput>& one = known[state.range(0)];
  if (!one) one = std::make_unique<ReplayInput>(state.range(0));
  return *one;
}

void set_rate(benchmark::State& state) {
  state.SetItemsProcessed(done(state, static_cast<std::size_t>(state.range(0))));
  state.SetComplexityN(state.range(0));
}

void yardstick_memcpy(benchmark::State& state) {
  const replay::Graph& graph = made(state).graph;
  std::vector<replay::Edge> copy(graph.edges.size());
  for (auto _ : state) {
    std::memcpy(copy.data(), graph.edges.data(), graph.edges.size() * sizeof(replay::Edge));
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  set_rate(state);
}

void build(benchmark::State& state) {
  const ReplayInput& run = made(state);
  for (auto _ : state) benchmark::DoNotOptimize(replay::build(*run.report));
  set_rate(state);
}

void replay_it(benchmark::State& state) {
  const ReplayInput& run = made(state);
  for (auto _ : state) benchmark::DoNotOptimize(replay::run(run.graph));
  set_rate(state);
}

void split_by_kernel(benchmark::State& state) {
  const ReplayInput& run = made(state);
  const NameRules none(std::span<const Str>{});
  for (auto _ : state)
    benchmark::DoNotOptimize(replay::split_path(*run.report, run.graph, run.base, replay::PathGrouping::kKernel, none));
  set_rate(state);
}

void scale_a_kernel(benchmark::State& state) {
  const ReplayInput& run = made(state);
  const NameRules none(std::span<const Str>{});
  replay::Selector selector;
  selector.pattern = "k7";
  for (auto _ : state) {
    const replay::Selection what = replay::select(*run.report, run.graph, selector, none);
    benchmark::DoNotOptimize(replay::run(replay::scaled(run.graph, what, 0.5, false)));
  }
  set_rate(state);
}

#define SIZES \
  RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond)->MinWarmUpTime(1)->Complexity()
BENCHMARK(yardstick_memcpy)->SIZES;
BENCHMARK(build)->SIZES;
BENCHMARK(replay_it)->SIZES;
BENCHMARK(split_by_kernel)->SIZES;
BENCHMARK(scale_a_kernel)->SIZES;

}  // namespace

int main(int argc, char** argv) {
  // Else the largest arrays are new pages each time, and growth is that of page faults.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
