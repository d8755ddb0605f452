// The algorithms against yardsticks in the same binary: what a memory pass, a copy or a sort of the same data costs on
// this machine at this moment. The ratio of the two is the figure to watch, not the time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>

#include "assay/algo/intervals.hpp"
#include "assay/algo/stats.hpp"
#include "done.hpp"

namespace {

using namespace assay;

/// A million launches of three streams: sorted by start, some overlapping, as a kernel table is.
Intervals launches(std::size_t rows) {
  Random random("launches");
  Intervals out(rows);
  std::int64_t time = 0;
  for (Interval& i : out) {
    time += static_cast<std::int64_t>(random.index(4000));
    i = {time, time + 500 + static_cast<std::int64_t>(random.index(6000))};
  }
  return out;
}

Intervals shuffled(Intervals rows) {
  Random random("shuffle");
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.index(i)]);
  return rows;
}

std::vector<double> iterations(std::size_t n, std::string_view seed) {
  Random random(seed);
  std::vector<double> out(n);
  for (double& v : out) v = 100 * std::exp(0.05 * random.normal());
  return out;
}

void set_rate(benchmark::State& state, std::size_t rows) { state.SetItemsProcessed(done(state, rows)); }

void yardstick_memcpy(benchmark::State& state) {
  const Intervals rows = launches(static_cast<std::size_t>(state.range(0)));
  Intervals copy(rows.size());
  for (auto _ : state) {
    std::memcpy(copy.data(), rows.data(), rows.size() * sizeof(Interval));
    benchmark::DoNotOptimize(copy.data());
    benchmark::ClobberMemory();
  }
  set_rate(state, rows.size());
}
BENCHMARK(yardstick_memcpy)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void union_sweep(benchmark::State& state) {
  const Intervals rows = launches(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    UnionMeasure u;
    for (const Interval& i : rows) u.add(i.start, i.end);
    benchmark::DoNotOptimize(u.total());
  }
  set_rate(state, rows.size());
}
BENCHMARK(union_sweep)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void merge_sorted(benchmark::State& state) {
  const Intervals rows = launches(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(merge(rows));
  set_rate(state, rows.size());
}
BENCHMARK(merge_sorted)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void yardstick_sort(benchmark::State& state) {
  const Intervals rows = shuffled(launches(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    Intervals copy = rows;
    std::sort(copy.begin(), copy.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
    benchmark::DoNotOptimize(copy.data());
  }
  set_rate(state, rows.size());
}
BENCHMARK(yardstick_sort)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void merge_unsorted(benchmark::State& state) {
  const Intervals rows = shuffled(launches(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(merge(rows));
  set_rate(state, rows.size());
}
BENCHMARK(merge_unsorted)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

/// 2000 times: draw both samples and select their medians, without anything around it.
void yardstick_resampling(benchmark::State& state) {
  const std::vector<double> a = iterations(static_cast<std::size_t>(state.range(0)), "a");
  std::vector<double> scratch(a.size());
  Random random("resampling");
  for (auto _ : state) {
    for (int draw = 0; draw < 2 * 2000; ++draw) {
      for (double& v : scratch) v = a[random.index(a.size())];
      std::nth_element(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(a.size() / 2), scratch.end());
      benchmark::DoNotOptimize(scratch.data());
    }
  }
}
BENCHMARK(yardstick_resampling)->Arg(20)->Arg(200)->Unit(benchmark::kMillisecond);

void bootstrap_log_ratio_of_runs(benchmark::State& state) {
  const std::vector<double> a = iterations(static_cast<std::size_t>(state.range(0)), "a");
  const std::vector<double> b = iterations(a.size(), "b");
  const RunSamples base{a}, treated{b};
  for (auto _ : state) benchmark::DoNotOptimize(bootstrap_log_ratio({&base, 1}, {&treated, 1}, {}));
}
BENCHMARK(bootstrap_log_ratio_of_runs)->Arg(11)->Arg(20)->Arg(200)->Unit(benchmark::kMillisecond);

void hodges_lehmann_exact(benchmark::State& state) {
  const std::vector<double> a = iterations(static_cast<std::size_t>(state.range(0)), "a");
  const std::vector<double> b = iterations(a.size(), "b");
  for (auto _ : state) benchmark::DoNotOptimize(hodges_lehmann_interval(a, b, 0.95));
}
BENCHMARK(hodges_lehmann_exact)->Arg(12)->Arg(19)->Arg(50)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
