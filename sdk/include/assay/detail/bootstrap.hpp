// BCa bootstrap intervals (Efron 1987) for a statistic of one or more samples, with circular blocks (Politis and Romano
// 1992) if neighbouring values of a sample are dependent.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/random.hpp"

namespace assay {

/// Parameters of a bootstrap. Zeros are chosen from the data.
struct BootstrapPlan {
  double level = 0.95;
  std::uint64_t seed = 0;
  std::size_t block_length = 0;  ///< 0: automatic_block_length of each sample; 1: values are independent
  std::size_t resamples = 0;     ///< 0: 2000, or more if a higher level leaves fewer than 50 beyond each end
};

/// Lag-1 correlation of ranks, corrected for its bias in short series; 0 if undefined. Ranks, because one late
/// iteration among many even ones would hide any dependence.
double rank_autocorrelation(std::span<const double> x);

/// Block length for a series: Carlstein's rule for a first-order autoregression, (sqrt(6) r / (1 - r^2))^(2/3) n^(1/3)
/// with the rank autocorrelation r, rounded; 1 if r is not positive; at most a quarter of the series.
std::size_t automatic_block_length(std::span<const double> x);

namespace detail {

/// Scratch copies of samples, with views for the statistic.
struct Resample {
  std::vector<std::vector<double>> values;
  std::vector<std::span<double>> views;

  explicit Resample(std::span<const std::span<const double>> samples) : values(samples.size()), views(samples.size()) {
    for (std::size_t s = 0; s < samples.size(); ++s) set(s, samples[s]);
  }
  void set(std::size_t s, std::span<const double> sample) {
    values[s].assign(sample.begin(), sample.end());
    views[s] = values[s];
  }
  /// Sets sample `s` without its values first .. last - 1.
  void set_without(std::size_t s, std::span<const double> sample, std::size_t first, std::size_t last) {
    values[s].assign(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(first));
    values[s].insert(values[s].end(), sample.begin() + static_cast<std::ptrdiff_t>(last), sample.end());
    views[s] = values[s];
  }
  /// Fills sample `s` from random blocks, wrapping around at the end of the series.
  void draw(std::size_t s, std::span<const double> sample, std::size_t block, Random& random) {
    const std::size_t n = sample.size();
    for (std::size_t i = 0; i < n;) {
      std::size_t from = random.index(n);
      for (const std::size_t last = std::min(n, i + block); i < last; ++i) {
        values[s][i] = sample[from];
        from = from + 1 == n ? 0 : from + 1;
      }
    }
  }
};

/// BCa acceleration by the jackknife of several samples (Davison and Hinkley 1997, eq. 5.23), leaving out one block at
/// a time. Long series are divided into at most 200 pieces: more make no relevant difference. `statistic_without(s,
/// first, last)` is the statistic when sample s lacks its values first .. last - 1.
template <class StatisticWithout>
double acceleration(std::span<const std::size_t> sizes, std::span<const std::size_t> blocks,
                    StatisticWithout&& statistic_without) {
  double cubes = 0, squares = 0;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::size_t n = sizes[s];
    const std::size_t piece = std::max(blocks[s], (n + 199) / 200);
    const std::size_t pieces = n / piece;
    if (pieces < 3) continue;
    std::vector<double> left_out(pieces);
    for (std::size_t g = 0; g < pieces; ++g)
      left_out[g] = statistic_without(s, g * piece, g + 1 == pieces ? n : (g + 1) * piece);
    const double centre = mean(left_out);
    for (const double value : left_out) {
      const double influence = (centre - value) * static_cast<double>(pieces - 1) / static_cast<double>(pieces);
      cubes += influence * influence * influence;
      squares += influence * influence;
    }
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

/// Block lengths of the samples according to the plan.
struct BlockLengths {
  std::vector<std::size_t> sizes, blocks;
  double degrees = 0;  ///< one per block beyond the first of each sample

  /// Adds a sample. Precondition: not empty.
  void add(std::span<const double> sample, const BootstrapPlan& plan);
};

/// Interval by the rule of `bootstrap_bca`. `replicate(random)` returns one replicate of the statistic per call,
/// `statistic_without` as for `acceleration`.
template <class Replicate, class StatisticWithout>
Bounds bca_interval(const BlockLengths& samples, double observed, const BootstrapPlan& plan, Replicate&& replicate,
                    StatisticWithout&& statistic_without) {
  const auto beyond = static_cast<std::size_t>(std::min(100 / (1 - plan.level), 200000.0));
  std::vector<double> replicates(plan.resamples != 0 ? plan.resamples : std::max<std::size_t>(2000, beyond));
  Random random(plan.seed);
  double below = 0;
  bool constant = true;
  for (double& value : replicates) {
    value = replicate(random);
    if (!std::isfinite(value)) return {};
    below += value < observed ? 1 : (value == observed ? 0.5 : 0);
    constant = constant && value == replicates.front();
  }
  if (!std::isfinite(observed) || constant) return {observed, observed};

  const auto count = static_cast<double>(replicates.size());
  const double bias = normal_quantile(std::clamp(below / count, 0.5 / count, 1 - 0.5 / count));
  const double skew = acceleration(samples.sizes, samples.blocks, statistic_without);
  const double wide = student_t_quantile((1 + plan.level) / 2, std::max(1.0, samples.degrees));
  const auto end = [&](double z) {
    const double moved = bias + (bias + z) / std::max(1e-3, 1 - skew * (bias + z));
    return quantile_in_place(replicates, normal_cdf(moved));
  };
  const double lo = end(-wide);
  return {lo, end(wide)};
}

}  // namespace detail

/// BCa interval of `statistic(std::span<const std::span<double>>) -> double`, which may reorder its input. Samples are
/// resampled separately. The normal quantile of BCa is replaced by Student's with one degree of freedom per block
/// beyond the first of each sample, which repairs most of the shortness at small n (Hesterberg 2015). The result
/// depends only on the samples, their order and the plan. NaN bounds if a sample is empty or the statistic is not
/// finite somewhere.
template <class Statistic>
Bounds bootstrap_bca(std::span<const std::span<const double>> samples, Statistic&& statistic,
                     const BootstrapPlan& plan) {
  detail::BlockLengths lengths;
  for (const std::span<const double> sample : samples) {
    if (sample.empty()) return {};
    lengths.add(sample, plan);
  }
  detail::Resample resample(samples);
  const auto of = [&](const detail::Resample& drawn) {
    return statistic(std::span<const std::span<double>>(drawn.views));
  };
  const auto replicate = [&](Random& random) {
    for (std::size_t s = 0; s < samples.size(); ++s) resample.draw(s, samples[s], lengths.blocks[s], random);
    return of(resample);
  };
  const auto without = [&](std::size_t s, std::size_t first, std::size_t last) {
    detail::Resample rest(samples);
    rest.set_without(s, samples[s], first, last);
    return of(rest);
  };
  const double observed = of(resample);
  return detail::bca_interval(lengths, observed, plan, replicate, without);
}

}  // namespace assay
