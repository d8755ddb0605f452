// Which ranges are steps where no usual name says so, and whose work counts for them.
#include "algo/replay/replay.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/step_parts.hpp"
#include "assay/algo/steps.hpp"
#include "assay/testing/report_builder.hpp"
#include "support/test.hpp"

namespace assay::step::found_steps_test {

using namespace testing;

/// A range on a thread with one kernel of 40 ns, 20 ns behind its launch.
void add_step(ReportBuilder& b, const std::string& name, std::int64_t start, std::int64_t end, std::uint32_t thread = 0,
              std::uint32_t process = 0) {
  b.range(name, start, end, {.thread = thread});
  const Row call = b.call(CallKind::kKernelLaunch, start + 10, start + 15, thread);
  b.kernel("gemm", start + 30, start + 70,
           {.device = static_cast<std::int32_t>(process), .call = call, .process = process});
}

std::string name_of(const Report& report) {
  return report.steps->rows == 0 ? std::string() : folded_name(report.string(report.steps->name[0]));
}

std::vector<std::int64_t> numbers_of(const Report& report) {
  std::vector<std::int64_t> numbers;
  for (const DeviceStep& step : device_steps(report, DeviceWork(report))) numbers.push_back(step.number);
  return numbers;
}

TEST(FoundSteps, AreNumberedByPositionIfTheirNamesRepeat) {
  ReportBuilder b;
  for (int i = 0; i < 4; ++i) add_step(b, "execute_context_0(0)_generation_32(32)", 100 * i, 100 * i + 90);
  b.collective(b.kernel("nccl", 75, 80), CollectiveKind::kAllReduce);
  EXPECT_EQ(name_of(b.build()), "execute_context_{i}_generation_{j}");
  EXPECT_TRUE(equals(numbers_of(b.build()), {0, 1, 2, 3}));
}

TEST(FoundSteps, KeepTheNumbersOfTheirNamesWhereThoseRise) {
  ReportBuilder b;
  for (const int i : {3, 4, 7}) add_step(b, "bench_" + std::to_string(i), 100 * i, 100 * i + 90);
  b.collective(b.kernel("nccl", 375, 380), CollectiveKind::kAllReduce);
  EXPECT_TRUE(equals(numbers_of(b.build()), {3, 4, 7}));
}

TEST(FoundSteps, AreThoseOfOneThread) {
  ReportBuilder b;
  b.process(1);
  for (std::uint32_t t = 0; t < 3; ++t) {
    b.thread(t + 1);
    for (int i = 0; i < 4; ++i) {
      const std::int64_t at = 100 * i + 5 * static_cast<int>(t);
      add_step(b, "compile_" + std::to_string(at), at, at + 90, t);
    }
  }
  EXPECT_EQ(b.build().steps->rows, 4U);
}

TEST(FoundSteps, ASmallCrossingIsCutAndNotNested) {
  ReportBuilder b;
  for (int i = 0; i < 4; ++i) add_step(b, "iter_" + std::to_string(i), 1000 * i, 1000 * i + 1004);
  const Report& report = b.build();
  ASSERT_EQ(report.steps->rows, 4U);
  for (std::size_t s = 1; s < 4; ++s) EXPECT_EQ(report.steps->host_end[s - 1], report.steps->host_start[s]);
}

TEST(FoundSteps, EpochsHoldThem) {
  ReportBuilder b;
  for (int e = 0; e < 3; ++e) {
    b.range("epoch_" + std::to_string(e), 1000 * e, 1000 * e + 900);
    for (int i = 0; i < 4; ++i)
      add_step(b, "train_batch_" + std::to_string(4 * e + i), 1000 * e + 200 * i, 1000 * e + 200 * i + 180);
  }
  EXPECT_EQ(name_of(b.build()), "train_batch_{i}");
}

TEST(FoundSteps, AnotherThreadMayLaunchTheirWork) {
  ReportBuilder b;
  b.process(1);
  b.thread(1);
  b.thread(2);
  for (int i = 0; i < 4; ++i) {
    b.range("forward_backward", 100 * i, 100 * i + 90);
    const Row call = b.call(CallKind::kKernelLaunch, 100 * i + 10, 100 * i + 15, 1);
    b.kernel("gemm", 100 * i + 30, 100 * i + 70, {.call = call});
  }
  EXPECT_EQ(name_of(b.build()), "forward_backward");
}

TEST(FoundSteps, AreNoRangesWithLessThanHalfOfTheWork) {
  ReportBuilder b;
  for (int i = 0; i < 4; ++i) add_step(b, "metric_" + std::to_string(i), 100 * i, 100 * i + 90);
  b.kernel("gemm", 1000, 1300, {.call = b.call(CallKind::kKernelLaunch, 900, 910)});
  EXPECT_EQ(name_of(b.build()), "");
}

TEST(FoundSteps, WorkLaunchedBeforeTheRecordingIsNoneOfTheirs) {
  ReportBuilder b;
  b.kernel("queued before", 1, 5000);
  for (int i = 0; i < 4; ++i) add_step(b, "step_" + std::to_string(i), 100 * i, 100 * i + 90);
  const Report& report = b.build();
  ASSERT_EQ(report.steps->rows, 4U);
  EXPECT_EQ(report.steps->disturbed[0], Disturbance::kLaunchedBefore);
  EXPECT_EQ(report.steps->disturbed[1], Disturbance::kNothing);
}

TEST(FoundSteps, TheFirstIsLeftOutIfItIsMuchLonger) {
  ReportBuilder b;
  add_step(b, "step_0", 0, 400);
  for (int i = 1; i < 5; ++i) add_step(b, "step_" + std::to_string(i), 300 + 100 * i, 300 + 100 * i + 100);
  const Steps steps = steps_of(b.build());
  EXPECT_EQ(steps.kept.size(), 4U);
  ASSERT_EQ(steps.disturbed.size(), 1U);
  EXPECT_EQ(steps.disturbed[0].disturbed, Disturbance::kFirst);
}

TEST(FoundSteps, ALateStepEndsAfterTheNextRangeBegins) {
  ReportBuilder b;
  for (int i = 0; i < 3; ++i) {
    b.range("step_" + std::to_string(i), 100 * i, 100 * i + 50);
    b.kernel("gemm", 100 * i + 30, 100 * i + 120,
             {.call = b.call(CallKind::kKernelLaunch, 100 * i + 10, 100 * i + 15)});
  }
  const Report& report = b.build();
  ASSERT_EQ(report.steps->rows, 3U);
  EXPECT_EQ(report.steps->start[1], 120) << "the work of the step before ends there";
  EXPECT_EQ(report.steps->end[1], 220);
  EXPECT_EQ(report.steps->until[1], 200) << "a pause shorter than a step belongs to it";
  EXPECT_EQ(report.steps->until[2], 250) << "no step follows";
}

/// Two processes with three steps each of 100 and 120 ns, beside each other.
void add_ranks(ReportBuilder& b) {
  for (std::uint32_t p = 0; p < 2; ++p) {
    b.process(p + 1);
    b.thread(1, p);
    for (int i = 0; i < 3; ++i)
      add_step(b, "step_" + std::to_string(i), 200 * i, 200 * i + 100 + 20 * static_cast<int>(p), p, p);
  }
}

TEST(StepsOfProcesses, AreMeasuredByTheirOwnWork) {
  ReportBuilder b;
  add_ranks(b);
  const Steps steps = steps_of(b.build());
  EXPECT_EQ(steps.processes, 2U);
  std::vector<std::int64_t> times, events;
  for (const Step& step : steps.kept) {
    times.push_back(step.time.end - step.time.start);
    events.push_back(step.device_events);
  }
  EXPECT_TRUE(equals(times, {200, 200, 100, 200, 200, 120}));
  EXPECT_TRUE(equals(events, {1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(steps.span().start, 0);
  EXPECT_EQ(steps.span().end, 520);
}

TEST(StepsOfProcesses, AreReplayedAsThoseOfTheFirst) {
  ReportBuilder b;
  add_ranks(b);
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t p = 0; p < 2; ++p) b.iteration(i, 200 * i, 200 * i + 100 + 20 * static_cast<int>(p), p);
  }
  const replay::Graph graph = replay::build(b.build());
  EXPECT_TRUE(equals(replay::lengths(graph, graph.seen), {200, 200}));
}

}  // namespace assay::step::found_steps_test
