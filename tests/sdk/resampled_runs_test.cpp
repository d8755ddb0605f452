#include "assay/detail/resampled_runs.hpp"

#include "support/test.hpp"

namespace assay::resampled_runs_test {

using Runs = std::vector<std::vector<double>>;

double log_median_of(std::span<const double> values) {
  return std::log(median(std::vector<double>(values.begin(), values.end())));
}

/// The same by making and searching every resample.
Bounds by_searching(const Runs& base, const Runs& treated, RunSummary summary, const BootstrapPlan& plan) {
  std::vector<std::span<const double>> samples(base.begin(), base.end());
  samples.insert(samples.end(), treated.begin(), treated.end());
  const auto statistic = [&](std::span<const std::span<double>> drawn) {
    std::vector<double> values;
    for (const std::span<double> run : drawn)
      values.push_back(summary == RunSummary::kMean ? mean(run) : median_in_place(run));
    const std::span<const double> all(values);
    const double top = log_median_of(all.subspan(base.size()));
    return base.empty() ? top : top - log_median_of(all.first(base.size()));
  };
  return bootstrap_bca(std::span<const std::span<const double>>(samples), statistic, plan);
}

Bounds by_place(const Runs& base, const Runs& treated, RunSummary summary, const BootstrapPlan& plan) {
  const auto runs_of = [&](const Runs& side) {
    std::vector<RunSamples> runs;
    for (const std::vector<double>& run : side) runs.push_back({run, summary});
    return runs;
  };
  return bootstrap_log_ratio(runs_of(base), runs_of(treated), plan);
}

/// Runs of up to `longest` samples, some with many equal ones, some serially dependent.
Runs random_runs(Random& random, std::size_t count, std::size_t longest) {
  Runs runs(count);
  for (std::vector<double>& run : runs) {
    run.resize(1 + random.index(longest));
    const std::size_t distinct = random.index(3) == 0 ? 3 : 1000000;
    double drift = 0;
    for (double& value : run) {
      drift = 0.7 * drift + random.uniform();
      value = 1 + drift + static_cast<double>(random.index(distinct)) / static_cast<double>(distinct);
      if (distinct == 3) value = std::floor(value);
    }
  }
  return runs;
}

// The median of independent samples has other draws than searching has (ResampleMedian), so here they stand in blocks.
TEST(ResampledRuns, EqualSearchingEveryResampleToTheBit) {
  Random random("resampled runs");
  for (int round = 0; round < 250; ++round) {
    const RunSummary summary = round % 3 == 0 ? RunSummary::kMean : RunSummary::kMedian;
    const Runs base = random_runs(random, random.index(4), 90), treated = random_runs(random, 1 + random.index(3), 90);
    BootstrapPlan plan;
    plan.seed = random.next();
    plan.resamples = 1 + random.index(300);
    plan.block_length = summary == RunSummary::kMean ? random.index(5) : 2 + random.index(3);
    const Bounds expected = by_searching(base, treated, summary, plan), got = by_place(base, treated, summary, plan);
    ASSERT_TRUE(got.known()) << round;
    EXPECT_EQ(got.lo, expected.lo) << round;
    EXPECT_EQ(got.hi, expected.hi) << round;
  }
}

Runs normal_logs(Random& random, std::size_t runs, std::size_t values) {
  Runs side(runs, std::vector<double>(values));
  for (std::vector<double>& run : side) {
    for (double& value : run) value = std::exp(random.normal());
  }
  return side;
}

TEST(ResampledRuns, EqualSearchingAtAStrictLevel) {
  Random random("strict");
  for (const std::size_t n : {11U, 66U, 300U}) {
    const Runs base = normal_logs(random, 2, n), treated = normal_logs(random, 2, n);
    BootstrapPlan plan;
    plan.level = n < 100 ? 0.99 : 0.95;
    plan.block_length = 2;
    plan.seed = n;
    const Bounds expected = by_searching(base, treated, RunSummary::kMedian, plan);
    const Bounds got = by_place(base, treated, RunSummary::kMedian, plan);
    EXPECT_EQ(got.lo, expected.lo) << n;
    EXPECT_EQ(got.hi, expected.hi) << n;
  }
}

// Of 20,000 resamples an end of the interval moves by less than a twentieth of its width.
TEST(ResampledRuns, OfIndependentSamplesEqualSearchingButForTheDraws) {
  Random random("independent");
  for (const std::size_t n : {7U, 11U, 12U, 66U}) {
    const Runs base = normal_logs(random, 3, n), treated = normal_logs(random, 3, n);
    BootstrapPlan plan;
    plan.block_length = 1;
    plan.resamples = 20000;
    plan.seed = n;
    const Bounds expected = by_searching(base, treated, RunSummary::kMedian, plan);
    const Bounds got = by_place(base, treated, RunSummary::kMedian, plan);
    const double width = expected.hi - expected.lo;
    EXPECT_NEAR(got.lo, expected.lo, width / 20) << n;
    EXPECT_NEAR(got.hi, expected.hi, width / 20) << n;
    EXPECT_NE(got.lo, expected.lo) << n;
  }
}

TEST(ResampledRuns, NoIntervalWithoutSamplesOrWithoutALogarithm) {
  const Runs some = {{1, 2, 3, 4, 5}}, zeros = {std::vector<double>(5, 0.0)}, empty = {{}};
  const Runs unknown = {{1, std::numeric_limits<double>::quiet_NaN(), 3}};
  for (const Runs& wrong : {zeros, empty, unknown}) {
    EXPECT_FALSE(by_place(some, wrong, RunSummary::kMedian, {}).known());
    EXPECT_FALSE(by_place(wrong, some, RunSummary::kMedian, {}).known());
    EXPECT_FALSE(by_place({}, wrong, RunSummary::kMean, {}).known());
  }
  EXPECT_FALSE(by_place(some, {}, RunSummary::kMedian, {}).known());
  EXPECT_TRUE(by_place({}, some, RunSummary::kMedian, {}).known());
}

}  // namespace assay::resampled_runs_test
