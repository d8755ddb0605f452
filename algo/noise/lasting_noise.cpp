#include "algo/noise/lasting_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algo/noise/sequence.hpp"
#include "assay/algo/distributions.hpp"

namespace assay {
namespace {

/// Log of the restricted likelihood of a lasting share, up to a constant. The mean and the scale of the values are
/// profiled out.
double likelihood(std::span<const double> values, double share) {
  constexpr double kNoWhite = 1e-9;  // a share of 1 would divide by zero
  const double r = kLastingCorrelation, white = std::max(1 - share, kNoWhite);
  // The filter runs over the values and over a series of ones: the mean is the regression of the first on the second.
  double level = 0, of_ones = 0, variance = share, logs = 0, ones = 0, cross = 0, squares = 0;
  for (const double value : values) {
    const double total = variance + white, fresh = value - level, one = 1 - of_ones, gain = variance / total;
    logs += std::log(total);
    ones += one * one / total;
    cross += one * fresh / total;
    squares += fresh * fresh / total;
    level = r * (level + gain * fresh);
    of_ones = r * (of_ones + gain * one);
    variance = r * r * variance * (1 - gain) + share * (1 - r * r);
  }
  const double left = squares - cross * cross / ones, degrees = static_cast<double>(values.size()) - 1;
  return left > 0 ? -0.5 * (logs + std::log(ones) + degrees * std::log(left)) : 0;
}

}  // namespace

void LastingShare::add(std::span<const double> values) {
  if (values.size() < 3) return;
  // The first value is subtracted so that squares of large, nearly equal values do not cancel.
  std::vector<double> shifted;
  for (const double value : values) shifted.push_back(value - values.front());
  const auto last = static_cast<double>(likelihood_.size() - 1);
  for (std::size_t i = 0; i < likelihood_.size(); ++i)
    likelihood_[i] += likelihood(shifted, static_cast<double>(i) / last);
}

double LastingShare::limit(double unlikely) const {
  const double least = *std::ranges::max_element(likelihood_) - unlikely;
  std::size_t at = likelihood_.size() - 1;
  while (likelihood_[at] < least) --at;
  return static_cast<double>(at) / static_cast<double>(likelihood_.size() - 1);
}

double lasting_share(std::span<const double> values) {
  LastingShare one;
  one.add(values);
  return one.limit();
}

LastingInterval::LastingInterval(std::size_t n, double sd, double share, double series)
    : n_(static_cast<double>(n)), sd_(sd), degrees_(n_ - 1) {
  // The correlations C of n values, centred by column: the moments of the sum of squares are traces of this matrix.
  std::vector<double> power(n, 1), centred(n * n);
  for (std::size_t i = 1; i < n; ++i) power[i] = power[i - 1] * kLastingCorrelation;
  double of_mean = 0, trace = 0, square_trace = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += power[i > j ? i - j : j - i] / n_;
    for (std::size_t i = 0; i < n; ++i) centred[i * n + j] = power[i > j ? i - j : j - i] - mean;
    of_mean += mean / n_;
    trace += centred[j * n + j];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) square_trace += centred[i * n + j] * centred[j * n + i];
  }
  const double rest = 1 - share, freedom = degrees_;
  const double expected = share * trace + rest * freedom;
  const double half_variance = share * share * square_trace + 2 * share * rest * trace + rest * rest * freedom;
  widening_ = std::sqrt(std::max(1.0, (share * of_mean + rest / n_) * n_ * freedom / expected));
  degrees_ = series * std::min(freedom, expected * expected / half_variance);
}

double LastingInterval::once(double error) const {
  return student_t_quantile(1 - error / 2, degrees_) * widening_ * sd_ / std::sqrt(n_);
}

double LastingInterval::at_each_look(double error, double prior) const {
  const double effective = std::max(1.0, n_ / (widening_ * widening_));
  const double k = 1 + effective * prior;
  const double r = std::exp(2 / (degrees_ + 1) * (0.5 * std::log(k) - std::log(error)));
  return r < k ? sd_ * widening_ * std::sqrt(degrees_ * (r - 1) / (1 - r / k) / n_)
               : std::numeric_limits<double>::infinity();
}

double unseen_by(std::size_t n) {
  constexpr std::size_t kFew = 16, kSome = 20;
  return n < kFew ? 0.2 : n < kSome ? kUnseenShift : 0;
}

}  // namespace assay
