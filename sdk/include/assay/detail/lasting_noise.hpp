// How much of the noise of a series lasts over several blocks, and the interval of its mean that allows for it.
//
// Few blocks of one pair cannot show that a clock is stuck or that a machine drifts: three close values may all be off
// by the same amount. The model: a part of the variance, `share`, is an AR(1) process with correlation
// kLastingCorrelation between adjacent blocks, the rest is independent per block. The share is the largest that the
// values do not make unlikely (upper 90 % limit of the restricted likelihood, by a Kalman filter); three values exclude
// no share, thirty independent ones all but a small one. With
// V   the variance of the mean,
// E   the expectation of the variance estimated from the values, over n,
// f   the degrees of freedom of that estimate (Satterthwaite: E^2 over half its variance), the standard error is sqrt(V
//     / E) times the usual one, with f degrees of freedom. run_order.hpp does the same for runs without blocks, whose
//     noise is all AR(1): a white part, as with stuck clocks, would hide that it lasts.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace assay {

/// Slightly above the correlation of adjacent blocks, 0.8, up to which the intervals are to hold.
inline constexpr double kLastingCorrelation = 0.85;

/// Max distance of a log likelihood from its maximum: the upper 90 % limit of one parameter.
inline constexpr double kUnlikelyShare = 0.82;

/// Evidence of several series on the share; each has its own mean and scale.
class LastingShare {
 public:
  void add(std::span<const double> values);
  /// Largest share, 0..1, that the series do not make unlikely; 1 if none has three values.
  [[nodiscard]] double limit(double unlikely = kUnlikelyShare) const;

 private:
  std::array<double, 21> likelihood_{};  ///< log of the restricted likelihood, for shares from 0 to 1
};

/// Limit from one series.
double lasting_share(std::span<const double> values);

/// Interval of the mean of `n` values whose noise partly lasts.
class LastingInterval {
 public:
  /// `sd`: of the values, divisor n - 1. n >= 2. `series`: number of series it is pooled over.
  LastingInterval(std::size_t n, double sd, double share, double series = 1);

  /// Half-width at an error level if the number of values was fixed in advance.
  [[nodiscard]] double once(double error) const;
  /// Half-width at an error level with a look after every value: the confidence sequence of sequence.hpp with the
  /// widened standard error and its degrees of freedom. `prior`: variance of the expected effects, in units of the
  /// spread. Infinite if there are too few values.
  [[nodiscard]] double at_each_look(double error, double prior) const;

 private:
  double n_, sd_, widening_ = 1, degrees_ = 0;
};

/// Min half-width, in logs, before a clock state or trend has had time to show: a factor of 1.22 before block 16, 8 %
/// before block 20. 0 afterwards, and for values that never change.
double unseen_by(std::size_t n);

}  // namespace assay
