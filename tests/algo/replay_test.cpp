// Replays against a simulator: random programs of a host and streams, run, changed and run again.
#include <random>

#include "algo/replay/change.hpp"
#include "assay/testing/report_builder.hpp"
#include "replay_simulator.hpp"
#include "support/test.hpp"

namespace assay::replay::replay_test {

using namespace simulated;
using testing::ReportBuilder;

Program random_program(std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  // A launch on an idle stream, work that is queued, and a wait: a lag that a run never shows cannot be known from it.
  Program program{{Step::kKernel, 2'000, 20'000, 7}, {Step::kKernel, 2'000, 100, 7}, {Step::kStreamSync, 0, 0, 7}};
  const std::int64_t streams = 1 + below(3), scale = below(2) == 0 ? 4'000 : 60'000;
  for (int i = 0; i < 4; ++i) {
    program.push_back({Step::kIteration});
    for (std::int64_t n = 20 + below(40); n-- > 0;) {
      const auto stream = static_cast<std::int32_t>(7 + below(streams));
      const std::int64_t kind = below(12);
      program.push_back({Step::kCode, 0, 500 + below(9'000)});
      if (kind == 0) program.push_back({Step::kStreamSync, 0, 0, stream});
      if (kind == 1) program.push_back({Step::kDeviceSync});
      if (kind == 2) program.push_back({Step::kCopy, 1'000 + below(4'000), 100 + below(scale), stream});
      if (kind > 2)
        program.push_back(
            {Step::kKernel, 1'000 + below(4'000), 100 + below(scale), stream, static_cast<std::int32_t>(below(5))});
    }
  }
  program.push_back({Step::kIteration});
  return program;
}

Selector of(Target target, std::string pattern) {
  Selector out;
  out.target = target;
  out.pattern = std::move(pattern);
  return out;
}

std::int64_t half(std::int64_t length) { return std::llround(static_cast<double>(length) * 0.5); }

std::vector<std::int64_t> replayed(const Graph& graph) { return lengths(graph, run(graph).time); }

std::int64_t length(const Graph& graph) {
  const std::vector<std::int64_t> all = replayed(graph);
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

class RandomPrograms : public ::testing::TestWithParam<int> {};

TEST_P(RandomPrograms, AreReplayedAndPredictedToTheNanosecond) {
  const NameRules none(std::span<const Str>{});
  for (int i = 0; i < 20; ++i) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam() * 20 + i));
    const Program program = random_program(random);
    SCOPED_TRACE(GetParam() * 20 + i);
    ReportBuilder builder;
    Simulator as_it_was(program, true, &builder);
    as_it_was.run();
    const Report& report = builder.build();
    const Graph graph = build(report);
    const ReplayTimes base = run(graph);
    ASSERT_EQ(base.time, graph.seen) << "every point comes when it was seen to";
    ASSERT_EQ(replayed(graph), as_it_was.lengths());
    ASSERT_EQ(graph.unexplained, 0);

    const auto predicted = [&](const Graph& changed) { return replayed(changed); };
    const auto truth = [&](const Program& changed, bool waits = true) { return lengths_of(changed, waits); };
    for (const double factor : {0.5, 3.0}) {
      const auto scaled_length = [&](std::int64_t ns) { return std::llround(static_cast<double>(ns) * factor); };
      EXPECT_EQ(predicted(scaled(graph, select(report, graph, of(Target::kKernel, "k1"), none), factor, false)),
                truth(with(program, [&](Step& s) {
                  if (s.kind == Step::kKernel && s.name == 1) s.length = scaled_length(s.length);
                })));
      EXPECT_EQ(predicted(scaled(graph, select(report, graph, of(Target::kCopy, "h2d"), none), factor, false)),
                truth(with(program, [&](Step& s) {
                  if (s.kind == Step::kCopy) s.length = scaled_length(s.length);
                })));
    }
    EXPECT_EQ(predicted(scaled(graph, select(report, graph, of(Target::kRange, "code"), none), 0.5, true)),
              truth(with(program, [&](Step& s) {
                if (s.kind == Step::kCode && s.length % 3 == 0) s.length = half(s.length);
              })));
    EXPECT_EQ(predicted(without_waits(report, graph)), truth(program, false));
  }
}

INSTANTIATE_TEST_SUITE_P(Ten, RandomPrograms, ::testing::Range(0, 10));

TEST(Replay, APathSumsToItsIterationAndSlackIsExact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) {
    ReportBuilder builder;
    Simulator(random_program(random), true, &builder).run();
    Graph graph = build(builder.build());
    const ReplayTimes base = run(graph);
    for (const Iteration& iteration : graph.iterations) {
      std::int64_t at = base.time[iteration.begin];
      for (const Piece& piece : critical_path(graph, base, iteration)) {
        EXPECT_EQ(piece.start, at);
        at = piece.end;
      }
      EXPECT_EQ(at, base.time[iteration.end]);
    }
    // A piece of work that takes its slack longer moves nothing; one ns more moves the end by one.
    const Iteration last = graph.iterations.back();
    const Slacks slacks = slack(graph, base, last);
    std::size_t tried = 0;
    for (std::size_t n = slacks.first; n < slacks.first + slacks.slack.size(); n += 5) {
      const Node& node = graph.nodes[n];
      const std::int64_t own = slacks.slack[n - slacks.first];
      if (own == kNoSlack || (node.kind != NodeKind::kKernel && node.kind != NodeKind::kCall)) continue;
      std::int64_t& lag = graph.edges[graph.first_edge[node.end]].lag;
      const std::int64_t was = lag, by_its_start = base.time[node.end] - base.time[node.start] - lag;
      lag += by_its_start + own;
      ++tried;
      EXPECT_EQ(run(graph).time[last.end], base.time[last.end]);
      lag += 1;
      EXPECT_EQ(run(graph).time[last.end], base.time[last.end] + 1);
      lag = was;
    }
    EXPECT_GT(tried, 3U);
  }
}

// The main thread hands the backward pass over and goes on when it is done: faster code there ends the step earlier.
TEST(Replay, AThreadWaitsForTheOneThatItHandsItsWorkTo) {
  ReportBuilder b;
  const std::uint32_t main = b.thread(1), other = b.thread(2);
  std::int64_t at = 0;
  const auto launch = [&](std::uint32_t thread) {
    const Row call = b.call(CallKind::kKernelLaunch, at, at + 2'000, thread);
    b.kernel("k", at + 5'000, at + 6'000, {.call = call});
    at += 3'000;
  };
  for (int step = 0; step < 4; ++step) {
    b.iteration(step, at, at + 1, main);
    at += 1'000;
    for (int i = 0; i < 10; ++i) launch(main);
    at += 50'000;
    const std::int64_t from = at;
    for (int i = 0; i < 100; ++i) launch(other);
    b.range("backward", from, at, {.thread = other});
    at += 40'000;
    for (int i = 0; i < 10; ++i) launch(main);
  }
  const Report& report = b.build();
  const Graph graph = build(report);
  EXPECT_EQ(graph.hand_overs, 4U);
  EXPECT_EQ(run(graph).time, graph.seen);
  const NameRules none(std::span<const Str>{});
  const Graph changed = scaled(graph, select(report, graph, of(Target::kRange, "backward"), none), 0, true);
  const std::vector<std::int64_t> was = replayed(graph), is = replayed(changed);
  EXPECT_EQ(was.front() - is.front(), 300'000) << "its calls and code; the ways there and back stay";
}

TEST(Replay, WaitsThatNothingExplainsAreLeftOut) {
  ReportBuilder b;
  Row call = b.call(CallKind::kKernelLaunch, 0, 5'000);
  b.kernel("a", 8'000, 9'000, {.call = call});
  call = b.call(CallKind::kKernelLaunch, 10'000, 15'000);
  b.kernel("b", 18'000, 19'000, {.call = call});
  call = b.call(CallKind::kKernelLaunch, 20'000, 25'000);
  b.kernel("late", 5'000'000, 5'001'000, {.call = call});
  const Graph graph = build(b.build());
  EXPECT_EQ(graph.unexplained_count, 1U);
  EXPECT_EQ(graph.unexplained, 4'975'000 - 3'000);
  EXPECT_EQ(length(graph), 29'000) << "the wait shows as drift";
}

TEST(Replay, ReportsWhatCannotBeReplayed) {
  ReportBuilder no_calls;
  no_calls.kernel("k", 0, 10);
  EXPECT_THROW(build(no_calls.build()), std::invalid_argument);
  ReportBuilder cut;
  const Row call = cut.call(CallKind::kKernelLaunch, 0, 5);
  cut.kernel("k", 10, 20, {.call = call});
  for (int i = 0; i < 9; ++i) cut.kernel("k", 30 + 10 * i, 35 + 10 * i);
  EXPECT_THROW(build(cut.build()), std::invalid_argument);
}

}  // namespace assay::replay::replay_test
