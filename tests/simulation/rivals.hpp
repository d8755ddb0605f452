// Stopping rules of others, each as the interval that it lets one speak of: all of the line while it does not stop.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "algo/noise/sequence.hpp"
#include "assay/algo/distributions.hpp"

namespace assay::simulated {

struct Interval {
  double lo, hi;
};

inline constexpr Interval kNothing{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

/// Logs of the runs of one pair of cells, block after block.
struct PairRuns {
  std::vector<double> base, treated;
};

inline double deviation(std::span<const double> x) {
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  return x.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(x.size() - 1));
}

/// NVBench's `stdrel` for a cell: its relative noise is below 0.5 %, or has settled: the deviation of the noise over a
/// trailing window is below 5 % of its mean. NVBench's window of 64 is 10 here, where there are 30 runs.
inline bool noise_is_settled(const std::vector<double>& logs) {
  constexpr std::size_t kWindow = 10;
  if (logs.size() < 3) return false;
  std::vector<double> noise;
  const std::size_t first = logs.size() > kWindow ? logs.size() - kWindow : 0;
  for (std::size_t n = std::max<std::size_t>(first, 1); n < logs.size(); ++n)
    noise.push_back(deviation({logs.data(), n + 1}));
  if (noise.back() < 0.005) return true;
  double mean = 0;
  for (const double v : noise) mean += v / static_cast<double>(noise.size());
  return noise.size() >= kWindow && deviation(noise) < 0.05 * mean;
}

/// Shifts that the rank test of Mann and Whitney does not reject at 0.01 (normal approximation, five a side or more).
inline Interval mann_whitney(const PairRuns& runs) {
  const std::size_t n = runs.base.size();
  if (n < 5) return kNothing;
  std::vector<double> shifts;
  for (const double b : runs.base) {
    for (const double t : runs.treated) shifts.push_back(t - b);
  }
  std::sort(shifts.begin(), shifts.end());
  const double count = static_cast<double>(n), mean = count * count / 2;
  const double spread = std::sqrt(count * count * (2 * count + 1) / 12);
  const double cut = mean - normal_quantile(0.995) * spread - 0.5;
  if (cut < 0) return kNothing;
  const auto k = static_cast<std::size_t>(cut);
  return {shifts[k], shifts[shifts.size() - 1 - k]};
}

/// Wald's test of each bound against a shift of 2 % on either side, with the spread put in as it is found, power 0.9.
inline Interval sprt(const SequenceInterval& seen, double level) {
  constexpr double kShift = 0.02;
  if (seen.n < 3) return kNothing;
  const double far = std::log(0.9 / ((1 - level) / 2));
  const double half = far * seen.sd * seen.sd / (static_cast<double>(seen.n) * kShift) + kShift / 2;
  return {seen.mean - half, seen.mean + half};
}

/// Bounds of z by Lan and DeMets' spending in the manner of O'Brien and Fleming, `looks` equally far apart, two-sided
/// at `alpha`; infinite where what may be spent is nothing. By recursive integration of the score on a grid.
inline std::vector<double> spending_bounds(std::size_t looks, double alpha) {
  constexpr std::size_t kGrid = 801;
  std::vector<double> bounds;
  std::vector<double> place, density;  // of the score at the last look, within its bounds
  double spent = 0;
  for (std::size_t k = 1; k <= looks; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(looks), root = std::sqrt(static_cast<double>(k));
    const double may = 2 * (1 - normal_cdf(normal_quantile(1 - alpha / 4) / std::sqrt(t)));  // of each side
    const double now = may - spent;
    const auto above = [&](double c) {  // probability to leave upwards first now, beyond c * root
      if (place.empty()) return 1 - normal_cdf(c * root / std::sqrt(static_cast<double>(k)));
      double sum = 0;
      const double step = place[1] - place[0];
      for (std::size_t i = 0; i < place.size(); ++i) {
        const double weight = i == 0 || i + 1 == place.size() ? 0.5 : 1;
        sum += weight * density[i] * (1 - normal_cdf(c * root - place[i]));
      }
      return sum * step;
    };
    constexpr double kMin = 1e-12;
    double c = 8;
    if (now > kMin) {
      double lo = 0, hi = 8;
      for (int i = 0; i < 60; ++i) {
        c = (lo + hi) / 2;
        (above(c) > now ? lo : hi) = c;
      }
      spent = may;
    }
    bounds.push_back(now > kMin ? c : std::numeric_limits<double>::infinity());
    std::vector<double> next(kGrid), after(kGrid);
    for (std::size_t i = 0; i < kGrid; ++i) {
      next[i] = c * root * (2 * static_cast<double>(i) / (kGrid - 1) - 1);
      const auto normal = [](double x) { return std::exp(-x * x / 2) / 2.5066282746310002; };
      if (place.empty()) {
        after[i] = normal(next[i] / std::sqrt(static_cast<double>(k))) / std::sqrt(static_cast<double>(k));
        continue;
      }
      const double step = place[1] - place[0];
      for (std::size_t j = 0; j < place.size(); ++j) after[i] += step * density[j] * normal(next[i] - place[j]);
    }
    place = std::move(next);
    density = std::move(after);
  }
  return bounds;
}

/// Half-widths in units of the standard error: the bounds of z at the same tail of Student's t.
inline Interval spending(const SequenceInterval& seen, double level, std::size_t looks) {
  static std::map<double, std::vector<double>> known;
  const auto [at, fresh] = known.emplace(level, std::vector<double>());
  if (fresh) {
    at->second = spending_bounds(looks, 1 - level);
    for (std::size_t n = 2; n <= looks; ++n) {
      double& bound = at->second[n - 1];
      const double tail = 1 - normal_cdf(bound);
      bound = tail > 1e-14 ? student_t_quantile(1 - tail, static_cast<double>(n) - 1)
                           : std::numeric_limits<double>::infinity();
    }
  }
  if (seen.n < 2 || !std::isfinite(at->second[seen.n - 1])) return kNothing;
  const double half = at->second[seen.n - 1] * seen.sd / std::sqrt(static_cast<double>(seen.n));
  return {seen.mean - half, seen.mean + half};
}

}  // namespace assay::simulated
