#include <gtest/gtest.h>

#include "propose/ranges.hpp"
#include "support/check.hpp"

namespace assay::init::init_ranges_test {

RangesOfReport::Range range(std::int64_t start, std::int64_t end) { return {1, start, end, end - start}; }

/// `steps` ranges of 10 ns, in a range "train", with an operator in each.
RangesOfReport training(int steps, const std::string& name = "step_") {
  RangesOfReport report;
  for (int i = 0; i < steps; ++i) report.by_name[name + std::to_string(i)] = range(100 + 20 * i, 110 + 20 * i);
  report.by_name["train"] = range(50, 1000);
  report.by_name["op"] = {static_cast<std::uint64_t>(steps), 101, 900, steps};
  return report;
}

TEST(InitRanges, NamesThatDifferInANumberAreIterations) {
  const ProposedRanges proposed = ranges_of({training(5), training(8)});
  EXPECT_EQ(proposed.iterations, "step_{i}");
  EXPECT_EQ(proposed.least, 5U);
  EXPECT_EQ(proposed.most, 8U);
  EXPECT_EQ(proposed.window, "train");
}

TEST(InitRanges, WhatOneReportLacksIsNotProposed) {
  EXPECT_EQ(ranges_of({training(5), training(5, "batch ")}).iterations, "");
  EXPECT_EQ(ranges_of({training(5), training(2)}).iterations, "") << "two are no repetition";
  RangesOfReport bare = training(5);
  bare.by_name.erase("train");
  const ProposedRanges proposed = ranges_of({training(5), bare});
  EXPECT_EQ(proposed.iterations, "step_{i}");
  EXPECT_EQ(proposed.window, "") << "a report without the window would be left out";
}

TEST(InitRanges, WarmUpIsNoIterationAndTheOuterRangesAre) {
  RangesOfReport report = training(5);
  for (int i = 0; i < 5; ++i) {
    report.by_name["warmup_" + std::to_string(i)] = range(1000 + 100 * i, 1090 + 100 * i);
    report.by_name["layer" + std::to_string(i)] = range(101 + 20 * i, 103 + 20 * i);
  }
  EXPECT_EQ(ranges_of({report}).iterations, "step_{i}");
}

TEST(InitRanges, OperatorsThatRepeatUnderOneNameAreNone) {
  RangesOfReport report;
  for (const char* name : {"conv1", "conv2", "conv3"}) report.by_name[name] = {7, 0, 100, 50};
  EXPECT_EQ(ranges_of({report}).iterations, "");
  EXPECT_TRUE(equals(ranges_of({report}).seen, {"conv{i}"}));
}

TEST(InitRanges, WithoutReportsThereIsNothing) { EXPECT_EQ(ranges_of({}).iterations, ""); }

}  // namespace assay::init::init_ranges_test
