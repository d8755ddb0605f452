#include "assay/detail/bootstrap.hpp"

#include <thread>

#include "support/test.hpp"

namespace assay::bootstrap_test {

const std::vector<double> kBase = {1.189, 1.508, 1.18,  0.521, 1.573, 1.25,  0.765, 1.337, 1.2,
                                   1.158, 1.014, 1.314, 0.692, 0.922, 0.786, 1.349, 1.02,  0.864,
                                   0.676, 0.879, 1.004, 0.871, 1.91,  1.654, 0.258};
const std::vector<double> kTreated = {0.506, 1.191, 1.053, 1.447, 1.449, 3.748, 0.746, 1.076, 3.61,  1.796, 1.811,
                                      1.005, 0.57,  1.414, 1.373, 0.704, 0.924, 1.254, 0.811, 1.238, 1.364, 1.323};

/// Of a statistic of two samples, `statistic(std::span<double> base, std::span<double> treated)`.
template <class Statistic>
Bounds bootstrap_of_two(std::span<const double> base, std::span<const double> treated, Statistic&& statistic,
                        const BootstrapPlan& plan) {
  const std::array samples = {base, treated};
  const auto of_both = [&](std::span<const std::span<double>> drawn) { return statistic(drawn[0], drawn[1]); };
  return bootstrap_bca(std::span<const std::span<const double>>(samples), of_both, plan);
}

double ratio_of_medians(std::span<double> base, std::span<double> treated) {
  return median_in_place(treated) / median_in_place(base);
}
double ratio_of_means(std::span<double> base, std::span<double> treated) { return mean(treated) / mean(base); }

BootstrapPlan plan(std::size_t resamples, std::size_t block = 1) {
  BootstrapPlan out;
  out.resamples = resamples;
  out.block_length = block;
  out.seed = seed_of("bootstrap test");
  return out;
}

// scipy.stats.bootstrap, method BCa, 200000 resamples, at the level whose normal quantile is Student's with 45 degrees.
TEST(Bca, AgreesWithSciPy) {
  const Bounds means = bootstrap_of_two(kBase, kTreated, ratio_of_means, plan(50000));
  EXPECT_NEAR(means.lo, 1.00278, 0.01);
  EXPECT_NEAR(means.hi, 1.78013, 0.01);
  const Bounds medians = bootstrap_of_two(kBase, kTreated, ratio_of_medians, plan(50000));
  EXPECT_NEAR(medians.lo, 0.96059, 0.01);
  EXPECT_NEAR(medians.hi, 1.58912, 0.01);
}

TEST(Bca, ScalesWithTheData) {
  std::vector<double> scaled = kTreated;
  for (double& v : scaled) v *= 2;
  const Bounds one = bootstrap_of_two(kBase, kTreated, ratio_of_medians, plan(0));
  const Bounds two = bootstrap_of_two(kBase, scaled, ratio_of_medians, plan(0));
  EXPECT_DOUBLE_EQ(two.lo, 2 * one.lo);
  EXPECT_DOUBLE_EQ(two.hi, 2 * one.hi);
}

TEST(Bca, SameBitsOnEveryThread) {
  const Bounds here = bootstrap_of_two(kBase, kTreated, ratio_of_medians, plan(0));
  std::vector<Bounds> there(4);
  std::vector<std::thread> threads;
  for (Bounds& b : there) {
    threads.emplace_back([&b] { b = bootstrap_of_two(kBase, kTreated, ratio_of_medians, plan(0)); });
  }
  for (std::thread& t : threads) t.join();
  for (const Bounds& b : there) {
    EXPECT_EQ(b.lo, here.lo);
    EXPECT_EQ(b.hi, here.hi);
  }
  BootstrapPlan other = plan(0);
  other.seed = 7;
  EXPECT_NE(bootstrap_of_two(kBase, kTreated, ratio_of_medians, other).lo, here.lo);
}

TEST(Bca, HigherLevelIsWider) {
  BootstrapPlan narrow = plan(0), wide = plan(0);
  wide.level = 0.995;
  const Bounds n = bootstrap_of_two(kBase, kTreated, ratio_of_means, narrow);
  const Bounds w = bootstrap_of_two(kBase, kTreated, ratio_of_means, wide);
  EXPECT_LT(w.lo, n.lo);
  EXPECT_GT(w.hi, n.hi);
}

TEST(Bca, DegenerateInputs) {
  const std::vector<double> constant(20, 4.0);
  const Bounds point = bootstrap_of_two(constant, constant, ratio_of_medians, plan(0));
  EXPECT_EQ(point.lo, 1);
  EXPECT_EQ(point.hi, 1);
  EXPECT_FALSE(bootstrap_of_two(std::span<const double>(), constant, ratio_of_medians, plan(0)).known());
  const std::vector<double> zeros(20, 0.0);
  EXPECT_FALSE(bootstrap_of_two(zeros, constant, ratio_of_medians, plan(0)).known());
}

std::vector<double> autoregression(double r, std::size_t n, std::string_view seed) {
  Random random(seed);
  std::vector<double> x(n);
  double z = random.normal();
  for (double& v : x) {
    v = z;
    z = r * z + std::sqrt(1 - r * r) * random.normal();
  }
  return x;
}

TEST(BlockLength, FollowsDependence) {
  EXPECT_LE(automatic_block_length(autoregression(0, 1000, "iid")), 3U);
  // (sqrt(6) * 0.5 / 0.75)^(2/3) * 10 = 13.9
  const std::size_t length = automatic_block_length(autoregression(0.5, 1000, "half"));
  EXPECT_GE(length, 12U);
  EXPECT_LE(length, 16U);
  EXPECT_EQ(automatic_block_length(autoregression(0.99, 40, "strong")), 10U);  // a quarter of the series at most
  EXPECT_EQ(automatic_block_length(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2}), 1U);
  EXPECT_EQ(automatic_block_length(std::vector<double>(30, 1.0)), 1U);
  EXPECT_EQ(automatic_block_length(std::vector<double>{1, 2}), 1U);
}

TEST(BlockLength, OneOutlierHidesNoDependence) {
  std::vector<double> x = autoregression(0.7, 200, "outlier");
  const double before = rank_autocorrelation(x);
  x[100] = 1e6;
  EXPECT_NEAR(rank_autocorrelation(x), before, 0.05);
}

TEST(Bca, BlocksWidenTheIntervalOfADependentSeries) {
  const std::vector<double> a = autoregression(0.8, 200, "a"), b = autoregression(0.8, 200, "b");
  const auto difference = [](std::span<double> x, std::span<double> y) { return mean(y) - mean(x); };
  const Bounds iid = bootstrap_of_two(a, b, difference, plan(2000, 1));
  const Bounds blocks = bootstrap_of_two(a, b, difference, plan(2000, 0));
  EXPECT_GT(blocks.hi - blocks.lo, 1.5 * (iid.hi - iid.lo));
}

}  // namespace assay::bootstrap_test
