// Iterations in steady state: however few launches a run shows, and whatever is taken away from the host, an iteration
// takes the device work launched in it.
#include "algo/replay/change.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/testing/report_builder.hpp"
#include "replay_simulator.hpp"
#include "support/test.hpp"

namespace assay::replay::replay_steady_test {

using namespace simulated;
using testing::ReportBuilder;

/// Micro-benchmarks and trimmed traces: iterations of `kernels` launches each.
struct Shape {
  std::int64_t iterations = 1, kernels = 20, streams = 1;
  std::int64_t code = 195'000, length = 175'000;  ///< ns between launches, and of a kernel
  enum { kNever, kAtTheEnd, kEachIteration } sync = kNever;
};

Program program_of(const Shape& shape) {
  Program program;
  for (std::int64_t i = 0; i < shape.iterations; ++i) {
    program.push_back({Step::kIteration});
    for (std::int64_t k = 0; k < shape.kernels; ++k) {
      program.push_back({Step::kCode, 0, shape.code});
      // Not all alike: that each counts is to be seen.
      program.push_back({Step::kKernel, 5'000, shape.length + 10 * k, static_cast<std::int32_t>(7 + k % shape.streams),
                         static_cast<std::int32_t>(k % 2)});
    }
    if (shape.sync == Shape::kEachIteration) program.push_back({Step::kDeviceSync});
  }
  if (shape.sync == Shape::kAtTheEnd) program.push_back({Step::kDeviceSync});
  program.push_back({Step::kIteration});
  return program;
}

/// Of each iteration the union of what its calls launched, from the report alone.
std::vector<std::int64_t> device_work(const Report& report) {
  const std::vector<std::int64_t> starts(report.iterations->start.begin(), report.iterations->start.end());
  std::vector<Intervals> work(starts.size() - 1);
  for (std::size_t k = 0; k < report.kernels->rows; ++k) {
    const std::int64_t at = report.calls->start[report.kernels->call[k]];
    const auto i = static_cast<std::size_t>(std::ranges::upper_bound(starts, at) - starts.begin());
    if (i > 0 && i < starts.size()) work[i - 1].push_back({report.kernels->start[k], report.kernels->end[k]});
  }
  std::vector<std::int64_t> out;
  for (const Intervals& one : work) out.push_back(measure(merge(one)));
  return out;
}

std::vector<std::int64_t> steady(const Graph& graph) { return steady_iterations(graph, run(graph)).lengths; }

void expect_no_less(const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& work, const char* what) {
  ASSERT_EQ(lengths.size(), work.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) EXPECT_GE(lengths[i], work[i]) << what << ", iteration " << i;
}

TEST(SteadyIterations, AreAtLeastAsLongAsTheirDeviceWork) {
  const NameRules none(std::span<const Str>{});
  std::size_t tried = 0;
  for (const std::int64_t launches : {1, 2, 20, 90, 900, 1200, 5000}) {
    for (const std::int64_t kernels : {1, 20, 400}) {
      if (launches % kernels != 0) continue;
      for (const std::int64_t streams : {1, 2, 3, 4}) {
        for (const auto sync : {Shape::kNever, Shape::kAtTheEnd, Shape::kEachIteration}) {
          for (const std::int64_t code : {1'000, 195'000}) {
            const Shape shape{launches / kernels, kernels, streams, code, 175'000, sync};
            SCOPED_TRACE(::testing::Message() << launches << " launches, " << kernels << " each, " << streams
                                              << " streams, sync " << sync << ", code " << code);
            ReportBuilder builder;
            Simulator(program_of(shape), true, &builder).run();
            const Report& report = builder.build();
            const Graph graph = build(report);
            const std::vector<std::int64_t> work = device_work(report);
            expect_no_less(steady(graph), work, "as it is");
            expect_no_less(steady(with_launch_cost(graph, 0)), work, "launches for nothing");
            expect_no_less(steady(without_waits(report, graph)), work, "without waits");
            expect_no_less(steady(without_host_code(graph)), work, "without host code");
            Selector half;
            half.pattern = "k*";
            std::vector<std::int64_t> halves = work;
            for (std::int64_t& one : halves) one = one / 2 - kernels;  // each kernel is rounded
            const Graph faster = scaled(with_launch_cost(graph, 0), select(report, graph, half, none), 0.5, false);
            expect_no_less(steady(faster), halves, "kernels in half the time");
            ++tried;
          }
        }
      }
    }
  }
  EXPECT_EQ(tried, 12U * 4 * 3 * 2);
}

// 20 kernels a step on one stream, a launch every 200 us: without launch cost the kernels are left, and nothing else.
TEST(SteadyIterations, AreTheKernelsOfShortTraces) {
  ReportBuilder builder;
  Simulator(program_of({.iterations = 12}), true, &builder).run();
  const Graph graph = build(builder.build());
  EXPECT_EQ(steady(graph), std::vector<std::int64_t>(12, 4'000'000));
  const std::int64_t kernels = 20 * 175'000 + 10 * 190;
  const SteadyIterations changed = steady_iterations(with_launch_cost(graph, 0), run(with_launch_cost(graph, 0)));
  EXPECT_EQ(changed.lengths, std::vector<std::int64_t>(12, kernels));
  EXPECT_EQ(changed.on_path[static_cast<std::size_t>(Part::kKernel)], 12.0 * static_cast<double>(kernels));
  EXPECT_NEAR(gain_share(steady(graph), changed.lengths), 1 - static_cast<double>(kernels) / 4e6, 1e-12);
}

// The host waits in every fourth iteration only, and runs ahead in the others: on the mean an iteration takes the same.
TEST(SteadyIterations, AreNotLongerWhereTheHostWaitsNowAndThen) {
  Program program;
  for (int i = 0; i < 40; ++i) {
    program.push_back({Step::kIteration});
    for (int k = 0; k < 10; ++k) program.push_back({Step::kKernel, 5'000, 100'000, 7});
    if (i % 4 == 3) program.push_back({Step::kDeviceSync});
  }
  program.push_back({Step::kIteration});
  ReportBuilder builder;
  Simulator as_it_was(program, true, &builder);
  as_it_was.run();
  const std::vector<std::int64_t> lengths = steady(build(builder.build()));
  const std::vector<std::int64_t> seen = as_it_was.lengths();
  const std::int64_t all = std::accumulate(seen.begin(), seen.end(), std::int64_t{0});
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), all);
  EXPECT_NEAR(static_cast<double>(lengths[17]), 1'000'000, 20'000);
}

// Kernels of a graph follow each other at once: where the device decides, the way from one to the next is gained.
TEST(SteadyIterations, LaunchLatencyBetweenKernelsGoesWithTheLaunches) {
  Program program{{Step::kKernel, 2'000, 20'000, 7}, {Step::kKernel, 2'000, 100, 7}, {Step::kStreamSync, 0, 0, 7}};
  for (int i = 0; i < 5; ++i) {
    program.push_back({Step::kIteration});
    for (int k = 0; k < 10; ++k) {
      program.push_back({Step::kCode, 0, 1'000});
      program.push_back({Step::kKernel, 2'000, 50'000, 7});
    }
    program.push_back({Step::kDeviceSync});
  }
  program.push_back({Step::kIteration});
  ReportBuilder builder;
  Simulator(program, true, &builder).run();
  const Graph graph = build(builder.build());
  // Code and call of the first launch, its latency, the kernels with nine ways between them, the way back.
  EXPECT_EQ(steady(graph), std::vector<std::int64_t>(5, 3'000 + kLaunch + 500'000 + 9 * kDispatch + kWake));
  EXPECT_EQ(steady(with_launch_cost(graph, 0)), std::vector<std::int64_t>(5, kLaunch + 500'000 + kWake));
}

TEST(Changes, AffectHostCodeAndLaunchesOnlyInTheirRanges) {
  ReportBuilder builder;
  std::int64_t at = 0;
  const auto launch = [&] {
    at += 10'000;
    const Row call = builder.call(CallKind::kKernelLaunch, at, at + 5'000);
    builder.kernel("k", at + 8'000, at + 9'000, {.call = call});
    at += 5'000;
  };
  for (int i = 0; i < 4; ++i) {
    builder.iteration(i, at, at + 1);
    for (const char* name : {"data", "model"}) {
      const std::int64_t from = at;
      launch();
      launch();
      builder.range(name, from, at);
    }
    at += 10'000;
    const Row call = builder.call(CallKind::kKernelLaunch, at, at + 5'000);
    builder.kernel("end", at + 8'000, at + 18'000, {.call = call});
    builder.call(CallKind::kDeviceSync, at + 5'000, at + 19'000);
    at += 19'000;
  }
  const Report& report = builder.build();
  const Graph graph = build(report);
  const NameRules none(std::span<const Str>{});
  const auto of = [&](Target target, const char* pattern) {
    Selector what;
    what.target = target;
    what.pattern = pattern;
    return select(report, graph, what, none);
  };
  const std::vector<std::int64_t> base = steady(graph);
  EXPECT_EQ(base.front(), 89'000);
  const Selection host = of(Target::kHost, "data"), calls = of(Target::kLaunch, "data"),
                  data = of(Target::kRange, "data");
  EXPECT_EQ(host.work_count, 0U);
  EXPECT_EQ(data.work_count, 8U);
  EXPECT_EQ(data.last.size(), 4U);
  EXPECT_EQ(base.front() - steady(scaled(graph, host, 0, true)).front(), 30'000) << "its code and calls";
  EXPECT_EQ(base.front() - steady(with_launch_cost(graph, 0, &calls)).front(), 30'000) << "of two launches of five";
  const Graph more = with_added_work(graph, of(Target::kRange, "model"), 500'000);
  // Its call takes 5 us more, and what comes next on the stream waits for it.
  EXPECT_EQ(steady(more).front(), 65'000 + 3'000 + 501'000 + 10'000 + 1'000);
}

}  // namespace assay::replay::replay_steady_test
