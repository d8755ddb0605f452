// Reference values: SciPy 1.10 (scipy.stats.norm, scipy.stats.t.cdf); quantiles of t by bisection in mpmath with 40
// digits, because those of SciPy 1.10 are good to nine digits only.
#include "assay/algo/distributions.hpp"

#include "support/test.hpp"

namespace assay::distributions_test {

void expect_close(double actual, double expected, double relative = 1e-12) {
  EXPECT_NEAR(actual, expected, relative * std::abs(expected)) << "expected " << expected;
}

TEST(Normal, DistributionAndQuantile) {
  expect_close(normal_cdf(-8), 6.22096057427174e-16);
  expect_close(normal_cdf(-1.96), 0.024997895148220435);
  expect_close(normal_cdf(0.5), 0.6914624612740131);
  expect_close(normal_cdf(3), 0.9986501019683699);

  expect_close(normal_quantile(1e-300), -37.0470962993612);
  expect_close(normal_quantile(1e-10), -6.361340902404056);
  expect_close(normal_quantile(0.001), -3.090232306167813);
  expect_close(normal_quantile(0.025), -1.9599639845400545);
  expect_close(normal_quantile(0.3), -0.5244005127080409);
  expect_close(normal_quantile(0.9), 1.2815515655446004);
  expect_close(normal_quantile(0.999999), 4.753424308817087);
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(Normal, QuantileAtAndBeyondTheEnds) {
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::numeric_limits<double>::quiet_NaN())));
}

TEST(StudentT, Distribution) {
  expect_close(student_t_cdf(-3, 1), 0.10241638234956672);
  expect_close(student_t_cdf(1.5, 4), 0.896);
  expect_close(student_t_cdf(-0.2, 7.5), 0.4233981319954401);
  expect_close(student_t_cdf(4, 200), 0.999955434523907);
  expect_close(student_t_cdf(-40, 3), 1.719034039457927e-05);
  EXPECT_EQ(student_t_cdf(0, 3), 0.5);
}

TEST(StudentT, Quantile) {
  struct Row {
    double df, at_90, at_975, at_9995;
  };
  constexpr Row rows[] = {{1, 3.0776835371752534, 12.706204736174705, 636.61924876871962},
                          {2, 1.8856180831641267, 4.3026527297494639, 31.599054576443621},
                          {3, 1.6377443536962101, 3.1824463052837096, 12.923978636687483},
                          {5, 1.4758840488244811, 2.5705818356363155, 6.8688266258811102},
                          {10, 1.3721836411103356, 2.2281388519862747, 4.5868938587026359},
                          {30.5, 1.3099313160303751, 2.0408694451863206, 3.6395957941798031},
                          {100, 1.290074761346516, 1.9839715185235523, 3.3904913111642299}};
  for (const Row& row : rows) {
    expect_close(student_t_quantile(0.9, row.df), row.at_90, 1e-12);
    expect_close(student_t_quantile(0.975, row.df), row.at_975, 1e-12);
    expect_close(student_t_quantile(0.9995, row.df), row.at_9995, 1e-12);
    expect_close(student_t_quantile(0.025, row.df), -row.at_975, 1e-12);
  }
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
  expect_close(student_t_quantile(0.975, std::numeric_limits<double>::infinity()), 1.9599639845400545);
  EXPECT_TRUE(std::isnan(student_t_quantile(0.9, 0)));
}

}  // namespace assay::distributions_test
