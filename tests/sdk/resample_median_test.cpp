#include "assay/detail/resample_median.hpp"

#include "assay/algo/summary.hpp"
#include "support/test.hpp"

namespace assay::resample_median_test {

/// Share of each median among all n^n resamples.
std::map<double, double> by_making_all(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::map<double, double> count;
  double all = 0;
  std::vector<std::size_t> places(n, 0);
  for (bool more = true; more; ++all) {
    std::vector<double> drawn;
    for (const std::size_t place : places) drawn.push_back(values[place]);
    ++count[median_in_place(drawn)];
    more = false;
    for (std::size_t& place : places) {
      if (++place < n) {
        more = true;
        break;
      }
      place = 0;
    }
  }
  for (auto& [median, share] : count) share /= all;
  return count;
}

/// Of each, when `draws` medians were drawn.
std::map<double, double> by_drawing(const std::vector<double>& values, std::size_t draws) {
  const ResampleMedian medians(values);
  Random random("medians");
  std::map<double, double> count;
  for (std::size_t i = 0; i < draws; ++i) count[medians.draw(random)] += 1.0 / static_cast<double>(draws);
  return count;
}

TEST(ResampleMedian, ComesAsOftenAsAmongAllResamples) {
  constexpr std::size_t kDraws = 400'000;
  const std::vector<double> all = {1, 2.5, 2.5, 4, 7, 7.25, 11};
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const std::vector<double> values(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    const auto expected = by_making_all(values), got = by_drawing(values, kDraws);
    for (const auto& [median, share] : got) EXPECT_TRUE(expected.contains(median)) << n << ": " << median;
    for (const auto& [median, share] : expected) {
      const double error = 5 * std::sqrt(share * (1 - share) / kDraws);
      const auto at = got.find(median);
      EXPECT_NEAR(at == got.end() ? 0 : at->second, share, error + 1e-9) << n << ": " << median;
    }
  }
}

/// Mean and variance of the ranks of medians of resamples of 1 .. n, against making resamples.
TEST(ResampleMedian, HasTheMomentsOfMadeResamplesForLongSeries) {
  for (const std::size_t n : {64U, 301U, 2000U}) {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    const ResampleMedian medians(values);
    Random random("long");
    constexpr std::size_t kDraws = 4'000;
    std::vector<double> drawn(n), made, got;
    for (std::size_t i = 0; i < kDraws; ++i) {
      for (double& value : drawn) value = values[random.index(n)];
      made.push_back(median_in_place(drawn));
      got.push_back(medians.draw(random));
    }
    const double sd = sample_sd(made);
    EXPECT_NEAR(mean(got), mean(made), 6 * sd / std::sqrt(kDraws)) << n;
    EXPECT_NEAR(sample_sd(got), sd, 0.07 * sd) << n;
    EXPECT_NEAR(sd, std::sqrt(static_cast<double>(n)) / 2, 0.1 * sd) << n;
  }
}

}  // namespace assay::resample_median_test
