#include "assay/algo/steps.hpp"

#include <gtest/gtest.h>

#include "assay/algo/random.hpp"

namespace assay {
namespace {

/// Responses of a design with four levels and four blocks, of which later blocks lack the highest levels.
std::vector<BlockObservation> design(const std::vector<double>& level, double sd, Random& random) {
  std::vector<BlockObservation> out;
  for (std::size_t block = 0; block < 4; ++block) {
    for (std::size_t l = 0; l < level.size() - (block > 1 ? block - 1 : 0); ++l) {
      out.push_back({l, block, level[l] + 0.3 * static_cast<double>(block) + sd * random.normal()});
    }
  }
  return out;
}

/// Sum of squares around "block mean + jump above the split", with the jump found by a fine search: no algebra shared.
double searched_spread(const std::vector<BlockObservation>& o, std::size_t upper) {
  const auto squares = [&](double jump) {
    double total = 0;
    for (std::size_t block = 0; block < 4; ++block) {
      double sum = 0, count = 0;
      const auto rest = [&](const BlockObservation& x) { return x.y - (x.level >= upper ? jump : 0); };
      for (const BlockObservation& x : o) {
        if (x.block == block) sum += rest(x), count += 1;
      }
      for (const BlockObservation& x : o) {
        if (x.block == block) total += (rest(x) - sum / count) * (rest(x) - sum / count);
      }
    }
    return total;
  };
  double lo = -20, hi = 20;
  for (int i = 0; i < 200; ++i) {  // ternary search: convex in the jump
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    (squares(a) < squares(b) ? hi : lo) = squares(a) < squares(b) ? b : a;
  }
  return squares(lo);
}

TEST(BestSplit, SpreadOfEverySplitEqualsASearch) {
  Random random("splits");
  const std::vector<BlockObservation> o = design({0, 0.4, 2.0, 2.1}, 0.2, random);
  const auto fit = best_split(o, 0.95);
  ASSERT_TRUE(fit);
  ASSERT_EQ(fit->splits.size(), 3U);
  const auto degrees = static_cast<double>(o.size() - 4 - 1);
  for (const Split& split : fit->splits) {
    EXPECT_NEAR(split.residual_sd, std::sqrt(searched_spread(o, split.upper) / degrees), 1e-6);
  }
}

TEST(BestSplit, FindsAPlantedStepAndTheShareItCarries) {
  Random random("planted");
  const auto fit = best_split(design({0, 0, 3, 3}, 0.05, random), 0.95);
  ASSERT_TRUE(fit);
  const Split& best = fit->splits[fit->best];
  EXPECT_EQ(best.lower, 1U);
  EXPECT_EQ(best.upper, 2U);
  EXPECT_TRUE(best.jump_bounds.contains(3));
  EXPECT_NEAR(best.share, 1, 0.05);
  EXPECT_LT(best.residual_sd, 0.1);
  ASSERT_TRUE(fit->runner_up);
  EXPECT_NE(*fit->runner_up, fit->best);
  EXPECT_GT(fit->splits[*fit->runner_up].residual_sd, 5 * best.residual_sd);
}

TEST(BestSplit, AGradualRiseHasNoStepThatCarriesIt) {
  Random random("gradual");
  const auto fit = best_split(design({0, 1, 2, 3}, 0.05, random), 0.95);
  ASSERT_TRUE(fit);
  double sum = 0;
  for (const Split& split : fit->splits) {
    EXPECT_NEAR(split.share, 1.0 / 3, 0.1);
    sum += split.share;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_NEAR(fit->rise, 3, 0.2);
  EXPECT_LT(fit->residual_sd, fit->splits[fit->best].residual_sd);
}

TEST(BestSplit, IntervalOfTheJumpCoversAtItsLevel) {
  Random random("jump coverage");
  int covered = 0;
  constexpr int studies = 2000;
  for (int i = 0; i < studies; ++i) {
    const auto fit = best_split(design({0, 0, 3, 3}, 0.3, random), 0.95);
    covered += fit->splits[1].jump_bounds.contains(3) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(covered) / studies, 0.95, 0.015);
}

TEST(BestSplit, LevelsOfOneBlockAreNamedAndDoNotDecide) {
  std::vector<BlockObservation> o = {{0, 0, 0.0}, {1, 0, 1.0}, {0, 1, 0.2}, {1, 1, 1.1}, {2, 1, 50}};
  const auto fit = best_split(o, 0.95);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->left_out, std::vector<std::size_t>{2});
  ASSERT_EQ(fit->splits.size(), 1U);
  EXPECT_NEAR(fit->splits[0].jump, 0.95, 1e-12);
  EXPECT_FALSE(fit->runner_up);
}

TEST(BestSplit, NothingWithoutTwoLevels) {
  EXPECT_FALSE(best_split({}, 0.95));
  EXPECT_FALSE(best_split(std::vector<BlockObservation>{{0, 0, 1}, {0, 1, 2}}, 0.95));
  // Two runs, no freedom left: a jump without spread or interval.
  const auto bare = best_split(std::vector<BlockObservation>{{0, 0, 1}, {1, 0, 2}}, 0.95);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->splits[0].jump, 1);
  EXPECT_FALSE(bare->splits[0].jump_bounds.known());
}

/// Fewest errors over every threshold and both directions.
std::size_t fewest_errors(const std::vector<double>& scores, const std::vector<char>& member) {
  std::size_t best = scores.size();
  std::vector<double> thresholds = scores;
  thresholds.push_back(1e9);
  for (const double threshold : thresholds) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) wrong += (scores[i] >= threshold) != (member[i] != 0) ? 1U : 0U;
    best = std::min({best, wrong, scores.size() - wrong});
  }
  return best;
}

TEST(Separation, MakesTheFewestErrors) {
  Random random("separation");
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> scores(random.index(12));
    std::vector<char> member(scores.size());
    for (double& s : scores) s = static_cast<double>(random.index(6));
    for (char& m : member) m = static_cast<char>(random.index(2));
    const Separation found = separation(scores, member);
    ASSERT_EQ(found.errors, fewest_errors(scores, member));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      wrong += ((scores[i] >= found.threshold) == found.above_is_member) != (member[i] != 0) ? 1U : 0U;
    }
    ASSERT_EQ(wrong, found.errors);
  }
}

TEST(Separation, ThresholdLiesHalfway) {
  const Separation found = separation(std::vector<double>{1, 2, 4, 9}, std::vector<char>{0, 0, 1, 1});
  EXPECT_EQ(found.threshold, 3);
  EXPECT_EQ(found.errors, 0U);
  EXPECT_TRUE(found.above_is_member);
}

}  // namespace
}  // namespace assay
