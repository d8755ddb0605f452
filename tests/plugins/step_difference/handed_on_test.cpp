// The two analyzers by their descriptors: what one hands on is what the other compares.
#include "handed_on.hpp"

#include <gtest/gtest.h>

#include <map>

#include "plugins/step_difference/answer.hpp"
#include "plugins/step_difference/comparison.hpp"
#include "support/check.hpp"

namespace assay::difference::test::handed_on_test {

TEST(StepDifference, MatchesTheComparisonOfTheSides) {
  const MadeProgram before{.operators = true, .adam_bytes = 1.5e6},
      after{.flash = true, .wait = false, .operators = true, .graphs = {3}};
  testing::StudyBuilder study;
  study.label("side", {"base", "flash"});
  add_run(study, "a.sqlite", {{"side", "base"}}, before);
  add_run(study, "b.sqlite", {{"side", "flash"}}, after);
  const testing::Recorder out = under_test::step_difference::concluded(study.build());
  const Comparison c = compare(side_of(before), side_of(after));
  EXPECT_EQ(out.findings[0].title, answer(c));
  EXPECT_EQ(out.value("step_difference.step_ns", "pair=flash"), static_cast<double>(c.accounts.step.difference));
  double sum = 0;
  for (const testing::RecordedFact& fact : out.facts)
    sum += fact.metric == "step_difference.account_ns" ? fact.value : 0;
  EXPECT_EQ(sum, static_cast<double>(c.accounts.step.difference));
  EXPECT_EQ(out.table_of("items")->column("difference_ns")->integers.size(), c.accounts.rows.size());
}

TEST(StepDifference, PairsSidesByTheLabelsThatTellConfigurationsApart) {
  testing::StudyBuilder study;
  study.label("side", {"base", "flash"}).label("bs", testing::StudyBuilder::kNumeric).descriptive_label("run");
  for (const char* run : {"1", "2"}) {
    for (const char* bs : {"8", "16"}) {
      for (const char* side : {"base", "flash"}) {
        const MadeProgram program{.flash = side == std::string("flash"), .batch = std::stoi(bs)};
        add_run(study, side + std::string("/bs") + bs + "_" + run, {{"side", side}, {"bs", bs}, {"run", run}}, program);
      }
    }
  }
  add_run(study, "base/bs32", {{"side", "base"}, {"bs", "32"}}, {});
  const testing::Recorder out = under_test::step_difference::concluded(study.build());
  const testing::RecordedTable& pairs = *out.table_of("pairs");
  EXPECT_TRUE(equals(pairs.column("report")->texts, {"flash, bs=8", "flash, bs=16"}));
  EXPECT_TRUE(equals(pairs.column("runs_before")->integers, {2, 2}));
  EXPECT_TRUE(one_contains(out.table_of("sections")->column("sentence")->texts, "Without a partner: base/bs32"));
}

TEST(StepDifference, JudgesBudgetsAsClaims) {
  testing::StudyBuilder study;
  study.label("side", {"base", "slow"});
  for (int run = 0; run < 3; ++run) {
    add_run(study, "a" + std::to_string(run), {{"side", "base"}}, {.attention = 4000 + run});
    add_run(study, "b" + std::to_string(run), {{"side", "slow"}}, {.attention = 5000 + run});
  }
  const auto specs = under_test::step_difference::descriptor.claim_keys;
  study.claim("step", "No longer.", specs).claim("kernels", "Much.", specs, {{"budget", "kernels=+50%"}});
  const testing::Recorder out = under_test::step_difference::concluded(study.build());
  ASSERT_EQ(out.verdicts.size(), 2U);
  EXPECT_EQ(out.verdicts[0].verdict, Verdict::kRefuted);
  EXPECT_EQ(out.verdicts[1].verdict, Verdict::kSupported);
  ASSERT_EQ(out.verdicts[0].strata.size(), 1U);
  EXPECT_EQ(out.verdicts[0].strata[0].effect->effect.value, 9000) << "nine kernels, 1000 ns each";
}

/// Two jobs of three ranks; the others of the second wait for rank 1, whose matmuls are 6 * 2,000 ns longer.
testing::Recorder compared_jobs(std::int64_t batch_of_slow, std::int64_t batch_of_others = 8, int world = 3) {
  testing::StudyBuilder study;
  study.label("side", {"before", "after"});
  for (const char* side : {"before", "after"}) {
    for (int rank = 0; rank < 3; ++rank) {
      const bool after = side == std::string("after"), slow = after && rank == 1;
      const MadeProgram program{.matmul = slow ? 8000 : 6000,
                                .batch = slow    ? batch_of_slow
                                         : after ? batch_of_others
                                                 : 8,
                                .all_reduce = !after ? 400 + rank
                                              : slow ? 500
                                                     : 12500};
      add_run(study, side + ("/rank" + std::to_string(rank)), {{"side", side}}, program)
          .attribute("rank", std::to_string(rank))
          .attribute("world_size", std::to_string(world));
    }
  }
  return under_test::step_difference::concluded(study.build());
}

TEST(StepDifference, ComparesJobsOnTheRankThatSetsThePace) {
  const testing::Recorder out = compared_jobs(8);
  EXPECT_TRUE(starts_with(out.findings[0].title, "1.1")) << out.findings[0].title;
  EXPECT_TRUE(contains(out.findings[0].title, "one run a side), rank 1: slower kernels")) << out.findings[0].title;
  std::map<std::string, double> accounts;
  for (const testing::RecordedFact& fact : out.facts)
    accounts[fact.dims.substr(0, fact.dims.find_first_of(",;"))] = fact.value;
  EXPECT_EQ(accounts["account=kernels: time per call"], 12000) << "6 matmuls a step";
  EXPECT_EQ(accounts["account=exposed communication"], 99) << "500 - 401";
  EXPECT_EQ(out.table_of("pairs")->column("rank")->texts[0], "1");
  EXPECT_TRUE(one_contains(out.table_of("sections")->column("sentence")->texts,
                           "Rank 1 is compared: of 3 ranks it sets the pace in after"));
}

TEST(StepDifference, SaysThatRanksOfAComparedJobAreMissing) {
  EXPECT_TRUE(one_contains(compared_jobs(8, 8, 4).table_of("sections")->column("sentence")->texts,
                           "of 3 of 4 ranks that have a profile it sets the pace"));
}

TEST(StepDifference, AnotherShareOfTheWorkOfOneRankIsADifferenceOfTheJob) {
  const testing::Recorder one = compared_jobs(12);
  EXPECT_TRUE(contains(one.findings[0].title, ", rank 1: ")) << one.findings[0].title;
  EXPECT_TRUE(one_contains(one.table_of("sections")->column("sentence")->texts,
                           "the kernels of rank 1 run over 1.50 times more blocks after, those of the other ranks do"));
  EXPECT_TRUE(starts_with(compared_jobs(12, 12).findings[0].title, "Not comparable: the same kernels run over 1.50"));
}

TEST(StepDifference, SaysWhichSideHasNoSteps) {
  testing::StudyBuilder study;
  study.label("side", {"base", "flash"});
  study.report("a.sqlite", {{"side", "base"}});
  add_run(study, "b.sqlite", {{"side", "flash"}}, {});
  const testing::Recorder out = under_test::step_difference::concluded(study.build());
  ASSERT_EQ(out.skips.size(), 1U);
  EXPECT_TRUE(starts_with(out.skips[0].reason, "'base' has no profile with steps"));
}

}  // namespace assay::difference::test::handed_on_test
