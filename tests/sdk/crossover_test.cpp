#include "assay/algo/crossover.hpp"

#include "support/test.hpp"

namespace assay::crossover_test {

std::vector<CrossoverLevel> gains(const std::vector<double>& values) {
  std::vector<CrossoverLevel> out;
  for (const double gain : values) out.push_back({static_cast<double>(out.size()), gain, {}});
  return out;
}

TEST(Crossover, BracketBetweenTheLastLossAndTheFirstLastingWin) {
  const Crossover c = crossover(gains({0.85, 0.95, 1.1, 2.1}));
  EXPECT_EQ(c.kind, CrossoverKind::kBracket);
  EXPECT_EQ(c.last_loss, 1U);
  EXPECT_EQ(c.first_win, 2U);
  EXPECT_FALSE(c.has_interval);
}

TEST(Crossover, AWinThatDoesNotLastDoesNotCount) {
  const Crossover c = crossover(gains({1.2, 0.9, 1.1, 1.3}));
  EXPECT_EQ(c.kind, CrossoverKind::kBracket);
  EXPECT_EQ(c.last_loss, 1U);
  EXPECT_EQ(c.first_win, 2U);
}

TEST(Crossover, TheOtherAnswers) {
  EXPECT_EQ(crossover(gains({1.1, 1.2})).kind, CrossoverKind::kBelowSmallest);
  EXPECT_EQ(crossover(gains({0.8, 1.0})).kind, CrossoverKind::kAboveLargest);  // even is no win
  EXPECT_EQ(crossover(gains({1.2, 0.9})).kind, CrossoverKind::kNoCrossover);
  EXPECT_EQ(crossover({}).kind, CrossoverKind::kNoCrossover);
  EXPECT_FALSE(crossover(gains({1.1, 1.2})).last_loss);
  EXPECT_FALSE(crossover(gains({0.8, 0.9})).first_win);
}

TEST(Crossover, AgainstAnotherEvenPoint) { EXPECT_EQ(crossover(gains({-2, 3}), 0).first_win, 1U); }

TEST(Crossover, IntervalByTheBoundsIsNeverNarrower) {
  std::vector<CrossoverLevel> levels = gains({0.8, 0.97, 1.02, 1.5});
  levels[0].bounds = {0.7, 0.9};
  levels[1].bounds = {0.9, 1.1};
  levels[2].bounds = {0.95, 1.1};
  levels[3].bounds = {1.3, 1.7};
  const Crossover c = crossover(levels);
  EXPECT_EQ(c.last_loss, 1U);
  EXPECT_EQ(c.first_win, 2U);
  ASSERT_TRUE(c.has_interval);
  EXPECT_EQ(c.sure_loss, 0U);
  EXPECT_EQ(c.sure_win, 3U);
}

TEST(Crossover, OpenAtTheLargestLevelHasNoSureWin) {
  std::vector<CrossoverLevel> levels = gains({0.8, 1.2});
  levels[0].bounds = {0.7, 0.9};
  levels[1].bounds = {0.9, 1.5};
  const Crossover c = crossover(levels);
  EXPECT_EQ(c.first_win, 1U);
  EXPECT_FALSE(c.sure_win);
  EXPECT_EQ(c.sure_loss, 0U);
}

}  // namespace assay::crossover_test
