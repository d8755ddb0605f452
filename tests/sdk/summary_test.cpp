// Quantile references: NumPy 1.24, methods "linear" (type 7) and "averaged_inverted_cdf" (type 2).
#include "assay/algo/summary.hpp"

#include "assay/detail/random.hpp"
#include "support/test.hpp"

namespace assay::summary_test {

const std::vector<double> kTen = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
const std::vector<double> kEleven = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 7};

TEST(Summary, MeanAndSpread) {
  EXPECT_DOUBLE_EQ(mean(kTen), 3.9);
  EXPECT_NEAR(sample_sd(kTen), 2.46981780704569, 1e-13);  // statistics.stdev of Python
  EXPECT_EQ(sample_sd(std::vector<double>{7}), 0);
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(sample_sd({})));
}

TEST(Summary, QuantileOfTypeSeven) {
  const std::vector<std::pair<double, double>> ten = {{0, 1},     {0.1, 1},   {0.25, 2.25}, {0.333, 2.997},
                                                      {0.5, 3.5}, {0.9, 6.3}, {1, 9}};
  for (const auto& [p, expected] : ten) EXPECT_NEAR(quantile(kTen, p), expected, 1e-12) << p;
  const std::vector<std::pair<double, double>> eleven = {{0.1, 1}, {0.25, 2.5}, {0.333, 3}, {0.5, 4}, {0.9, 7}};
  for (const auto& [p, expected] : eleven) EXPECT_NEAR(quantile(kEleven, p), expected, 1e-12) << p;
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Summary, QuantileInPlaceEqualsThatOfSortedValues) {
  Random random("quantile");
  for (std::size_t n = 1; n < 60; ++n) {
    std::vector<double> x(n);
    for (double& v : x) v = static_cast<double>(random.index(30)) + random.uniform() * static_cast<double>(n % 2);
    for (const double p : {0.0, 1e-9, 0.1, 0.25, 0.5, 0.77, 1 - 1e-9, 1.0, random.uniform()}) {
      std::vector<double> scratch = x;
      EXPECT_EQ(quantile_in_place(scratch, p), quantile(x, p)) << n << " " << p;
      EXPECT_EQ(quantile_in_place(scratch, 1 - p), quantile(x, 1 - p)) << n << " " << p;
    }
  }
  EXPECT_TRUE(std::isnan(quantile_in_place({}, 0.5)));
}

TEST(Summary, QuantileOfTypeTwo) {
  const std::vector<std::pair<double, double>> ten = {{0, 1},     {0.1, 1},   {0.25, 2}, {0.333, 3},
                                                      {0.5, 3.5}, {0.9, 7.5}, {1, 9}};
  for (const auto& [p, expected] : ten) EXPECT_DOUBLE_EQ(quantile_type2(kTen, p), expected) << p;
  const std::vector<std::pair<double, double>> eleven = {{0.1, 1}, {0.25, 2}, {0.333, 3}, {0.5, 4}, {0.9, 7}};
  for (const auto& [p, expected] : eleven) EXPECT_DOUBLE_EQ(quantile_type2(kEleven, p), expected) << p;
}

TEST(Summary, TypeTwoAveragesAtAStepThatIsWholeButForRounding) {
  // 100 * 0.29 is 28.999999999999996 in doubles.
  std::vector<double> hundred(100);
  for (std::size_t i = 0; i < hundred.size(); ++i) hundred[i] = static_cast<double>(i + 1);
  EXPECT_EQ(quantile_type2(hundred, 0.29), 29.5);
}

TEST(Summary, MedianEqualsBothQuantiles) {
  Random random("median");
  for (std::size_t n = 1; n < 40; ++n) {
    std::vector<double> x(n);
    for (double& v : x) v = static_cast<double>(random.index(20));
    EXPECT_DOUBLE_EQ(median(x), quantile(x, 0.5));
    EXPECT_DOUBLE_EQ(median(x), quantile_type2(x, 0.5));
  }
  EXPECT_TRUE(std::isnan(median({})));
}

}  // namespace assay::summary_test
