// Evidence over pairs (joint.hpp); its error rates are simulated in tests/simulate.
#include "assay/algo/joint.hpp"

#include "assay/algo/distributions.hpp"
#include "support/test.hpp"

namespace assay::joint_test {

TEST(JointEffect, IsTheGeometricMeanWithStudentsInterval) {
  const double ratios[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1.1};
  std::vector<PairLog> pairs;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    pairs.push_back({std::log(ratios[i]), i});
    sum += std::log(ratios[i]);
  }
  for (const double r : ratios) squares += (std::log(r) - sum / 6) * (std::log(r) - sum / 6);
  const JointEffect joint = joint_effect(pairs, 0.95);
  const double half = student_t_quantile(0.975, 5) * std::sqrt(squares / 5 / 6);
  EXPECT_NEAR(std::log(joint.ratio), sum / 6, 1e-12);
  EXPECT_NEAR(std::log(joint.lo), sum / 6 - half, 1e-12);
  EXPECT_NEAR(std::log(joint.hi), sum / 6 + half, 1e-12);
  EXPECT_EQ(joint.cells, 6U);
  EXPECT_EQ(joint.agreeing(), 5U);
  EXPECT_TRUE(joint.differs());
}

TEST(JointEffect, PairsOfOneBaseAreOneCell) {
  std::vector<PairLog> pairs;
  for (std::size_t i = 0; i < 12; ++i) pairs.push_back({std::log(0.5 + 0.01 * static_cast<double>(i)), i / 3});
  const JointEffect joint = joint_effect(pairs, 0.95);
  EXPECT_EQ(joint.pairs, 12U);
  EXPECT_EQ(joint.cells, 4U);
  EXPECT_LT(joint.hi, 1);
  EXPECT_FALSE(joint.differs()) << "four independent cells decide nothing";
}

TEST(JointEffect, OnePairHasNoInterval) {
  const PairLog pair{std::log(0.5), 0};
  const JointEffect joint = joint_effect({&pair, 1}, 0.95);
  EXPECT_NEAR(joint.ratio, 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(joint.lo));
}

TEST(JointEffect, ShowsTheRangeOfFewerThanSixPairs) {
  const PairLog same_way[] = {{std::log(1 / 3.5), 0}, {std::log(1 / 2.9), 1}};
  EXPECT_EQ(joint_text(joint_effect(same_way, 0.95), "ns"), "2.9x to 3.5x faster (2 of 2 pairs)");
  const PairLog both_ways[] = {{std::log(0.5), 0}, {std::log(1.04), 1}};
  EXPECT_EQ(joint_text(joint_effect(both_ways, 0.95), "ratio"), "4.0 % higher to 50.0 % lower (1 of 2 pairs)");
}

TEST(JointEffect, HasNoIntervalBeyondAllNumbers) {
  const PairLog pairs[] = {{std::log(0.5), 0}, {std::log(20), 1}};
  const JointEffect joint = joint_effect(pairs, 0.9999);
  EXPECT_NEAR(joint.ratio, std::sqrt(10), 1e-12);
  EXPECT_TRUE(std::isnan(joint.lo));
  EXPECT_TRUE(std::isnan(joint.hi));
  EXPECT_FALSE(joint.differs());
}

/// Clopper and Pearson: of n in n the lower end is (alpha / 2)^(1 / n); 13 of 20 is in every table.
TEST(BinomialInterval, IsExact) {
  EXPECT_NEAR(binomial_interval(13, 13, 0.95).lo, std::pow(0.025, 1.0 / 13), 1e-9);
  EXPECT_EQ(binomial_interval(13, 13, 0.95).hi, 1);
  EXPECT_NEAR(binomial_interval(13, 20, 0.95).lo, 0.4078, 1e-4);
  EXPECT_NEAR(binomial_interval(13, 20, 0.95).hi, 0.8461, 1e-4);
  EXPECT_EQ(binomial_interval(0, 5, 0.95).lo, 0);
}

}  // namespace assay::joint_test
