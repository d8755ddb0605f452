#include "assay/detail/resampled_runs.hpp"

#include <gtest/gtest.h>

#include <map>

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

/// Runs too long for a distribution of their medians.
Runs long_runs(Random& random, std::size_t count) {
  Runs runs = random_runs(random, count, 90);
  for (std::vector<double>& run : runs) {
    while (run.size() <= detail::MedianDraw::kShort) run.push_back(run.back() + random.uniform());
  }
  return runs;
}

TEST(ResampledRuns, LongRunsAndMeansEqualSearchingEveryResampleToTheBit) {
  Random random("resampled runs");
  for (int round = 0; round < 250; ++round) {
    const RunSummary summary = round % 3 == 0 ? RunSummary::kMean : RunSummary::kMedian;
    const auto runs = [&](std::size_t count) {
      return summary == RunSummary::kMean ? random_runs(random, count, 20) : long_runs(random, count);
    };
    const Runs base = runs(random.index(4)), treated = runs(1 + random.index(3));
    BootstrapPlan plan;
    plan.seed = random.next();
    plan.resamples = 1 + random.index(300);
    plan.block_length = random.index(5);
    const Bounds expected = by_searching(base, treated, summary, plan), got = by_place(base, treated, summary, plan);
    ASSERT_TRUE(got.known()) << round;
    EXPECT_EQ(got.lo, expected.lo) << round;
    EXPECT_EQ(got.hi, expected.hi) << round;
  }
}

TEST(ResampledRuns, LongRunsAtAStrictLevelEqualSearching) {
  Random random("strict");
  for (const std::size_t n : {65U, 66U, 300U}) {
    Runs base(2, std::vector<double>(n)), treated = base;
    for (Runs* side : {&base, &treated}) {
      for (std::vector<double>& run : *side) {
        for (double& value : run) value = std::exp(random.normal());
      }
    }
    BootstrapPlan plan;
    plan.level = n < 100 ? 0.99 : 0.95;
    plan.seed = n;
    const Bounds expected = by_searching(base, treated, RunSummary::kMedian, plan);
    const Bounds got = by_place(base, treated, RunSummary::kMedian, plan);
    EXPECT_EQ(got.lo, expected.lo) << n;
    EXPECT_EQ(got.hi, expected.hi) << n;
  }
}

/// How often each pair of places holds the middle values, over every resample that circular blocks of `sample` can
/// make.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> places_of_every_resample(const std::vector<double>& sample,
                                                                                   std::size_t block) {
  const std::size_t n = sample.size(), blocks = (n + block - 1) / block;
  std::vector<double> sorted = sample;
  std::sort(sorted.begin(), sorted.end());
  std::size_t resamples = 1;
  for (std::size_t b = 0; b < blocks; ++b) resamples *= n;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> out;
  for (std::size_t code = 0; code < resamples; ++code) {
    std::vector<double> drawn;
    std::size_t rest = code;
    for (std::size_t b = 0; b < blocks; ++b, rest /= n) {
      for (std::size_t i = 0; i < block && drawn.size() < n; ++i) drawn.push_back(sample[(rest % n + i) % n]);
    }
    std::sort(drawn.begin(), drawn.end());
    const auto place = [&](double value) {
      return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
    };
    out[{place(drawn[(n + 1) / 2 - 1]), place(drawn[n / 2])}] += 1;
  }
  for (auto& [places, share] : out) share /= static_cast<double>(resamples);
  return out;
}

TEST(ResampledRuns, PlacesOfShortRunsAreThoseOfEveryResample) {
  Random random("every resample");
  for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    for (std::size_t block = 1; block <= n; ++block) {
      for (const std::size_t distinct : {n, std::size_t{2}}) {
        std::vector<double> sample(n);
        for (double& value : sample) value = distinct == n ? random.uniform() : static_cast<double>(random.index(2));
        auto expected = places_of_every_resample(sample, block);
        double sum = 0;
        for (const auto& [place, probability] : detail::MedianDraw(sample, block).chances()) {
          EXPECT_NEAR(probability, (expected[{place.below, place.above}]), 1e-12) << n << " " << block;
          sum += probability;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  }
}

// P(median of a resample of n independent values is at most the k-th) = P(Binomial(n, k/n) >= (n + 1) / 2).
TEST(ResampledRuns, PlacesOfMediansFollowTheBinomialDistribution) {
  for (const std::size_t n : {3U, 9U, 15U, 31U, 63U}) {
    std::vector<double> sample(n);
    for (std::size_t i = 0; i < n; ++i) sample[i] = static_cast<double>((i * 11) % n);
    detail::MedianDraw draw(sample, 1);
    Random random("places");
    constexpr std::size_t kDraws = 200000;
    std::vector<double> chance(n), drawn(n);
    for (const auto& [place, probability] : draw.chances()) chance[place.above] += probability;
    for (std::size_t i = 0; i < kDraws; ++i) ++drawn[draw.draw(random).above];
    double share = 0, of_drawn = 0;
    for (std::size_t k = 1; k <= n; ++k) {
      share += chance[k - 1];
      of_drawn += drawn[k - 1] / kDraws;
      const double p = static_cast<double>(k) / static_cast<double>(n);
      double expected = 0;
      for (std::size_t c = (n + 1) / 2; c <= n; ++c) {
        double ways = 1;
        for (std::size_t i = 0; i < c; ++i) ways *= static_cast<double>(n - i) / static_cast<double>(c - i);
        expected += ways * std::pow(p, static_cast<double>(c)) * std::pow(1 - p, static_cast<double>(n - c));
      }
      EXPECT_NEAR(share, expected, 1e-12) << n << " " << k;
      EXPECT_NEAR(of_drawn, expected, 0.006) << n << " " << k;
    }
  }
}

// Both draw from one distribution: with many resamples their bounds are those of one population but for a few places.
TEST(ResampledRuns, ShortRunsHaveTheIntervalOfSearching) {
  Random random("short");
  for (int round = 0; round < 8; ++round) {
    Runs base = random_runs(random, 1 + random.index(3), 1), treated = base;
    const std::size_t n = 11 + random.index(detail::MedianDraw::kShort - 10);
    for (Runs* side : {&base, &treated}) {
      for (std::vector<double>& run : *side) {
        run.resize(n);
        for (double& value : run) value = std::exp(0.1 * random.normal());
      }
    }
    BootstrapPlan plan;
    plan.seed = random.next();
    plan.resamples = 20000;
    plan.block_length = random.index(4);
    const Bounds expected = by_searching(base, treated, RunSummary::kMedian, plan);
    const Bounds got = by_place(base, treated, RunSummary::kMedian, plan);
    const double width = expected.hi - expected.lo;
    EXPECT_NEAR(got.lo, expected.lo, 0.1 * width) << n;
    EXPECT_NEAR(got.hi, expected.hi, 0.1 * width) << n;
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
