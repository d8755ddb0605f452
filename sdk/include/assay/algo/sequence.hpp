// Intervals that may be looked at after every block: a confidence sequence for the mean of block-wise differences.
//
// For independent normal differences d_1..d_n with unknown spread, and a normal prior N(0, kPrior) on the effect in
// units of the spread, the ratio of the two likelihoods of the t statistic at the true mean is a martingale that starts
// at 1, so that it ever exceeds 1/alpha with probability alpha at most (Ville). The means at which it has not are the
// interval:
//   t^2 < (n - 1) * (r - 1) / (1 - r / k),   k = 1 + n * kPrior,   r = (sqrt(k) / alpha)^(2 / n),
// and all of the line while r >= k. It covers the true mean at all n at once with probability 1 - alpha, whenever one
// stops and whatever made one stop; so the intersection of the intervals so far does too, and a verdict once reached
// stays.
//
// That takes independent differences. Where the noise of one cell lasts over blocks they are not, and n of them are
// worth fewer: as many as n (1 - r) / (1 + r) of correlation r from one to the next. So the interval is widened by the
// root of (1 + r) / (1 - r), r being the upper limit of what the differences so far show (sequence_widening). Under
// independence this costs blocks and no truth; under an r of 0.5 it keeps the promise, which is simulation and no
// proof.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "assay/algo/distributions.hpp"

namespace assay {

/// Variance of the prior: effects of about three times the spread are found with the fewest blocks, which is where the
/// few blocks that a study can afford decide anything.
inline constexpr double kSequencePrior = 10;

/// Half-width of the interval of n differences with standard deviation `sd` (n - 1 in its denominator), at confidence
/// `level`; infinite while n is too small for any.
inline double sequence_half_width(std::size_t n, double sd, double level) {
  if (n < 2) return std::numeric_limits<double>::infinity();
  const double count = static_cast<double>(n), k = 1 + count * kSequencePrior;
  const double r = std::exp(2 / count * (0.5 * std::log(k) - std::log1p(-level)));
  if (!(r < k)) return std::numeric_limits<double>::infinity();
  const double t2 = (count - 1) * (r - 1) / (1 - r / k);
  return sd * std::sqrt(t2 / count);
}

/// Factor on the half-width for differences whose correlation from one to the next is found to be `lag1` (about their
/// mean): from its estimate without bias plus 1.25 standard errors (about 90 %), between 0 and 0.9. Infinite of fewer
/// than four, which show no correlation. `lag1` = -1/n is what independent differences show on average.
inline double sequence_widening(double lag1, std::size_t n) {
  if (n < 4) return std::numeric_limits<double>::infinity();
  const double count = static_cast<double>(n);
  const double unbiased = n > 4 ? (lag1 + 1 / count) / (1 - 3 / count) : lag1 + 1 / count;
  const double r = std::clamp(unbiased + 1.25 / std::sqrt(count), 0.0, 0.9);
  return std::sqrt((1 + r) / (1 - r));
}

/// What the differences up to now allow to say.
struct SequenceInterval {
  std::size_t n = 0;
  double mean = 0, sd = 0;  ///< of the differences; after stopping the mean tends to exaggerate
  double lag1 = 0;          ///< their correlation from one to the next, about the mean
  double lo = -std::numeric_limits<double>::infinity();  ///< of the running intersection
  double hi = std::numeric_limits<double>::infinity();
};

/// The running intersection, one difference after another in the order in which blocks were run. Where intervals would
/// contradict each other (which happens with probability alpha at most) the last that was not empty stays.
class Sequence {
 public:
  explicit Sequence(double level) : level_(level) {}

  const SequenceInterval& add(double difference) {
    ++now_.n;
    const double before = now_.mean;
    now_.mean += (difference - before) / static_cast<double>(now_.n);
    squares_ += (difference - before) * (difference - now_.mean);
    now_.sd = now_.n > 1 ? std::sqrt(squares_ / static_cast<double>(now_.n - 1)) : 0;
    now_.lag1 = lag1_after(difference);
    const double half = sequence_half_width(now_.n, now_.sd, level_) * sequence_widening(now_.lag1, now_.n);
    if (!std::isfinite(half)) return now_;
    const double lo = std::max(now_.lo, now_.mean - half), hi = std::min(now_.hi, now_.mean + half);
    if (lo <= hi) {
      now_.lo = lo;
      now_.hi = hi;
    }
    return now_;
  }
  [[nodiscard]] const SequenceInterval& now() const { return now_; }

 private:
  /// Products of neighbours about the mean so far; from the first difference on, so that nothing large cancels.
  double lag1_after(double difference) {
    if (now_.n == 1) first_ = difference;
    const double shifted = difference - first_, count = static_cast<double>(now_.n), m = now_.mean - first_;
    products_ += last_ * shifted;
    last_ = shifted;
    if (!(squares_ > 0)) return 0;
    const double neighbours = products_ - m * (2 * count * m - shifted) + (count - 1) * m * m;
    return neighbours / squares_;
  }

  double level_;
  double squares_ = 0, products_ = 0, first_ = 0, last_ = 0;
  SequenceInterval now_;
};

/// What all of the differences allow to say.
inline SequenceInterval sequence_interval(std::span<const double> differences, double level) {
  Sequence sequence(level);
  for (const double difference : differences) sequence.add(difference);
  return sequence.now();
}

/// Half-width that n independent differences are expected to have.
inline double sequence_expected_half_width(std::size_t n, double sd, double level) {
  return sequence_half_width(n, sd, level) * sequence_widening(-1 / static_cast<double>(n), n);
}

/// How many differences of this mean and spread would put the interval inside of [lo, hi] or wholly outside of it; more
/// than `most`: `most` + 1. The spread is taken as it is: say an upper limit of it to be on the safe side.
inline std::size_t sequence_blocks_needed(double mean, double sd, double lo, double hi, double level,
                                          std::size_t most) {
  for (std::size_t n = 2; n <= most; ++n) {
    const double half = sequence_expected_half_width(n, sd, level);
    const bool inside = mean - half >= lo && mean + half <= hi, outside = mean + half < lo || mean - half > hi;
    if (inside || outside) return n;
  }
  return most + 1;
}

/// How many differences, of that mean and spread, put the interval inside of [lo, hi] or wholly outside of it with
/// probability `power`; more than `most`: `most` + 1. Earlier looks, which may decide as well, are not counted on.
inline std::size_t sequence_blocks_for_power(double mean, double sd, double lo, double hi, double level, double power,
                                             std::size_t most) {
  for (std::size_t n = 2; n <= most; ++n) {
    const double half = sequence_expected_half_width(n, sd, level);
    if (!std::isfinite(half)) continue;
    const auto below = [&](double bound) {
      return sd > 0 ? normal_cdf((bound - mean) * std::sqrt(static_cast<double>(n)) / sd) : (mean < bound ? 1.0 : 0.0);
    };
    const double inside = std::max(0.0, below(hi - half) - below(lo + half));
    if (inside + below(lo - half) + 1 - below(hi + half) >= power) return n;
  }
  return most + 1;
}

/// Below it lies the true spread with 80 % confidence, of a sample deviation with `degrees` of freedom (1 or more); by
/// the cube root of Wilson and Hilferty.
inline double upper_spread(double sd, double degrees) {
  const double part = 2 / (9 * degrees), root = 1 - part + normal_quantile(0.2) * std::sqrt(part);
  return sd / std::sqrt(root * root * root);
}

}  // namespace assay
