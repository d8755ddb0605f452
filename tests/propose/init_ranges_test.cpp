#include "propose/ranges.hpp"
#include "support/test.hpp"

namespace assay::init::init_ranges_test {

RangesOfReport::Range range(std::int64_t start, std::int64_t end) { return {1, start, end, end - start}; }

/// `steps` ranges of 10 ns, in a range "train", with an operator in each.
RangesOfReport training(int steps, const std::string& name = "step_") {
  RangesOfReport report;
  report.steps = name + "{i}";
  for (int i = 0; i < steps; ++i) report.by_name[name + std::to_string(i)] = range(100 + 20 * i, 110 + 20 * i);
  report.by_name["train"] = range(50, 1000);
  report.by_name["op"] = {static_cast<std::uint64_t>(steps), 101, 900, steps};
  return report;
}

TEST(InitRanges, StepsOfAllReportsAreIterations) {
  const ProposedRanges proposed = ranges_of({training(5), training(8)});
  EXPECT_EQ(proposed.iterations, "step_{i}");
  EXPECT_EQ(proposed.least, 5U);
  EXPECT_EQ(proposed.most, 8U);
  EXPECT_EQ(proposed.window, "train");
}

TEST(InitRanges, AreNotProposedIfAReportLacksThem) {
  EXPECT_EQ(ranges_of({training(5), training(5, "batch ")}).iterations, "");
  RangesOfReport bare = training(5);
  bare.steps.clear();
  EXPECT_EQ(ranges_of({training(5), bare}).iterations, "");
  bare = training(5);
  bare.by_name.erase("train");
  const ProposedRanges proposed = ranges_of({training(5), bare});
  EXPECT_EQ(proposed.iterations, "step_{i}");
  EXPECT_EQ(proposed.window, "") << "a report without the window would be left out";
}

TEST(InitRanges, TrainingWithoutNamedStepsHasThoseOfItsOptimizer) {
  RangesOfReport report;
  report.by_name["Optimizer.step#SGD.step"] = {120, 100, 900, 50};
  report.by_name["Optimizer.zero_grad#SGD.zero_grad"] = {120, 90, 890, 10};
  const ProposedRanges proposed = ranges_of({report, report});
  EXPECT_EQ(proposed.iterations, "Optimizer.step#SGD.step");
  EXPECT_TRUE(proposed.optimizer);
  EXPECT_EQ(proposed.least, 120U);
  report.by_name["Optimizer.step#AdamW.step"] = {120, 100, 900, 50};
  EXPECT_EQ(ranges_of({report, report}).iterations, "") << "two optimizers, of which either may be the step";
}

TEST(InitRanges, ANameWithSeveralNumbersIsSeenAndNotWritten) {
  RangesOfReport report;
  report.steps = "execute_{i}_context_{j}";
  report.by_name["execute_8_context_1"] = range(0, 10);
  EXPECT_EQ(ranges_of({report}).iterations, "");
  EXPECT_TRUE(equals(ranges_of({report}).seen, {"execute_{i}_context_{j}"}));
}

TEST(InitRanges, ADecodeBesideARequestIsAServer) {
  RangesOfReport report;
  for (int i = 0; i < 3; ++i) {
    report.by_name["request_" + std::to_string(i)] = range(100 * i, 100 * i + 90);
    report.by_name["decode_" + std::to_string(i)] = range(100 * i + 20, 100 * i + 40);
  }
  report.by_name["prefill"] = {3, 0, 300, 30};
  const ServerRanges server = ranges_of({report, report}).server;
  EXPECT_TRUE(equals(server.request, {"request_{i}"}));
  EXPECT_TRUE(equals(server.prefill, {"prefill"}));
  EXPECT_TRUE(equals(server.decode, {"decode_{i}"}));
  EXPECT_FALSE(ranges_of({report, training(3)}).server.any()) << "not in every report";
  RangesOfReport video;
  video.by_name["decode_1"] = range(0, 10);
  EXPECT_FALSE(ranges_of({video}).server.any());
  video.by_name["step[DECODE bs=32]"] = range(20, 30);
  EXPECT_TRUE(ranges_of({video}).server.steps_named);
}

TEST(InitRanges, WithoutReportsThereIsNothing) { EXPECT_EQ(ranges_of({}).iterations, ""); }

}  // namespace assay::init::init_ranges_test
