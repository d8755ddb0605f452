// Growth is judged by work, and a machine that others hold is no reason to fail.
#include "check/growth.hpp"

#include "support/test.hpp"

namespace assay::check::growth_test {

CaseReply reply(double small, double large, bool busy, bool instructions = false) {
  return growth_reply({small, large, busy}, instructions, 62500, 250000);
}

TEST(Growth, FailsOnlyIfTheMachineCannotBeTheReason) {
  EXPECT_EQ(reply(2.592e-3, 23.9e-3, true).answer, CaseStatus::kWarned)
      << "seen beside two busy loops, of a linear analyzer";
  EXPECT_TRUE(contains(reply(2.592e-3, 23.9e-3, true).detail, "too busy to tell"));
  EXPECT_EQ(reply(2.592e-3, 23.9e-3, false).answer, CaseStatus::kFailed);
  EXPECT_EQ(reply(6e-3, 96e-3, true).answer, CaseStatus::kFailed) << "16 times as much is no neighbour's work";
  EXPECT_EQ(reply(6e-3, 27e-3, true).answer, CaseStatus::kOk) << "sorting";
  EXPECT_EQ(reply(1e-3, 16e-3, false).answer, CaseStatus::kOk) << "too little to matter";
}

TEST(Growth, CountsInstructionsWhereTheMachineLetsIt) {
  EXPECT_EQ(reply(6e6, 96e6, true, true).answer, CaseStatus::kFailed);
  EXPECT_EQ(reply(20e6, 96e6, true, true).answer, CaseStatus::kOk);
  EXPECT_EQ(reply(1e6, 16e6, false, true).answer, CaseStatus::kOk) << "too little to matter";
}

TEST(Growth, MeasuresBothInTurnUntilTheFactorIsSmallEnough) {
  WorkMeter meter;
  int small = 0, large = 0;
  // A factor is never below -1: all rounds. It is always below infinity: one.
  measure_growth(meter, [&] { ++small; }, [&] { ++large; }, 4, -1);
  EXPECT_EQ(small, 4 * large);
  EXPECT_EQ(large, meter.counts_instructions() ? 1 : 5);
  large = 0;
  measure_growth(meter, [] {}, [&] { ++large; }, 1, std::numeric_limits<double>::infinity());
  EXPECT_EQ(large, 1);
}

TEST(WorkMeter, CountsMoreForMoreWork) {
  WorkMeter meter;
  volatile std::uint64_t sum = 0;
  const auto add = [&](int times) {
    return [&sum, times] {
      for (int i = 0; i < times; ++i) sum = sum + 1;
    };
  };
  const Growth found = measure_growth(meter, add(1 << 16), add(1 << 24), 1, -1);
  EXPECT_GT(found.factor(), 16) << "of 256";
}

}  // namespace assay::check::growth_test
