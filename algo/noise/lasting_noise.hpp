// How much of the noise of a series lasts over blocks, and how wide the interval of its mean must be for that.
//
// Few blocks of one pair cannot show that a clock sticks or that a machine drifts: three values that lie close together
// may all be off by the same amount. The model: a part of the variance, `share`, is an AR(1) process of correlation
// kLastingCorrelation from one block to the next, the rest is new in every block. The share is the largest that the
// values do not make unlikely (upper 90 % limit of the restricted likelihood, by a Kalman filter); three values exclude
// none, thirty independent ones all but a small one. With it
//   V   the variance of the mean,
//   E   the expectation of the variance estimated from the values, over n,
//   f   the degrees of freedom of that estimate (Satterthwaite: E^2 over half its variance),
// the standard error is sqrt(V / E) times the usual one, with f degrees of freedom. run_order.hpp does the same for
// runs without blocks, whose noise is all AR(1): a white part, as clocks that stick have one, would hide that it lasts.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace assay {

/// Slightly above the correlation of neighbouring blocks, 0.8, up to which the intervals are to hold.
inline constexpr double kLastingCorrelation = 0.85;

/// How far the log of a likelihood may be below its maximum: the upper 90 % limit of one parameter.
inline constexpr double kUnlikelyShare = 0.82;

/// What series show together of the share; each has a mean and a scale of its own.
class LastingShare {
 public:
  void add(std::span<const double> values);
  /// Largest share, 0..1, that the series do not make unlikely; 1 if none has three values.
  [[nodiscard]] double limit(double unlikely = kUnlikelyShare) const;

 private:
  std::array<double, 21> likelihood_{};  ///< log of the restricted likelihood, of shares from 0 to 1
};

/// Limit of one series.
double lasting_share(std::span<const double> values);

/// What noise with a lasting share does to the interval of the mean of `n` values.
class LastingInterval {
 public:
  /// `sd`: of the values, n - 1 in its denominator. n >= 2. `series`: how many it is pooled over.
  LastingInterval(std::size_t n, double sd, double share, double series = 1);

  /// Half-width at an error if the number of values was fixed beforehand.
  [[nodiscard]] double once(double error) const;
  /// Half-width at an error if it may be looked at after every value: the confidence sequence of sequence.hpp with the
  /// widened standard error and its degrees of freedom. `prior`: variance of the effects that it looks for, in units
  /// of the spread. Infinite if the values are too few.
  [[nodiscard]] double at_each_look(double error, double prior) const;

 private:
  double n_, sd_, widening_ = 1, degrees_ = 0;
};

/// How far an interval reaches at least before a clock state or a trend has had time to show itself, in logs: a factor
/// of 1.22 before block 16, 8 % before block 20. 0 afterwards, and for values that never change.
double unseen_by(std::size_t n);

}  // namespace assay
