// Reference values: R's documentation of wilcox.test, SciPy 1.10 (mannwhitneyu), and enumeration of all arrangements.
#include "assay/detail/ranks.hpp"

#include "assay/detail/random.hpp"
#include "support/test.hpp"

namespace assay::unit_ranks_test {

// Permeability of chorioamnion, the example of R's ?wilcox.test (Hollander and Wolfe 1973).
const std::vector<double> kAtTerm = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
const std::vector<double> kEarly = {1.15, 0.88, 0.90, 0.74, 1.21};
// With ties.
const std::vector<double> kFewBase = {1, 2, 2, 3, 5, 5, 5, 8};
const std::vector<double> kFewTreated = {2, 3, 5, 6, 8, 9, 9};

TEST(MannWhitney, ExactAsInTheExampleOfR) {
  EXPECT_EQ(mann_whitney_u(kEarly, kAtTerm), 35);
  EXPECT_NEAR(mann_whitney_p(kEarly, kAtTerm), 0.2544122544122544, 1e-14);
  EXPECT_NEAR(mann_whitney_p(kAtTerm, kEarly), 0.2544122544122544, 1e-14);
}

TEST(MannWhitney, NormalWithTies) {
  EXPECT_EQ(mann_whitney_u(kFewBase, kFewTreated), 41.5);
  EXPECT_NEAR(mann_whitney_p(kFewBase, kFewTreated), 0.12655559410008105, 1e-14);
}

TEST(MannWhitney, NullDistributionEqualsEnumeration) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for (std::size_t m = 1; m <= 5; ++m) {
      std::vector<double> counts(n * m + 1, 0);
      std::vector<char> is_x(n + m, 0);
      std::fill(is_x.begin() + static_cast<std::ptrdiff_t>(m), is_x.end(), 1);
      double total = 0;
      do {
        std::size_t u = 0, below = 0;
        for (const char x : is_x) x != 0 ? u += below : ++below;
        ++counts[u];
        ++total;
      } while (std::next_permutation(is_x.begin(), is_x.end()));
      const std::vector<double> distribution = mann_whitney_distribution(n, m);
      ASSERT_EQ(distribution.size(), counts.size());
      for (std::size_t u = 0; u < counts.size(); ++u) ASSERT_NEAR(distribution[u], counts[u] / total, 1e-15);
    }
  }
}

TEST(MannWhitney, LargeNullDistributionHasItsMoments) {
  const std::vector<double> p = mann_whitney_distribution(50, 50);
  double sum = 0, first = 0, second = 0;
  for (std::size_t u = 0; u < p.size(); ++u) {
    const auto x = static_cast<double>(u);
    sum += p[u];
    first += x * p[u];
    second += x * x * p[u];
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(first, 1250, 1e-8);
  EXPECT_NEAR(second - first * first, 50 * 50 * 101 / 12.0, 1e-5);
}

TEST(MannWhitney, EqualConstantSamplesDoNotDiffer) {
  const std::vector<double> same(6, 3.0);
  EXPECT_EQ(mann_whitney_p(same, same), 1);
  EXPECT_TRUE(std::isnan(mann_whitney_p({}, same)));
}

TEST(HodgesLehmann, ExactIntervalAsInTheExampleOfR) {
  const Bounds bounds = hodges_lehmann_interval(kEarly, kAtTerm, 0.95);
  EXPECT_NEAR(bounds.lo, -0.15, 1e-12);
  EXPECT_NEAR(bounds.hi, 0.76, 1e-12);
}

TEST(HodgesLehmann, InfiniteWhenTooSmallForTheLevel) {
  const std::vector<double> three = {1, 2, 3}, four = {1, 2, 3, 4};
  EXPECT_FALSE(hodges_lehmann_interval(three, three, 0.95).finite());  // 1 of 20 arrangements is beyond each end
  const Bounds just = hodges_lehmann_interval(three, three, 0.9);      // exactly 5 % beyond each end
  EXPECT_EQ(just.lo, -2);
  EXPECT_EQ(just.hi, 2);
  EXPECT_TRUE(hodges_lehmann_interval(four, four, 0.95).finite());
  EXPECT_FALSE(hodges_lehmann_interval({}, four, 0.95).known());
}

TEST(HodgesLehmann, NormalBeyondExactPairsJoinsTheExactOne) {
  // Just over and just under kExactPairs the intervals of near-equal data nearly agree.
  std::vector<double> base(50), treated(50);
  Random random("join");
  for (double& v : base) v = random.normal();
  for (double& v : treated) v = random.normal() + 1;
  const Bounds exact = hodges_lehmann_interval(base, treated, 0.95);
  base.push_back(median(base));
  const Bounds normal = hodges_lehmann_interval(base, treated, 0.95);
  EXPECT_NEAR(exact.lo, normal.lo, 0.03);
  EXPECT_NEAR(exact.hi, normal.hi, 0.03);
}

TEST(CliffsDelta, CountsPairs) {
  EXPECT_NEAR(cliffs_delta(kFewBase, kFewTreated), 0.4821428571428572, 1e-15);
  EXPECT_EQ(cliffs_delta(std::vector<double>{1, 2}, std::vector<double>{3, 4}), 1);
  EXPECT_EQ(cliffs_delta(std::vector<double>{3, 4}, std::vector<double>{1, 2}), -1);
  EXPECT_TRUE(std::isnan(cliffs_delta({}, kFewBase)));
}

}  // namespace assay::unit_ranks_test
